/** Agents in words: a line of the list, and all about one. */
import type { AgentRow, AgentStory } from '../../engine/queries/list-agents.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { lacksEdits } from '../../permissions/core/tools.ts';
import type { Skill } from '../../agents/core/skills.ts';
import { factLines, groupLines } from './catalog-text.ts';
import { many } from '../../task/core/base/plural.ts';
import { colours as pc } from './colour.ts';
import { columns, wrap, type Column } from './text-width.ts';

/** Callable or not, name, its purpose, by what it is called, and why not. */
const SHAPES: readonly Column[] = [{}, { least: 12 }, { least: 24 }, { least: 8, most: 64 }];
const INSTRUCTION_LINES = 10;
const HEAD = [
  'yes: can be called here, by what the last column names',
  'shell runs the script of the contract and human asks you: neither is a model',
];

/** `more`: how many hidden ones are left out. */
export function agentLines(
  rows: readonly AgentRow[],
  skills: readonly Pick<Skill, 'name' | 'description'>[],
  more: number,
  limit: number,
): string[] {
  const cells = skills.map(({ name, description }) => [escapeText(name), escapeText(description)]);
  return [
    ...HEAD.flatMap((line) => wrap(pc.dim(line), limit)),
    '',
    ...(rows.length === 0 ? ['No agent matches.'] : groupLines(rows, cellsOf, SHAPES, limit)),
    ...(skills.length === 0 ? [] : ['', pc.bold('Skills:')]),
    ...columns(cells, [{}, { least: 24 }], limit - 2).map((line) => `  ${line}`),
    '',
    ...(more > 0 ? [`${more} more are hidden: contracts agents --all`] : []),
    'More about one: contracts agents show NAME',
  ];
}

function cellsOf({ name, adapter, callable, why, description, hidden }: AgentRow): string[] {
  const about = hidden ? `(hidden) ${description}` : description;
  const by = why === '' ? adapter : `${adapter}: ${why}`;
  return [callable ? 'yes' : 'no', escapeText(name), escapeText(about), escapeText(by)];
}

export function agentStoryLines(story: AgentStory, limit: number): string[] {
  const lines = factLines(story, factsOf(story), limit);
  const text = story.instructions.split('\n').filter((line) => line.trim() !== '');
  const kept = text.slice(0, INSTRUCTION_LINES);
  if (kept.length > 0) lines.push('', 'Instructions');
  for (const line of kept) lines.push(...wrap(`  ${escapeText(line)}`, limit, 4));
  const rest = text.length - kept.length;
  if (rest > 0) lines.push(`  (${many(rest, 'more line')} in ${story.file || 'config.yaml'})`);
  return lines;
}

function factsOf(story: AgentStory): readonly (readonly [string, string])[] {
  const { tools, client_tools, models, skills } = story;
  const called = client_tools.length === 0 ? '' : ` (${client_tools.join(', ')})`;
  return [
    ['from', `${story.file === '' ? '.contracts/config.yaml' : story.file} (${story.source})`],
    ['adapter', story.adapter],
    ['models', models.join(', then ')],
    ['callable', calledWords(story)],
    // What a file that cannot be read allows is not known.
    ...(story.known ? permissionsFacts(story) : []),
    ['tools', tools === undefined ? '' : `${tools.join(', ') || 'none'}${called}`],
    ['skills', skills.map(({ name, found }) => (found ? name : `${name} (not there)`)).join(', ')],
    ['delegates to', story.delegates_to.join(', ')],
    ['hidden', story.hidden ? 'yes: it is called only by its name' : ''],
  ];
}

function calledWords({ callable, why, fix }: AgentStory): string {
  if (why === '') return 'yes';
  return `${callable ? 'yes, but' : 'no:'} ${why}. ${fix}`;
}

function permissionsFacts({ permissions, tools }: AgentStory): (readonly [string, string])[] {
  const globs = (list: readonly string[]): string => list.join(', ') || 'nothing';
  const same = globs(permissions.create) === globs(permissions.write);
  const isHard = permissions.strength === 'hard';
  const by = permissions.write.length > 0 && lacksEdits(tools) ? ' (with its shell alone)' : '';
  const more = isHard ? '' : '; more than that is reported, not refused';
  return [
    [same ? 'writes' : 'changes', globs(permissions.write) + by + more],
    ...(same ? [] : [['makes', globs(permissions.create)] as const]),
    ['removes', globs(permissions.delete)],
    ...(globs(permissions.append) === globs(permissions.write)
      ? []
      : [['adds to', globs(permissions.append)] as const]),
    ['git', permissions.git.join(', ') || 'looks only'],
  ];
}
