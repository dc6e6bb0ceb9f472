/** Agents in words: a line of the list, and all about one. */
import type { AgentRow, AgentStory } from '../../engine/queries/list-agents.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { factLines, groupLines } from './catalog-text.ts';
import { many } from './plural.ts';
import { wrap, type Column } from './text-width.ts';

/** Callable or not, name, adapter, and its purpose or why it cannot be called. */
const SHAPES: readonly Column[] = [{}, { least: 16 }, { least: 5, most: 16 }, { least: 20 }];
const INSTRUCTION_LINES = 10;

/** `more`: how many hidden ones are left out. */
export function agentLines(rows: readonly AgentRow[], more: number, limit: number): string[] {
  const lines = groupLines(rows, cellsOf, SHAPES, limit);
  lines.push('');
  if (more > 0) lines.push(`${more} more are hidden: contracts agents --all`);
  return [...lines, 'More about one: contracts agents show NAME'];
}

function cellsOf({ name, adapter, callable, why, description, hidden }: AgentRow): string[] {
  const about = why === '' ? description : why;
  const shown = hidden && why === '' ? `(hidden) ${about}` : about;
  return [callable ? 'yes' : 'no', escapeText(name), escapeText(adapter), escapeText(shown)];
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
  const { authority, tools, client_tools, models, skills } = story;
  const called = client_tools.length === 0 ? '' : ` (${client_tools.join(', ')})`;
  return [
    ['from', `${story.file === '' ? '.contracts/config.yaml' : story.file} (${story.source})`],
    ['adapter', story.adapter],
    ['models', models.join(', then ')],
    ['callable', calledWords(story)],
    // What a file that cannot be read allows is not known.
    ...(story.known ? authorityFacts(authority) : []),
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

const NOTHING = 'nothing';

function authorityFacts(authority: AgentStory['authority']): (readonly [string, string])[] {
  const globs = (list: readonly string[]): string => list.join(', ') || NOTHING;
  const same = globs(authority.create) === globs(authority.write);
  const refused = {
    hard: '',
    soft: '; more than that is reported, not refused',
    warn: '; more than that is reported, not refused',
  };
  return [
    [same ? 'writes' : 'changes', globs(authority.write) + refused[authority.strength]],
    ...(same ? [] : [['makes', globs(authority.create)] as const]),
    ['removes', globs(authority.delete)],
    ...(globs(authority.append) === globs(authority.write)
      ? []
      : [['adds to', globs(authority.append)] as const]),
    ['git', authority.git.join(', ') || 'looks only'],
  ];
}
