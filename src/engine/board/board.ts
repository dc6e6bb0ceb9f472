/** Reads the tree once into plain data: the live tasks with their state. Judges nothing. */
import { join } from 'node:path';
import { idRule, isTaskId, wordsOf } from '../../task/core/model/id.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { findCycles } from '../../task/core/base/dependency-graph.ts';
import { Fault, problem, type Problem } from '../../task/core/model/problem.ts';
import { isTerminal, LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { shown, stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { isForeign, listState, locate, type Listed } from '../../task/store/tasks/tasks.ts';
import { awaitedOf, isKnownAtRest, lightened } from '../cache/known-task.ts';
import { KEPT_TASKS_MIN, RowCache, type Looks } from '../cache/row-cache.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { renamedToState, strangeStates } from './unknown-folders.ts';
import type { TasksSeen } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Board extends TasksSeen {
  /** The cache of its rows: a task of a row must be read again before anything is done with it. */
  readonly rows?: RowCache;
  readonly cycles: ReadonlyMap<string, readonly string[]>;
  /** Names in state folders that are no tasks. */
  readonly problems: readonly Problem[];
}

/** Nothing is known: whatever is asked for is looked for on the disk. */
export const NO_BOARD: Board = {
  tasks: new Map(),
  doubles: new Map(),
  cycles: new Map(),
  problems: [],
  faults: new Map(),
};

interface Reading {
  /** Tasks of a large tree may be only known, not read, by the rows of such looks (row-cache.ts). */
  readonly quick?: Looks;
  /** Keeps of the others in a large tree no more than what is asked of all. */
  readonly only?: ReadonlySet<string> | undefined;
}

export function readBoard(ws: Workspace, { quick, only }: Reading = {}): Board {
  const { places, problems } = readPlaces(ws);
  const rows = quick && places.size >= KEPT_TASKS_MIN ? new RowCache(ws, quick) : undefined;
  const tasks = new Map<string, TaskRead>();
  const doubles = new Map<string, readonly State[]>();
  const faults = new Map<string, unknown>();
  for (const [id, listed] of places) {
    const states = listed.length > 1 ? standing(ws, id, listed) : listed;
    const [state] = states;
    if (state === undefined) continue;
    const isDouble = states.length > 1;
    if (isDouble) doubles.set(id, states);
    const isOther = rows !== undefined && only?.has(id) === false;
    try {
      const read = (through: Workspace) => readTask(through, state, id);
      const task = isDouble
        ? read(ws)
        : (rows?.known(id, state) ??
          (isOther ? read(ws) : (rows?.read(id, state, read) ?? read(ws))));
      if (task !== undefined) tasks.set(id, isOther ? lightened(ws, task) : task);
    } catch (error) {
      faults.set(id, error);
    }
  }
  let cycles: Board['cycles'] | undefined;
  return {
    ...(rows === undefined ? {} : { rows }),
    tasks,
    doubles,
    get cycles() {
      return (cycles ??= findCycles(edgesOf(tasks)));
    },
    problems,
    faults,
  };
}

/** Tasks of these states, each read by itself. */
export function tasksIn(
  ws: Workspace,
  states: readonly State[],
  isWanted: (id: string) => boolean = () => true,
): readonly TaskRead[] {
  return states.flatMap((state) => {
    const ids = listState(ws.disk, ws.layout, state).ids.filter(isWanted);
    return ids.flatMap((id) => readTask(ws, state, id) ?? []);
  });
}

/** Tasks without dependencies are on no cycle, and most tasks have none. */
function edgesOf(tasks: Board['tasks']): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, readonly string[]>();
  for (const [id, task] of tasks) {
    const awaited = awaitedOf(task);
    if (awaited !== '') edges.set(id, awaited.split(' '));
  }
  return edges;
}

/** A task that was moved while the states were listed is in two lists, but in one place. */
export function standing(ws: Workspace, id: string, listed: readonly State[]): readonly State[] {
  return listed.filter(
    (state) => ws.disk.stat(taskFolder(ws.layout, state, id))?.kind === 'folder',
  );
}

/** Ids by their live states. `done` and `aborted` are never listed here. */
export function readPlaces(ws: Workspace) {
  const places = new Map<string, readonly State[]>();
  const problems: Problem[] = [];
  const listings = new Map<State, Listed>(
    LIVE_STATES.map((state) => [state, listState(ws.disk, ws.layout, state)]),
  );
  for (const state of STATES) {
    const listed = listings.get(state);
    const foreign = listed === undefined ? isForeign(ws.disk, ws.layout, state) : listed.foreign;
    if (foreign === true) problems.push(foreignProblem(ws, state));
  }
  problems.push(...strangeStates(ws));
  for (const [state, listed] of listings) {
    const alone = [state];
    for (const id of listed.ids) {
      const found = places.get(id);
      places.set(id, found === undefined ? alone : [...found, state]);
    }
    for (const stranger of listed.strangers) problems.push(strangerProblem(ws, state, stranger));
  }
  return { places, problems };
}

export function foreignProblem(ws: Workspace, state: State): Problem {
  return problem({
    code: 'not_a_file',
    file: shown(ws.layout, stateFolder(ws.layout, state)),
    message: 'this state is a link or a file; what is behind it is not looked at',
    expected: 'a folder',
    fix: 'Put a real folder there',
  });
}

export function strangerProblem(
  ws: Workspace,
  state: State,
  stranger: { readonly name: string; readonly kind: string },
): Problem {
  if (stranger.name === 'contract.md' && stranger.kind === 'file') return renamedToState(ws, state);
  const file = shown(ws.layout, join(ws.layout.tasks, state, stranger.name));
  if (stranger.kind === 'folder' && !isTaskId(stranger.name)) {
    const { message, expected } = idRule(stranger.name);
    const like = wordsOf(stranger.name);
    const better = isTaskId(like) && locate(ws.disk, ws.layout, like).length === 0;
    return problem({
      code: 'bad_id',
      file,
      message: `the name of this folder ${message}`,
      expected,
      fix: `Rename ${better ? `it to ${like}` : 'the folder'}, or move it out of active_tasks`,
    });
  }
  return problem({
    code: 'leftover',
    severity: 'warning',
    file,
    message:
      stranger.kind === 'other' ? 'a link or special file, left alone' : 'not a task, left alone',
    fix: 'Move it out of active_tasks',
  });
}

/** All tasks with an attempt that runs now: they take slots. */
export function runningTasks(board: Board, holderOf: (task: TaskRead) => string): TaskRead[] {
  return [...board.tasks.values()].filter(
    (task) =>
      !isKnownAtRest(task) &&
      !isTerminal(task.state) &&
      openAttempt(task) !== undefined &&
      runs(task, holderOf),
  );
}

/** Counts as running when that cannot be found out; the plan reports why. */
function runs(task: TaskRead, holderOf: (task: TaskRead) => string): boolean {
  try {
    return ['alive', 'orphan', 'orphan_overdue', 'elsewhere'].includes(holderOf(task));
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof Fault)) throw error;
    return true;
  }
}
