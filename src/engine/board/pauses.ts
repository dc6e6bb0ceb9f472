/**
 * Until when the next call of a task waits, from the calls of live tasks and of this process's own steps.
 * What they mean is in task/core/attempts/pause.ts.
 */
import type { Contract } from '../../task/core/model/contract.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { pendingGates } from '../core/decide/decide-review.ts';
import { onceFor } from '../../task/core/base/memoize.ts';
import {
  errorsPause,
  inWords,
  isAhead,
  isTrouble,
  later,
  outagePause,
  silencePause,
  type Call,
  type Pause,
} from '../../task/core/attempts/pause.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { contractHash } from '../../workspace/tasks/read-contract.ts';
import { isKnownCalm } from '../cache/known-task.ts';
import { inputsHash, lies } from '../../workspace/tasks/read-task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import type { Board } from './board.ts';
import type { InFlight } from './in-flight.ts';
import { executorOf, modelNow, roleOf } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Between the time in an outcome and the runner's own move of the task. */
const ROLL_MS = 5_000;

interface Known {
  readonly board: Board;
  readonly in_flight?: InFlight | undefined;
}

export function pauseOf(ws: Workspace, task: TaskRead, known: Known): Pause | undefined {
  const now_ms = ws.machine.now().getTime();
  const attempts = task.attempts.filter(({ outcome }) => !isAhead(outcome, now_ms));
  const found = later(silencePause(attempts), adapterPause(ws, task, known));
  if (found === undefined) return undefined;
  ws.timed?.();
  return found.until_ms <= now_ms || isTouched(ws, task) ? undefined : inWords(found, now_ms);
}

function adapterPause(ws: Workspace, task: TaskRead, known: Known): Pause | undefined {
  if (!task.contract.ok) return undefined;
  const begun = known.in_flight?.calls.values() ?? [];
  const all = [...callsOf(known.board), ...callsIn(task), ...begun];
  const calls = all.filter((call) => !isAhead(call, ws.machine.now().getTime()));
  if (!calls.some(isTrouble)) return undefined;
  const contract = task.contract.value;
  const [gate] = pendingFor(ws, task, contract);
  const role = gate === undefined ? executorOf(ws, contract) : roleOf(ws, gate);
  const kind = gate === undefined ? 'work' : 'review';
  const own = callsOfAdapter(calls, role.adapter_name);
  const resolved = lies(ws, taskFolder(ws.layout, task.state, task.id), 'blocked');
  const errors = ws.begins_anew === true ? undefined : errorsPause(own);
  return later(outagePause(own, modelNow(ws, task, contract, { kind, role, resolved })), errors);
}

/** The gates that it waits for in review. */
export function pendingFor(ws: Workspace, task: TaskRead, contract: Contract): readonly string[] {
  if (task.state !== 'review') return [];
  const contract_hash = contractHash(task);
  const { attempts } = task;
  return pendingGates({ attempts, contract_hash }, gatesFor(ws, contract, attempts));
}

/** In the order in which they ended, each once. */
export function callsOfAdapter(calls: readonly Call[], adapter: string): readonly Call[] {
  const own = calls.filter((call) => call.adapter === adapter);
  const each = new Map(own.map((call) => [`${call.task} ${call.attempt}`, call]));
  return [...each.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Empty where nothing went wrong: then the rest is not looked at. */
export const callsOf = /* @__PURE__ */ onceFor((board: Board): readonly Call[] => {
  const tasks = [...board.tasks.values()];
  const isTroubled = tasks.some((task) => !isKnownCalm(task) && callsIn(task).some(isTrouble));
  return isTroubled ? tasks.flatMap(callsIn) : [];
});

function callsIn({ id, attempts }: TaskRead): readonly Call[] {
  return attempts.flatMap(({ lost, outcome }) =>
    lost || outcome?.adapter === undefined ? [] : [{ ...outcome, task: id }],
  );
}

/** A person changed something of a task after its trouble: it is tried at once. */
function isTouched(ws: Workspace, task: TaskRead): boolean {
  const last = task.attempts.findLast(({ lost, outcome }) => !lost && outcome !== undefined);
  if (last?.outcome === undefined || !isTrouble(last.outcome)) return false;
  const { owner } = last;
  const home = last.kind === 'work' ? 'ready' : 'review';
  if (task.state !== home || owner?.contract !== contractHash(task)) return true;
  if (last.kind === 'work' && owner.inputs !== inputsHash(ws, task)) return true;
  const folder = taskFolder(ws.layout, task.state, task.id);
  const changed_ms = Math.max(
    ...[folder, `${folder}/notes`].map((path) => ws.disk.stat(path)?.ctime_ms ?? 0),
  );
  return changed_ms > Date.parse(last.outcome.at) + ROLL_MS;
}
