/** The lines of `list`, one a task. The engine finds the tasks. */
import { LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { listTasks, type ListedTask, type ListQuery } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { columns, screenOf, type Column } from '../output/text-width.ts';
import {
  ageOf,
  ID,
  labelsOf,
  markOf,
  namesOf,
  titleOf,
  whoOf,
  withNames,
} from '../output/task-cells.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { stepWords } from '../output/live.ts';
import { colourState } from '../output/output.ts';
import { refuseUse, type Verb } from '../terminal/verb-context.ts';
import { isNarrowed, type ListFlags } from '../output/list-flags.ts';

export async function printTasks(
  verb: Verb,
  flags: ListFlags,
  words: string,
  states: readonly State[] | undefined,
): Promise<void> {
  const { out } = verb;
  const query = queryOf(flags, words, states);
  if (flags.graph !== undefined) {
    const { printGraph } = await import('./board.ts');
    return printGraph(verb, flags.graph);
  }
  const { searchTasks } =
    flags.search === undefined
      ? { searchTasks: listTasks }
      : await import('../../engine/queries/search.ts');
  const found = searchTasks(verb.ws, query, flags.search ?? '');
  if ((flags.agent ?? flags.plan ?? flags.tag) !== undefined) {
    const { unknownFilter } = await import('../output/unknown-filters.ts');
    const odd = unknownFilter(verb.ws, query, found.tasks);
    if (odd !== undefined) refuseUse(verb, ...odd);
  }
  if (flags.board === true) {
    const { printBoard } = await import('./board.ts');
    return printBoard(
      verb,
      found,
      states ?? LIVE_STATES,
      isNarrowed({ ...flags, state: [] }, words),
    );
  }
  const care = flags.problems === true ? await import('../output/problem-lines.ts') : undefined;
  const tasks = care?.problemTasks(verb.ws, found.tasks) ?? found.tasks;
  for (const problem of found.problems) out.problem(problem);
  if (out.json) for (const task of tasks) out.data({ v: 1, event: 'task', ...task });
  // For programs: no words where there are none.
  if (flags.ids === true) {
    for (const { id } of tasks) out.print(id);
    return;
  }
  const { limit } = screenOf(verb.frame.streams);
  const lines = (care?.problemLines ?? taskLines)(tasks, limit, verb.ws.machine.now());
  for (const line of lines) out.print(line);
  if (lines.length > 0 || out.json) return;
  const isBroken = found.problems.length > 0;
  if (care !== undefined) {
    const some = isNarrowed({ ...flags, problems: false }, words) ? ['matches'] : [];
    const which = [...some, ...(isBroken ? ['can be read'] : [])].join(' and ');
    return out.print(`No task ${which && `that ${which} `}needs care.`);
  }
  if (isBroken) return;
  // A word is looked for in ids and titles.
  const state = STATES.find((one) => one === words);
  const other = state && `Tasks in ${state}: contracts list --state ${state}`;
  out.print(
    isNarrowed(flags, words)
      ? `No task matches. ${other ?? 'See them all: contracts list --all'}`
      : emptyMessage(verb.ws, flags.all === true ? STATES : LIVE_STATES),
  );
}

function queryOf(flags: ListFlags, words: string, states: readonly State[] | undefined): ListQuery {
  const waits = flags.waitsFor?.map((whom) => (whom === 'me' ? 'person' : whom));
  return {
    states: states === undefined ? undefined : new Set(states),
    agents: flags.agent,
    plans: flags.plan,
    tags: flags.tag,
    text: words === '' ? undefined : words,
    waits_for: waits as ListQuery['waits_for'],
    sort: waits !== undefined ? 'age' : flags.ids === true ? undefined : 'turn',
  };
}

const TITLE: Column = { least: 24, most: 60 };
const WHO: Column = { most: 16, drop: 2, even: true };
/** With a machine. */
const WHO_AWAY: Column = { ...WHO, most: 32 };
const LABELS: Column = { least: 8, most: 28, drop: 3 };
const SHAPES: readonly Column[] = [{}, {}, ID, TITLE, {}, WHO, LABELS, { least: 14 }];
/** The word is left out where there is little room. */
const SIGNS = { critical: '↑', high: '↑', medium: '', low: '↓' } as const;

function taskLines(tasks: readonly ListedTask[], limit: number, now: Date): string[] {
  const names = namesOf(tasks, limit);
  const rows = tasks.map((task) => [
    (markOf(task) || (SIGNS[task.priority] && ' ')) + SIGNS[task.priority],
    colourState(task.state),
    names.get(task.id) ?? task.id,
    titleOf(task),
    ageOf(task, now),
    whoOf(task),
    labelsOf(task),
    stepWords(task) || escapeText(withNames(task.reason, names)),
  ]);
  const isAway = tasks.some(({ machine }) => machine !== undefined);
  return columns(rows, isAway ? SHAPES.with(5, WHO_AWAY) : SHAPES, limit);
}
