/**
 * Faults that the last call of a task met and a person has to mend, such as a missing login. A step calls again,
 * so this is for those who only look. A later call of the same client that worked ends it.
 */
import { join } from 'node:path';
import { executorOf, roleOf } from '../../agents/engine/roles.ts';
import { isAnswer, type Call } from '../../task/core/attempts/pause.ts';
import type { Wait } from '../../task/core/model/action.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import { recordedFault } from '../attempt/setup-fault.ts';
import type { Board } from '../board/board.ts';
import { callsOf } from '../board/pauses.ts';
import type { Claimant } from '../core/decide/admission.ts';
import { wait } from '../core/words/waits.ts';

/** undefined where nothing is in the way of the call, or where no agent would be called. */
export function faultLeft(
  ws: Workspace,
  board: Board,
  task: TaskRead,
  { action, calls }: Claimant,
): Wait | undefined {
  const last = task.attempts.findLast(({ lost, outcome }) => !lost && outcome !== undefined);
  if (!calls || !task.contract.ok || last?.outcome === undefined) return undefined;
  const contract = task.contract.value;
  const kind = action.work;
  const role = kind === 'work' ? executorOf(ws, contract) : roleOf(ws, action.gate);
  const { outcome } = last;
  if (last.kind !== kind || outcome.adapter !== role.adapter_name) return undefined;
  const called = { ws, id: task.id, kind, contract, agent: role.name };
  const fault = recordedFault(called, role, outcome);
  if (fault === undefined || hasWorkedSince(ws, board, outcome)) return undefined;
  // A model is named in the contract, too; a login never is.
  const isChanged = last.owner?.contract !== contractHash(task);
  return isChanged && outcome.error !== 'login' ? undefined : wait('client_fault', fault);
}

function hasWorkedSince(ws: Workspace, board: Board, { adapter, at }: Call | Met): boolean {
  const since_ms = Date.parse(at);
  return [...callsOf(board), ...endedCalls(ws, board)].some(
    (call) =>
      call.adapter === adapter &&
      isAnswer(call) &&
      Date.parse(call.at) - (call.seconds ?? 0) * 1000 >= since_ms,
  );
}

type Met = Omit<Call, 'task'>;

const known = /* @__PURE__ */ new WeakMap<Board, readonly Met[]>();

/** Calls of tasks that ended since the first of these faults was recorded: the move after each outcome changes their folder. */
function endedCalls(ws: Workspace, board: Board): readonly Met[] {
  const before = known.get(board);
  if (before !== undefined) return before;
  const { disk, layout } = ws;
  // By the clock of the disk on both sides.
  const faults = callsOf(board).filter(({ error }) => error !== undefined);
  const since_ms = Math.min(...faults.map((call) => recordedMs(ws, board, call)));
  const found = (['done', 'aborted'] as const).flatMap((state) =>
    listState(disk, layout, state).ids.flatMap((id) => {
      const folder = taskFolder(layout, state, id);
      if ((disk.stat(folder)?.ctime_ms ?? 0) < since_ms) return [];
      const { attempts } = readAttempts(ws, folder, id);
      return attempts.flatMap(({ lost, outcome }) => (lost ? [] : (outcome ?? [])));
    }),
  );
  known.set(board, found);
  return found;
}

function recordedMs({ disk, layout }: Workspace, board: Board, { task, attempt }: Call): number {
  const state = board.tasks.get(task)?.state ?? 'ready';
  const folder = attemptFolder(taskFolder(layout, state, task), attempt);
  return disk.stat(join(folder, 'outcome.md'))?.ctime_ms ?? 0;
}
