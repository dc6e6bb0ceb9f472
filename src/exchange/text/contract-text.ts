/** A foreign task as a contract, with its source whole below a heading. Pure. */
import { given } from '../../task/core/base/defined-fields.ts';
import { renderContract } from '../../task/text/documents/render-contract.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import type { Template } from '../../task/text/markdown/template.ts';
import type { Arranged } from '../core/arrange.ts';
import { code, factsIn, joined } from './plan-text.ts';

const TITLE_CHARS_MAX = 500;

export function contractText(
  arranged: Arranged,
  context: readonly string[],
  now: string,
  template: Template,
): string {
  const { task, depends, agent, priority, tags, checks } = arranged;
  const { file, line, original, created = '', deliverables = [], instructions = '' } = task;
  const words = oneLine(task.title) || arranged.id;
  const title = words.length > TITLE_CHARS_MAX ? `${words.slice(0, TITLE_CHARS_MAX - 1)}…` : words;
  const criteria = task.criteria.map(({ text }) => text).filter((text) => text.trim() !== '');
  const more = joined([task.section ?? '', instructions, factsIn(arranged)]);
  const isDay = /^\d{4}-\d{2}-\d{2}/.test(created) && !Number.isNaN(Date.parse(created));
  const lists = {
    depends_on: depends,
    deliverables,
    verify: checks.map((check) => `run: ${check}`),
    tags,
  };
  const { complexity } = task;
  const draft = {
    head: {
      v: 1,
      title,
      ...given({ agent, priority, complexity }),
      created: isDay ? created : now,
      ...lists,
    },
    title,
    objective: task.objective.trim() || words,
    criteria: criteria.length > 0 ? criteria : [title],
    ...(context.length > 0 && { context_files: context }),
    ...(more !== '' && { instructions: more }),
  };
  // A text about a merge is none.
  const contract = renderContract(draft, template)
    .trimEnd()
    .replace(/^<{7} /gm, ' $&');
  return `${contract}\n\n## Original\n\nFrom ${code(`${file}:${line}`)}, imported on ${now.slice(0, 10)}:\n\n${fenced(original)}\n`;
}

/** Longer than each run of its marks, so that nothing in it ends it. */
export function fenced(text: string): string {
  const runs = text.match(/~+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '~'.repeat(longest + 1);
  return `${mark}text\n${text.replace(/\r\n?/g, '\n').replace(/\n$/, '')}\n${mark}`;
}
