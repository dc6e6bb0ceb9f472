/**
 * LEDGER.md as text: the same facts give the same bytes, in fewer than 200 lines. Nothing reads it back.
 * Texts of tasks are untrusted: each is one line, in which no Markdown and no HTML is left.
 */
import type { TaskGraph } from '../../task/core/base/dependency-graph.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { mermaidGraph } from '../../task/text/markdown/mermaid.ts';
import { oneLine } from '../../task/text/markdown/sections.ts';
import { LEDGER_PLACES, type Epic, type LedgerPart } from '../../workspace/tasks/ledger-part.ts';
import { MARK } from '../core/mark.ts';

export interface LedgerFacts {
  /** In the order of the states. */
  readonly counts: readonly { readonly state: string; readonly tasks: number }[];
  readonly parts: readonly LedgerPart[];
  /** Live tasks alone. */
  readonly graph: Pick<TaskGraph, 'nodes' | 'edges'>;
}

const LINES_MAX = 198;
/** How many entries a list has: the first number with which all fits. With the last any tree fits. */
const LENGTHS = [20, 12, 8, 5, 3] as const;
export const ENTRIES_MAX = LENGTHS[0];
const ARCHIVED_MAX = 5;
const EDGES_EACH = 6;
export const LINE_CHARS_MAX = 160;

export function renderLedger(facts: LedgerFacts): string {
  const texts = LENGTHS.map((most) => linesOf(facts, most));
  const lines = texts.find(({ length }) => length <= LINES_MAX) ?? [];
  return `${MARK}\n${lines.join('\n')}`;
}

/** The last one is empty. */
function linesOf({ counts, parts, graph }: LedgerFacts, most: number): readonly string[] {
  const [goal = [], ...others] = Object.entries(LEDGER_PLACES).map(([place, title]) => {
    const texts = parts.flatMap((one) => one.sections?.[place as keyof typeof LEDGER_PLACES] ?? []);
    const entries = texts.map((text) => `- ${inert(text)}`);
    return listed(title, entries, most);
  });
  const sum = (of: RegExp): number =>
    counts.reduce((all, { state, tasks }) => (of.test(state) ? all + tasks : all), 0);
  const states = counts.filter(({ tasks }) => tasks > 0);
  const epics = parts.flatMap((one) => one.epics ?? []);
  const archived = parts
    .flatMap((one) => one.archived ?? [])
    .toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? 1 : -1))
    .slice(0, ARCHIVED_MAX)
    .map(({ id, title, outcome, date }) => row([id, title, outcome, date]));
  const { nodes, edges } = graph;
  const few = edges.slice(0, most * EDGES_EACH);
  const drawn = mermaidGraph({ nodes, edges: few, cycles: [] }).split('\n');
  const title = `## Graph (${nodes.length} of ${sum(/^(?!aborted|done)/)} live tasks)`;
  return [
    '# Ledger',
    '',
    '## Meta',
    '',
    `- Tasks: ${states.map(({ state, tasks }) => `${tasks} ${words(state)}`).join(', ')}`,
    `- Done: ${sum(/^done/)} of ${sum(/^(?!aborted)/)}`,
    '',
    ...goal,
    ...epics.slice(0, most).flatMap((one) => epicOf(one, most)),
    ...(epics.length > most ? [`… and ${epics.length - most} more epics`, ''] : []),
    ...others.flat(),
    ...listed('Archive', archived, ARCHIVED_MAX, 'Epic | Title | Outcome | Date'),
    ...(nodes.length === 0 ? [] : [title, '', '```mermaid', ...drawn, '```', '']),
  ];
}

/** Nothing where there are no entries. With names of columns they are rows of a table. */
function listed(title: string, entries: readonly string[], most: number, columns = '') {
  if (entries.length === 0) return [];
  const more = `… and ${entries.length - most} more`;
  const last = columns === '' ? `- ${more}` : `| ${more} |`;
  const shown = entries.length > most ? [...entries.slice(0, most), last] : entries;
  const head = columns === '' ? [] : [`| ${columns} |`, '| --- | --- | --- | --- |'];
  return [`## ${title}`, '', ...head, ...shown, ''];
}

/** Leaves out ended tasks first, where there are many. */
function epicOf({ id, title, tasks }: Epic, most: number): readonly string[] {
  const isLong = tasks.length > most;
  const rank = ({ state }: Epic['tasks'][number]): number =>
    isLong && /^(?:archived|done|aborted)/.test(state) ? 1 : 0;
  const rows = tasks
    .toSorted((a, b) => rank(a) - rank(b))
    .map((one) => row([one.id, one.title, one.agent, words(one.state)]));
  const done = tasks.filter(({ state }) => state.endsWith('done')).length;
  const heading = `Epic ${inert(id)}: ${inert(title)} (${done} of ${tasks.length} done)`;
  return listed(heading, rows, most, 'Task | Title | Agent | State');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(inert).join(' | ')} |`;
}

function words(state: string): string {
  return state === 'unknown' ? 'not made yet' : state.replaceAll('_', ' ');
}

/** On one line, cut, and without a character that Markdown or HTML would obey. */
function inert(text: string): string {
  const signs = [...escapeText(oneLine(text.slice(0, LINE_CHARS_MAX * 4)))];
  const cut = signs.length > LINE_CHARS_MAX ? [...signs.slice(0, LINE_CHARS_MAX), '…'] : signs;
  return cut
    .join('')
    .replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/[\\`*[\]|~]|(?<![a-z0-9])_|_(?![a-z0-9])/gi, String.raw`\$&`)
    .replace(/^(?=[#+=-])|(?<=^\d+)(?=[.)])/, '\\');
}
