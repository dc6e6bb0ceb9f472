/** The lines of `list`, one a task. The engine finds the tasks. */
import { LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { listTasks, type ListedTask, type ListQuery } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { columns, screenOf, type Column } from './text-width.ts';
import { emptyMessage } from './empty-list.ts';
import { colourState } from './output.ts';
import type { Verb } from '../terminal/verb-context.ts';
import { isNarrowed, type ListFlags } from '../prompts/list-flags.ts';

export function printTasks(
  verb: Verb,
  flags: ListFlags,
  words: string,
  states: readonly State[] | undefined,
): void {
  const { out } = verb;
  const listing = listTasks(verb.ws, queryOf(flags, words, states));
  for (const problem of listing.problems) out.problem(problem);
  for (const task of listing.tasks) out.data({ v: 1, event: 'task', ...task });
  // For programs: no words where there are none.
  if (flags.ids === true) {
    for (const { id } of listing.tasks) out.print(id);
    return;
  }
  const { limit } = screenOf(verb.frame.streams);
  for (const line of taskLines(listing.tasks, limit, verb.ws.machine.now())) out.print(line);
  if (listing.tasks.length > 0 || listing.problems.length > 0 || out.json) return;
  out.print(emptyWords(verb, flags, words));
}

function emptyWords(verb: Verb, flags: ListFlags, words: string): string {
  return isNarrowed(flags, words)
    ? 'No task matches. See them all: contracts list --all'
    : emptyMessage(verb.ws, flags.all === true ? STATES : LIVE_STATES, 'list');
}

function queryOf(flags: ListFlags, words: string, states: readonly State[] | undefined): ListQuery {
  const text = [flags.text ?? '', words].filter((one) => one !== '').join(' ');
  const waits = flags.waitsFor?.map((whom) => (whom === 'me' ? 'person' : whom));
  return {
    states: states === undefined ? undefined : new Set(states),
    agents: flags.agent,
    plans: flags.plan,
    tags: flags.tag,
    text: text === '' ? undefined : text,
    waits_for: waits as ListQuery['waits_for'],
    sort: flags.sort as ListQuery['sort'],
  };
}

const TITLE: Column = { least: 16, most: 60 };
const REASON: Column = { least: 20 };
/** State, age and the spaces between. */
const OTHER_CELLS = 11 + 4 + 6;
/** Ids that `new` makes are shorter. */
const ID_CELLS = 40;

/** State, id, age, title, reason; without room for all the title goes, as the id is made of it. */
function taskLines(tasks: readonly ListedTask[], limit: number, now: Date): string[] {
  const id_cells = tasks.reduce((most, { id }) => Math.min(ID_CELLS, Math.max(most, id.length)), 0);
  const room = limit - OTHER_CELLS - id_cells - (REASON.least ?? 0);
  const titled = room >= (TITLE.least ?? 0) + 2;
  const rows = tasks.map((task) => [
    task.state,
    task.id,
    ageText(now.getTime() - Date.parse(task.stands_since)),
    titled ? escapeText(task.title) : '',
    escapeText(task.reason),
  ]);
  const id: Column = { least: room >= 0 ? id_cells : 16, ids: true };
  return columns(rows, [{}, id, {}, TITLE, REASON], limit).map((line, i) => {
    const { state } = tasks[i] ?? { state: 'draft' };
    return colourState(state) + line.slice(state.length);
  });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `now`, `5m`, `3h`, `2d`; the future is `now` too. */
export function ageText(ms: number): string {
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)}d`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)}h`;
  return ms >= MINUTE_MS ? `${Math.floor(ms / MINUTE_MS)}m` : 'now';
}
