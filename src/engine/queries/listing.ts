/** A listing and what may be asked of one; and the same as rows of values, short enough to be kept. */
import { WAITS } from '../../task/core/model/wait-codes.ts';
import type { Priority } from '../../task/core/model/contract-shape.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import type { LineData } from '../core/events/command-lines.ts';
import type { State } from '../../task/core/model/state.ts';
import { rowLines, rowsOf } from '../cache/scan-cache.ts';

/** Everything that is named must hold; of a list, one. */
export interface ListQuery {
  /** The live ones when left out. */
  readonly states?: ReadonlySet<State> | undefined;
  /** Names of executors. */
  readonly agents?: readonly string[] | undefined;
  /** `plan` of the contract. */
  readonly plans?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** In the id, the title or the objective, in capitals or not. */
  readonly text?: string | undefined;
  readonly waits_for?: readonly ListedTask['waits_for'][] | undefined;
  /**
   * By state and id when left out; `age` has the longest standing first; `turn` what needs a person, then
   * what can start, what is at work, what waits, each by priority and age.
   */
  readonly sort?: 'turn' | 'age' | 'priority' | 'id' | undefined;
}

export type ListedTask = LineData<'task'>;

/** A pause of everything waits for one command, and not for one a task. */
export function isYours({ code }: Pick<ListedTask, 'code'>): boolean {
  return code !== 'nothing' && code !== 'paused' && WAITS[code] === 'person';
}

export interface Listing {
  readonly tasks: readonly ListedTask[];
  readonly problems: readonly Problem[];
}

/** A line of the list as it is kept: the values of its keys, in the order of `taskOf`. */
type Row = readonly [
  ...[id: string, state: State, title: string, agent: string, priority: Priority],
  ...[plan: string | 0, tags: readonly string[] | 0, attempt: number],
  ...[since: string, stands_since: string | 0, code: ListedTask['code'], string, string],
];

/** The problems first, then a row a task. */
export function linesOf({ problems, tasks }: Listing): string {
  return rowLines([problems, ...tasks.map(rowOf)]);
}

/** The same again, with those of its tasks that are wanted; undefined where it cannot be read. */
export function listingOf(
  lines: Uint8Array,
  isWanted: (task: ListedTask) => boolean,
): Listing | undefined {
  try {
    const rows = rowsOf<unknown>(lines as Buffer)[Symbol.iterator]();
    const problems = rows.next().value as readonly Problem[];
    const tasks: ListedTask[] = [];
    for (let row = rows.next(); row.done !== true; row = rows.next()) {
      const task = taskOf(row.value as Row);
      if (isWanted(task)) tasks.push(task);
    }
    return { tasks, problems };
  } catch {
    return undefined;
  }
}

function rowOf(task: ListedTask): Row {
  const { id, state, title, agent, priority, plan, tags, attempt, since, stands_since } = task;
  return [
    ...([id, state, title, agent, priority, plan ?? 0, tags.length === 0 ? 0 : tags] as const),
    ...([attempt, since, stands_since === since ? 0 : stands_since] as const),
    ...([task.code, task.reason, task.fix] as const),
  ];
}

function taskOf(row: Row): ListedTask {
  const plan = row[5];
  return {
    id: row[0],
    state: row[1],
    title: row[2],
    agent: row[3],
    priority: row[4],
    ...(plan === 0 ? {} : { plan }),
    tags: row[6] === 0 ? [] : row[6],
    attempt: row[7],
    since: row[8],
    stands_since: row[9] === 0 ? row[8] : row[9],
    waits_for: row[10] === 'nothing' ? 'nothing' : WAITS[row[10]],
    code: row[10],
    reason: row[11],
    fix: row[12],
  };
}

/** All of these words are somewhere in it, in capitals or not. */
export function holdsWords(texts: readonly string[], words: string): boolean {
  const text = texts.join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
