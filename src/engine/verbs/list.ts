/**
 * What stands where, and what each task waits for: the plan of a step, never applied. Only tasks that
 * are asked for are looked at further than reading them; `done` and `aborted` only when asked for.
 */
import { PRIORITIES, type Priority } from '../../core/contract-shape.ts';
import type { Contract } from '../../core/contract.ts';
import type { WaitsFor } from '../../core/action.ts';
import type { Problem } from '../../core/problem.ts';
import { LIVE_STATES, STATES, type State } from '../../core/state.ts';
import type { TaskRead } from '../../core/task.ts';
import { countState, listState } from '../../store/tasks.ts';
import { recall, record } from '../certificate.ts';
import { readBoard, readPlaces, standing, type Board } from '../board.ts';
import { readTask } from '../read-task.ts';
import { executorOf } from '../preflight.ts';
import { doubleProblem, lookAt, nextWords } from '../look.ts';
import type { Workspace } from '../workspace.ts';

/** The last moment that a Date can hold. */
const DATE_MS_MAX = 8.64e15;

const SORTS = ['age', 'priority', 'id'] as const;

/** Everything that is named must hold; of a list, one. */
export interface ListQuery {
  /** The live ones when left out. */
  readonly states?: ReadonlySet<State> | undefined;
  /** Who executes it. */
  readonly agents?: readonly string[] | undefined;
  /** `plan` of the contract. */
  readonly plans?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  /** In the id, the title or the objective, in capitals or not. */
  readonly text?: string | undefined;
  readonly waits_for?: readonly ListedTask['waits_for'][] | undefined;
  /** By state and id when left out; `age` has the longest standing first. */
  readonly sort?: (typeof SORTS)[number] | undefined;
}

export interface ListedTask {
  readonly id: string;
  readonly state: State;
  readonly title: string;
  readonly agent: string;
  readonly priority: Priority;
  readonly plan?: string;
  readonly tags: readonly string[];
  /** Highest attempt number; 0 when never claimed. */
  readonly attempt: number;
  /** ISO 8601; when contract.md was last written. */
  readonly since: string;
  /**
   * ISO 8601; when the last record was made: the claim of an attempt that is open, the end of one that
   * is not, and the writing of the contract when it was never claimed. No other file is asked.
   */
  readonly stands_since: string;
  readonly waits_for: WaitsFor | 'nothing';
  /** What it waits for, or what the next step does. */
  readonly reason: string;
  readonly fix: string;
}

export interface Listing {
  readonly tasks: readonly ListedTask[];
  readonly problems: readonly Problem[];
}

export interface Names {
  readonly ids: readonly string[];
  readonly problems: readonly Problem[];
}

/** The ids alone, from the names of the folders: no file is read. */
export function listNames(ws: Workspace, states?: ReadonlySet<State>): Names {
  const { places, problems } = readPlaces(ws);
  const ids: string[] = [];
  const doubles: Problem[] = [];
  for (const [id, listed] of places) {
    const at = listed.length > 1 ? standing(ws, id, listed) : listed;
    const [state] = at;
    if (state === undefined) continue;
    if (at.length > 1) doubles.push(doubleProblem(ws, id, at));
    else if (states?.has(state) !== false) ids.push(id);
  }
  for (const state of ['done', 'aborted'] as const) {
    if (states?.has(state) === true) ids.push(...listState(ws.disk, ws.layout, state).ids);
  }
  return { ids, problems: [...ws.problems, ...problems, ...doubles] };
}

export function listTasks(ws: Workspace, query: ListQuery = {}): Listing {
  const { tasks, problems } = liveAndEnded(ws, query);
  const wanted = tasks.filter(({ waits_for }) => query.waits_for?.includes(waits_for) !== false);
  return { tasks: sorted(wanted, query.sort), problems };
}

/** What was found before is the whole board: what is asked of it is chosen from its lines. */
function liveAndEnded(ws: Workspace, query: ListQuery): Listing {
  const { states, agents, plans, tags, text } = query;
  if (text !== undefined || states?.has('done') === true || states?.has('aborted') === true) {
    return look(ws, query);
  }
  const known = recall(ws, 'list');
  if (known !== undefined) {
    const [problems, rows] = JSON.parse(known.toString('utf8')) as Kept;
    return { tasks: rows.map(taskOf).filter((task) => isLike(task, query)), problems };
  }
  const narrowed =
    (agents ?? plans ?? tags) !== undefined ||
    LIVE_STATES.some((one) => states?.has(one) === false);
  if (narrowed) return look(ws, query);
  const recording = record(ws, 'list');
  const found = look(recording.ws, query);
  recording.keep(() => JSON.stringify([found.problems, found.tasks.map(rowOf)]));
  return found;
}

/** A line of the list as it is kept: the values of its keys, in the order of `taskOf`. */
type Row = readonly [
  ...[id: string, state: State, title: string, agent: string, priority: Priority],
  ...[plan: string | 0, tags: readonly string[] | 0, attempt: number],
  ...[since: string, stands_since: string | 0, waits: WaitsFor | 'nothing', string, string],
];
type Kept = readonly [problems: readonly Problem[], rows: readonly Row[]];

function rowOf(task: ListedTask): Row {
  const { id, state, title, agent, priority, plan, tags, attempt, since, stands_since } = task;
  return [
    ...([id, state, title, agent, priority, plan ?? 0, tags.length === 0 ? 0 : tags] as const),
    ...([attempt, since, stands_since === since ? 0 : stands_since] as const),
    ...([task.waits_for, task.reason, task.fix] as const),
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
    waits_for: row[10],
    reason: row[11],
    fix: row[12],
  };
}

function look(ws: Workspace, query: ListQuery): Listing {
  const board = readBoard(ws, { quick: true });
  const ended = (['done', 'aborted'] as const)
    .filter((state) => query.states?.has(state) === true)
    .flatMap((state) =>
      listState(ws.disk, ws.layout, state).ids.map((id) => readTask(ws, state, id)),
    )
    .filter((task) => task !== undefined);
  const tasks = [...board.tasks.values(), ...ended]
    .filter((task) => isAskedFor(ws, task, query))
    .map((task) => listed(ws, board, task));
  const doubles = [...board.doubles].map(([id, at]) => doubleProblem(ws, id, at));
  return { tasks, problems: [...ws.problems, ...board.problems, ...doubles] };
}

/** How many stand in each state: names alone, no file is read. */
export function countTasks(
  ws: Workspace,
  states: readonly State[],
): readonly { readonly state: State; readonly tasks: number }[] {
  return STATES.filter((state) => states.includes(state)).map((state) => ({
    state,
    tasks: countState(ws.disk, ws.layout, state),
  }));
}

/** All that can be told without a look at what else stands on the board. */
function isAskedFor(ws: Workspace, task: TaskRead, query: ListQuery): boolean {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { plan, tags = [] } = contract?.head ?? {};
  const known = {
    state: task.state,
    tags,
    get agent(): string {
      return agentOf(ws, contract);
    },
    ...(plan === undefined ? {} : { plan }),
  };
  if (!isLike(known, query)) return false;
  if (query.text === undefined) return true;
  const wanted = query.text.toLowerCase();
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted);
  return (
    holds(task.id) ||
    (contract !== undefined && (holds(contract.title) || holds(contract.objective)))
  );
}

function isLike(
  task: Pick<ListedTask, 'state' | 'agent' | 'plan' | 'tags'>,
  { states, agents, plans, tags }: ListQuery,
): boolean {
  return (
    states?.has(task.state) !== false &&
    agents?.includes(task.agent) !== false &&
    plans?.includes(task.plan ?? '') !== false &&
    tags?.some((tag) => task.tags.includes(tag)) !== false
  );
}

function agentOf(ws: Workspace, contract: Contract | undefined): string {
  return contract === undefined ? '' : executorOf(ws, contract).name;
}

function listed(ws: Workspace, board: Board, task: TaskRead): ListedTask {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const action = lookAt(ws, board, task);
  const agent = agentOf(ws, contract);
  const waits = action.kind === 'wait' ? action : undefined;
  const plan = contract?.head.plan;
  return {
    id: task.id,
    state: task.state,
    title: contract?.title ?? '',
    agent,
    priority: contract?.head.priority ?? 'medium',
    ...(plan === undefined ? {} : { plan }),
    tags: contract?.head.tags ?? [],
    attempt: task.attempts.at(-1)?.number ?? 0,
    since: isoTime(task.since_ms),
    stands_since: standsSince(task),
    waits_for: waits?.on ?? 'nothing',
    reason:
      task.state === 'done'
        ? doneWords(task.attempts.at(-1)?.outcome?.outcome)
        : action.kind === 'wait'
          ? action.reason
          : nextWords(task, action, agent),
    fix: waits?.fix ?? 'contracts step',
  };
}

function standsSince(task: TaskRead): string {
  const last = task.attempts.findLast((attempt) => !attempt.lost);
  const at = last?.outcome?.at ?? last?.owner?.claimed;
  const recorded = at === undefined ? Number.NaN : Date.parse(at);
  return isoTime(Number.isNaN(recorded) ? task.since_ms : recorded);
}

/** A file's time can be one that no calendar has: then the nearest that there is. */
function isoTime(ms: number): string {
  if (ms === lastTime.ms) return lastTime.text;
  const text = new Date(Math.max(-DATE_MS_MAX, Math.min(DATE_MS_MAX, ms))).toISOString();
  lastTime = { ms, text };
  return text;
}

/** Most tasks ask twice for the same. */
let lastTime = { ms: 0, text: new Date(0).toISOString() };

/** `done` by hand stands, and is shown as what it is (DESIGN §5). */
function doneWords(last: string | undefined): string {
  return last === 'approved' ? 'done, with receipts' : 'done by hand, no receipts';
}

function sorted(tasks: readonly ListedTask[], by: ListQuery['sort']): readonly ListedTask[] {
  if (by === undefined) return tasks;
  const key = (task: ListedTask): number =>
    by === 'age'
      ? Date.parse(task.stands_since)
      : by === 'priority'
        ? PRIORITIES.indexOf(task.priority)
        : 0;
  const keyed = tasks.map((task) => ({ task, key: key(task) }));
  keyed.sort((a, b) => a.key - b.key || (a.task.id < b.task.id ? -1 : 1));
  return keyed.map(({ task }) => task);
}
