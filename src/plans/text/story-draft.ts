/** A story of an agent as the draft of a contract. No check, permission or script is read from it. Pure. */
import type { ContractDraft } from '../../task/core/model/contract-draft.ts';
import { itemText } from '../../task/text/documents/contract-body.ts';
import { scanMarkdown } from '../../task/text/markdown/line-scanner.ts';
import { bulletOf, itemsOf, oneLine, sectionsNamed } from '../../task/text/markdown/sections.ts';
import { noAttributes } from './attributes.ts';
import { readField } from './fields.ts';
import { plainWords } from './values.ts';

/** Makes bullets of more than a line, so that no line of the story is a heading of the contract. */
export function draftOfStory(story: string, own: ContractDraft['head']): ContractDraft {
  const lines = scanMarkdown(story);
  const part = (...names: string[]) => sectionsNamed(lines, ...names).flatMap((one) => one.lines);
  const said = noAttributes();
  const section = lines.find(({ level }) => level > 1);
  const head = lines.slice(0, section?.index).filter(({ kind }) => /^(?:text|front)/.test(kind));
  for (const line of head) readField(bulletOf(line)?.text ?? line.visible, said, true);
  const heading = lines.find(({ level }) => level === 1)?.title ?? '';
  const words = plainWords(heading).slice(0, 200);
  const title = words.replace(/^(?:user )?story(?: [\d.]+)? ?[:—–-] */i, '');
  const goal = part('Story', 'User Story', 'Objective').map(({ visible }) => visible);
  const tasks = itemsOf(part('Requirements', 'Tasks', 'Tasks / Subtasks'), true);
  const { executors, reviewers: quality_gate } = said;
  const { id, squad, plan, created } = own;
  const fixed = { v: 1, title, type: 'story', agent: executors[0], quality_gate };
  return {
    head: { ...fixed, id, squad, plan, created },
    title,
    objective: oneLine(goal.join(' ')),
    requirements: tasks.map((one) => `- ${[one.text, ...one.below].join('\n  - ')}`).join('\n'),
    criteria: itemsOf(part('Acceptance Criteria', 'Success Criteria')).map(itemText),
  };
}
