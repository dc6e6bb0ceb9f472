/** A contract draft to the text of contract.md: reading it back gives the draft again. */
import type { ContractDraft } from '../../core/model/contract-draft.ts';
import { escapeBlock, escapeComments } from '../markdown/escape.ts';
import { dumpFrontMatter } from '../yaml/front-matter.ts';
import { oneLine } from '../markdown/sections.ts';
import { renderTemplate, type Template } from '../markdown/template.ts';

export function renderContract(draft: ContractDraft, template: Template): string {
  const title = oneLine(draft.title);
  // The heading is for people; the title that counts is in the front matter, where it is exact.
  const head = { ...draft.head, title: draft.head['title'] ?? title };
  const body = renderTemplate(
    template,
    {
      title: escapeComments(title).replace(/(#+)$/, '\\$1'),
      objective: escapeBlock(draft.objective),
      requirements: escapeBlock(draft.requirements ?? ''),
      criteria: draft.criteria
        .map((text) => escapeComments(oneLine(text)))
        .filter((text) => text !== ''),
      context_files: (draft.context_files ?? []).map(codeSpan),
      instructions: escapeBlock(draft.instructions ?? ''),
      steps: fenced(draft.steps ?? ''),
    },
    'contract.hbs',
  );
  return `${dumpFrontMatter(head)}\n${body}`;
}

function codeSpan(path: string): string {
  const longest = Math.max(0, ...(path.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${path}\`` : `${mark} ${path} ${mark}`;
}

function fenced(script: string): string {
  const text = script.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (text.trim() === '') return '';
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}sh\n${text}\n${mark}`;
}
