/**
 * Facts about one task that its folder alone does not hold: who holds the open attempt, where its
 * dependencies stand, what pre-flight finds. Reads the world; decides nothing.
 */
import { isTaskId } from '../../task/core/model/id.ts';
import { isCheckpoint, isJoin, whoDecides } from '../../checkpoints/core/checkpoint.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { categoryOf } from '../../task/core/model/policy.ts';
import { writesOf } from '../../task/core/base/glob-overlap.ts';
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type {
  Dependency,
  DependencyState,
  Facts,
  Holder,
  TaskRead,
} from '../../task/core/model/task.ts';
import { awaitedBy, isAborted, isDone } from '../../task/core/model/task.ts';
import { desksFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { isForeign, listState, locate } from '../../task/store/tasks/tasks.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { archivedState } from '../board/archive.ts';
import type { Board } from '../board/board.ts';
import { isOpen, stateOfTask } from '../board/state-of-task.ts';
import { partsOf } from '../../workspace/tasks/capability.ts';
import { earlierLeft } from '../attempt/previous-files.ts';
import { handedIn } from '../attempt/hand-in.ts';
import { overBudgetOf } from './over-budget.ts';
import { pauseOf } from '../board/pauses.ts';
import { writtenByHand } from '../work/delivery.ts';
import { holdOf, makerOf, turnOf } from '../../workspace/tasks/capability.ts';
import { neighboursOf } from '../board/relations.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { preflight, preflightReview } from '../preflight/preflight.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { unreadStatus } from '../../task/text/documents/documents.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';
import { stillUnprepared } from '../../worktrees/engine/still-unprepared.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';

/**
 * Each fact is found when decide asks for it: most tasks wait for a reason that needs only one.
 * `mode` is how the executor is called, where that is not what is asked.
 */
export function factsOf(
  ws: Workspace,
  board: Board,
  task: TaskRead,
  mode?: Facts['executor_mode'],
): Facts {
  return new LookedUp(ws, board, task, mode);
}

class LookedUp implements Facts {
  readonly #ws: Workspace;
  readonly #board: Board;
  readonly #task: TaskRead;
  readonly #mode: Facts['executor_mode'] | undefined;
  #dependencies: readonly Dependency[] | undefined;
  #preflight: Facts['preflight'] | undefined;

  constructor(ws: Workspace, board: Board, task: TaskRead, mode?: Facts['executor_mode']) {
    this.#ws = ws;
    this.#board = board;
    this.#task = task;
    this.#mode = mode;
  }

  get #contract(): Contract | undefined {
    return this.#task.contract.ok ? this.#task.contract.value : undefined;
  }

  get #waits(): boolean {
    return this.#task.state === 'ready' || this.#task.state === 'in_progress';
  }

  get holder(): Holder {
    return holderOf(this.#ws, this.#task);
  }

  get dependencies(): readonly Dependency[] {
    return (this.#dependencies ??= this.#lookAtDependencies());
  }

  #lookAtDependencies(): readonly Dependency[] {
    const contract = this.#contract;
    if (contract === undefined) return [];
    return awaitedBy(contract).map((id) => {
      const found = dependency(this.#ws, this.#board, id);
      if (found.state === 'unknown') {
        return { ...found, ...given({ made_by: makerOf(this.#ws, contract, id) }) };
      }
      return isJoin(contract, id) ? { ...found, join: true } : found;
    });
  }

  get open_children(): Facts['open_children'] {
    return this.#waits ? openChildren(this.#ws, this.#board, this.#task) : [];
  }

  get aborted_parent(): string | undefined {
    const parent = this.#contract?.head.parent;
    if (parent === undefined || !this.#waits) return undefined;
    return isAborted(dependency(this.#ws, this.#board, parent)) ? parent : undefined;
  }

  get cycle(): readonly string[] | undefined {
    return this.#board.cycles.get(this.#task.id);
  }

  get preflight(): Facts['preflight'] {
    return (this.#preflight ??= this.#lookAhead());
  }

  #lookAhead(): Facts['preflight'] {
    const contract = this.#contract;
    const { state, id } = this.#task;
    if (contract === undefined || (!this.#waits && state !== 'review')) return [];
    const folder = taskFolder(this.#ws.layout, state, id);
    if (state === 'review') return preflightReview(this.#ws, folder, contract);
    const found = preflight(this.#ws, folder, contract, this.dependencies.every(isDone));
    const { attempts } = this.#task;
    const by_hand =
      state === 'ready' ? writtenByHand(this.#ws, { id, contract, folder, attempts }) : undefined;
    return by_hand === undefined ? found : [by_hand, ...found];
  }

  get overlap(): Facts['overlap'] {
    const contract = this.#contract;
    if (contract === undefined || !this.#waits) return undefined;
    return overlap(this.#ws, this.#board, this.#task.id, contract);
  }

  get over_budget(): Facts['over_budget'] {
    const contract = this.#contract;
    return contract === undefined ? undefined : overBudgetOf(this.#ws, this.#task, contract);
  }

  get pause(): Facts['pause'] {
    return pauseOf(this.#ws, this.#task, { board: this.#board });
  }

  get unprepared(): Facts['unprepared'] {
    const { state, attempts } = this.#task;
    const last = attempts.at(-1);
    if (state !== 'review' || last?.kind !== 'review') return undefined;
    if (last.outcome?.outcome !== 'interrupted') return undefined;
    // Such a look is not kept: the worktree may be prepared at any time.
    this.#ws.timed?.();
    return stillUnprepared(this.#ws, this.#task);
  }

  get hold(): Facts['hold'] {
    const contract = this.#contract;
    return contract && holdOf(this.#ws, contract);
  }

  get turn_taken(): Facts['turn_taken'] {
    const turn = this.#contract && turnOf(this.#ws, this.#contract);
    if (turn === undefined) return undefined;
    const by = neighboursOf(this.#ws, this.#board)
      .at_work.get(turn.key)
      ?.find((id) => id !== this.#task.id);
    return by !== undefined && turn.isOneAtATime(this.#ws) ? { key: turn.key, by } : undefined;
  }

  get reviewer(): Facts['reviewer'] {
    const contract = this.#contract;
    return contract === undefined ? undefined : categoryOf(contract, this.#ws.config)?.reviewer;
  }

  get executor_mode(): Facts['executor_mode'] {
    const contract = this.#contract;
    if (contract === undefined) return 'process';
    if (this.#mode !== undefined) return this.#mode;
    return executorOf(this.#ws, contract).adapter?.mode ?? 'process';
  }

  get handed_in(): boolean {
    return this.#task.state === 'in_progress' && handedIn(this.#ws, this.#task);
  }

  get unread_result(): Facts['unread_result'] {
    const folder = taskFolder(this.#ws.layout, this.#task.state, this.#task.id);
    return unreadStatus(textIfThere(this.#ws.disk, `${folder}/result.md`) ?? '');
  }

  get earlier_left(): boolean {
    return this.holder === 'person' && earlierLeft(this.#ws, this.#task);
  }
}

/**
 * Live tasks that name this one as their parent. One that is blocked is left out: its parent goes on
 * and its brief says what failed. A child that moves back while the states are listed
 * is in none of the lists: before there is said to be none, the states are listed once more.
 */
function openChildren(ws: Workspace, board: Board, task: TaskRead): Facts['open_children'] {
  const named = neighboursOf(ws, board).children.get(task.id) ?? missedChildren(ws, board, task.id);
  const found = named.map(({ id, state }) => ({ id, state }));
  // Those that it was given itself are looked for by their ids: also one whose contract was spoilt
  // since, and those that were made after this board was read.
  const folder = taskFolder(ws.layout, task.state, task.id);
  for (const id of partsOf(ws, { id: task.id, folder, attempts: task.attempts })) {
    if (found.some((one) => one.id === id)) continue;
    const state = stateOfTask(ws, id);
    if (isOpen(state)) found.push({ id, state });
  }
  return found
    .filter(({ state }) => state !== 'blocked')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function missedChildren(ws: Workspace, board: Board, parent: string): readonly TaskRead[] {
  return missedBy(ws, board).filter(
    (task) => task.contract.ok && task.contract.value.head.parent === parent,
  );
}

/** Looked for once a board, not once a task. */
const missed = new WeakMap<Board, readonly TaskRead[]>();

function missedBy(ws: Workspace, board: Board): readonly TaskRead[] {
  const found = missed.get(board);
  if (found !== undefined) return found;
  const tasks = LIVE_STATES.flatMap((state) =>
    listState(ws.disk, ws.layout, state)
      .ids.filter((id) => ![board.tasks, board.doubles, board.faults].some((seen) => seen.has(id)))
      .map((id) => readTask(ws, state, id))
      .filter((task) => task !== undefined),
  );
  missed.set(board, tasks);
  return tasks;
}

export function dependency(ws: Workspace, board: Board, id: string): Dependency {
  const state = stateOf(ws, board, id);
  const places = placesOf(ws, board, { id, state });
  const asks = isOpen(state) ? whoseGo(board, id) : undefined;
  return { id, state, ...given({ places, asks }) };
}

function whoseGo(board: Board, id: string): string | undefined {
  const contract = board.tasks.get(id)?.contract;
  if (contract?.ok !== true || !isCheckpoint(contract.value)) return undefined;
  const who = whoDecides(contract.value);
  return who === PERSON ? 'a person' : `@${who}`;
}

/** What is done elsewhere as well is looked for where tasks are few, as for the task itself. */
function placesOf(
  ws: Workspace,
  board: Board,
  { id, state }: Dependency,
): readonly State[] | undefined {
  if (!isOpen(state)) return undefined;
  const live = board.doubles.get(id) ?? [state];
  const places = board.quick ? live : [...live, ...endedToo(ws, { id, state })];
  return places.length > 1 ? places : undefined;
}

/** One that is on its way to done just now is not in two places. */
export function endedToo(
  ws: Workspace,
  { id, state }: { readonly id: string; readonly state: State },
): readonly State[] {
  const stands = (one: State): boolean =>
    ws.disk.stat(taskFolder(ws.layout, one, id)) !== undefined;
  const ended = (['done', 'aborted'] as const).filter((one) => one !== state && stands(one));
  return ended.length > 0 && stands(state) ? ended : [];
}

/** One look for each: among the live tasks by name, else wherever it stands, else in the archive. */
function stateOf(ws: Workspace, board: Board, id: string): DependencyState {
  if (!isTaskId(id)) return 'unknown';
  const live = board.tasks.get(id)?.state;
  if (live !== undefined) return live;
  const double = board.doubles.get(id)?.[0];
  if (double !== undefined) return double;
  if (isKnownDone(ws, board, id)) return 'done';
  // Live ones too: a task that moves back while the states are listed is in none of the lists.
  const [now] = locate(ws.disk, ws.layout, id);
  if (now !== undefined) return now;
  return archivedState(ws, id);
}

const knownDone = new WeakMap<Board, Set<string>>();

/** What many tasks depend on is looked for once a board: mostly it is done. */
function isKnownDone(ws: Workspace, board: Board, id: string): boolean {
  const known = knownDone.get(board) ?? new Set();
  if (known.has(id)) return true;
  if (ws.disk.stat(taskFolder(ws.layout, 'done', id))?.kind !== 'folder') return false;
  if (isForeign(ws.disk, ws.layout, 'done')) return false;
  knownDone.set(board, known.add(id));
  return true;
}

/** A live task that writes the same in the shared tree: it works there, or is being judged. */
function overlap(ws: Workspace, board: Board, id: string, contract: Contract): Facts['overlap'] {
  const writes = writesOf(contract.head);
  if (writes.length === 0 || ws.config.conflicts !== 'serialize' || !isShared(ws, contract)) {
    return undefined;
  }
  const { working } = neighboursOf(ws, board);
  const rival = working.rivalOf(id, writes, ({ shared }) => shared);
  return rival === undefined ? undefined : { id: rival.id, path: rival.path };
}

/** Tasks in states that step does not read, whose desk was left behind by a dead attempt. */
export function leftDesks(ws: Workspace): readonly { id: string; number: number; state: State }[] {
  const names =
    ws.disk.stat(desksFolder(ws.layout)) === undefined ? [] : ws.disk.list(desksFolder(ws.layout));
  return names.flatMap(({ name }) => {
    const match = /^(.+)\.(\d{4,9})$/.exec(name);
    const id = match?.[1];
    if (id === undefined) return [];
    for (const state of ['done', 'aborted'] as const) {
      const folder = taskFolder(ws.layout, state, id);
      if (ws.disk.stat(folder) === undefined) continue;
      const number = Number(match?.[2]);
      const open = listAttempts(ws.disk, folder).some((a) => a.number === number && !a.lost);
      if (open) return [{ id, number, state }];
    }
    return [];
  });
}
