/** Looks up what decide() asks about one task. Reads the world; decides nothing. */
import { overlapOf } from '../core/decide/admission.ts';
import { decide } from '../core/decide/decide.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { writesOf } from '../../task/core/base/glob-overlap.ts';
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type { Dependency, FactName, Facts, Known, TaskRead } from '../../task/core/model/task.ts';
import { awaitedBy, isAborted, isDone, isJoin } from '../../task/core/model/task.ts';
import { desksFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { tasksIn, type Board } from '../board/board.ts';
import { isOpen, stateOfTask } from '../board/archive.ts';
import { earlierLeft } from '../attempt/previous-files.ts';
import { handedIn } from '../attempt/hand-in.ts';
import { overBudgetOf } from './over-budget.ts';
import { about, dependency, DEPENDENCY, standingOf } from '../board/dependency.ts';
import { callsOf, pauseOf } from '../board/pauses.ts';
import { textOf } from '../cache/row-cache.ts';
import { holdOf, makerOf, partsOf, turnOf } from '../../workspace/tasks/capability.ts';
import { neighboursOf } from '../board/relations.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import { confirming } from '../../workspace/tasks/read-attempts.ts';
import { blockedOf, inputsHash, lies } from '../../workspace/tasks/read-task.ts';
import { bothSides } from '../preflight/both-sides.ts';
import { copiedAttempts } from '../preflight/copied.ts';
import { isThere, PROGRAM } from '../preflight/executor.ts';
import { preflight, preflightReview } from '../preflight/preflight.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { unreadStatus } from '../../task/text/documents/documents.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';
import { stillUnprepared } from '../../worktrees/engine/still-unprepared.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';

/** Each round of questions looks at something new; more would be a loop of ours. */
const ROUNDS_MAX = 8;

/**
 * Asked about all other tasks. All but the first are nothing where none is at work, in review, or in trouble. Who
 * waits for a pause waits for a time, and who asked for one in vain has asked for the turn before.
 */
const OF_OTHERS: ReadonlySet<string> = new Set(['cycle', 'overlap', 'turn_taken']);

/** Asks again what a look asked about other tasks. undefined where that cannot be known without a look. */
export function askAgain(ws: Workspace, board: Board, id: string, question: string) {
  if (question === 'cycle') return textOf(board.cycles.get(id));
  if (question.startsWith(DEPENDENCY)) {
    return textOf(standingOf(ws, board, question.slice(DEPENDENCY.length)));
  }
  if (question.startsWith(PROGRAM)) return textOf(isThere(ws, question.slice(PROGRAM.length)));
  const { at_work, working, children: named } = neighboursOf(ws, board);
  if (question === 'children') return textOf(named.get(id)?.map(placeOf) ?? []);
  const calm = at_work.size === 0 && working.isEmpty && callsOf(board).length === 0;
  return calm ? textOf(undefined) : undefined;
}

/** Looks up what decide() asks for, each fact once: most tasks wait for a reason that needs few. */
export function decided(
  ws: Workspace,
  board: Board,
  task: TaskRead,
  given: Known = {},
  by: typeof decide = decide,
) {
  const about = { ws, board, task, contract: contractOf(task) };
  let known = given;
  for (let rounds = 0; rounds <= ROUNDS_MAX; rounds++) {
    const action = by(task, known);
    if (action.kind !== 'needs') return { action, known };
    known = withFacts({ ...about, known }, action.facts);
  }
  throw new Error(`${task.id} is not decided after ${ROUNDS_MAX} rounds of questions`);
}

interface Looking {
  readonly ws: Workspace;
  readonly board: Board;
  readonly task: TaskRead;
  readonly contract: Contract | undefined;
  readonly known: Known;
}

function withFacts(looking: Looking, names: readonly FactName[]): Known {
  const known = { ...looking.known };
  for (const name of names) {
    if (name in known) continue;
    const look = () => LOOKS[name]({ ...looking, known });
    const found = OF_OTHERS.has(name) ? about(looking.ws, name, look) : look();
    Object.assign(known, { [name]: found });
  }
  return Object.freeze(known);
}

/** One fact, whatever is known. */
export function lookUp<K extends FactName>(ws: Workspace, board: Board, task: TaskRead, name: K) {
  return LOOKS[name]({ ws, board, task, contract: contractOf(task), known: {} });
}

const LOOKS: { readonly [K in FactName]: (looking: Looking) => Facts[K] } = {
  holder: ({ ws, task }) => holderOf(ws, task),
  contract_hash: ({ task }) => contractHash(task),
  has_result: ({ ws, task }) => lies(ws, folderOf(ws, task), 'result'),
  has_questions: ({ ws, task }) => lies(ws, folderOf(ws, task), 'questions'),
  blocked: ({ ws, task }) => blockedOf(ws, task),
  confirming: ({ ws, task }) => confirming(ws, folderOf(ws, task), task),
  inputs_hash: ({ ws, task }) => inputsHash(ws, task),
  dependencies: dependenciesOf,
  open_children: openChildren,
  aborted_parent: ({ ws, board, contract }) => {
    const parent = contract?.head.parent;
    return parent && isAborted(dependency(ws, board, parent)) ? parent : undefined;
  },
  cycle: ({ board, task }) => board.cycles.get(task.id),
  preflight: lookAhead,
  overlap,
  gates: ({ ws, contract, task }) => (contract ? gatesFor(ws, contract, task.attempts) : []),
  over_budget: ({ ws, task, contract }) => contract && overBudgetOf(ws, task, contract),
  pause: ({ ws, board, task }) => pauseOf(ws, task, { board }),
  unprepared: ({ ws, task }) => {
    const last = task.attempts.at(-1);
    if (last?.kind !== 'review' || last.outcome?.outcome !== 'interrupted') return undefined;
    // Such a look is not kept: the worktree may be prepared at any time.
    ws.timed?.();
    return stillUnprepared(ws, task);
  },
  hold: ({ ws, board, contract, task }) => contract && holdOf(ws, contract, task, board.tasks),
  turn_taken: ({ ws, board, task, contract }) => {
    const turn = contract && turnOf(ws, contract);
    if (turn === undefined) return undefined;
    const by = neighboursOf(ws, board)
      .at_work.get(turn.key)
      ?.find((id) => id !== task.id);
    return by !== undefined && turn.isOneAtATime(ws) ? { key: turn.key, by } : undefined;
  },
  executor_mode: ({ ws, contract }) =>
    (contract && executorOf(ws, contract).adapter?.mode) ?? 'process',
  // A script reads no brief: its call is the work itself.
  can_ask: ({ ws, contract }) => {
    const { mode, writes_result_itself: reads } =
      (contract && executorOf(ws, contract).adapter) ?? {};
    return (mode ?? 'process') === 'process' && reads !== false;
  },
  handed_in: ({ ws, task }) => handedIn(ws, task),
  unread_result: ({ ws, task }) =>
    unreadStatus(textIfThere(ws.disk, `${folderOf(ws, task)}/result.md`) ?? ''),
  earlier_left: ({ ws, task }) => earlierLeft(ws, task),
};

function contractOf({ contract }: TaskRead): Contract | undefined {
  return contract.ok ? contract.value : undefined;
}

function folderOf({ layout }: Workspace, { state, id }: TaskRead): string {
  return taskFolder(layout, state, id);
}

function dependenciesOf({ ws, board, task, contract }: Looking): readonly Dependency[] {
  if (contract === undefined) return [];
  return awaitedBy(contract).map((id) => {
    const found = dependency(ws, board, id);
    if (found.state === 'unknown') {
      return { ...found, ...given({ made_by: makerOf(ws, contract, id) }) };
    }
    return isJoin(task.kind, contract, id) ? { ...found, join: true } : found;
  });
}

function lookAhead(looking: Looking): Facts['preflight'] {
  const { ws, task, known, contract } = looking;
  if (contract === undefined) return [];
  const folder = folderOf(ws, task);
  const torn = [...copiedAttempts(ws, task), ...bothSides(ws, folder, contract)];
  if (task.state === 'review') return [...preflightReview(ws, folder, contract), ...torn];
  const settled = (known.dependencies ?? dependenciesOf(looking)).every(isDone);
  return [...preflight(ws, folder, contract, settled), ...torn];
}

/**
 * Live tasks that name this one as their parent. One that is blocked is left out: its parent goes on
 * and its brief says what failed. A child that moves back while the states are listed
 * is in none of the lists: before there is said to be none, the states are listed once more.
 */
function openChildren({ ws, board, task }: Looking): Facts['open_children'] {
  const found = about(ws, 'children', () => children(ws, board, task.id));
  // Its own parts are looked for by their ids: a contract may be unreadable now, or newer than this board.
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

function children(ws: Workspace, board: Board, parent: string) {
  const named = neighboursOf(ws, board).children.get(parent) ?? missedChildren(ws, board, parent);
  return named.map(placeOf);
}

function placeOf({ id, state }: TaskRead) {
  return { id, state };
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
  const seen = [board.tasks, board.doubles, board.faults];
  const tasks = tasksIn(ws, LIVE_STATES, (id) => !seen.some((ids) => ids.has(id)));
  missed.set(board, tasks);
  return tasks;
}

/** A live task that writes the same in the shared tree: it works there, or is being judged. */
function overlap({ ws, board, task, contract }: Looking): Facts['overlap'] {
  if (contract === undefined) return undefined;
  const { conflicts } = ws.config;
  const writes = conflicts === 'serialize' ? writesOf(contract.head) : [];
  if (writes.length === 0) return undefined;
  const one = { id: task.id, writes, shared: isShared(ws, contract) };
  return overlapOf(one, neighboursOf(ws, board).working, conflicts);
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
