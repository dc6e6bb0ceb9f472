/**
 * A work attempt after its claim: take over what a dead one left (adopt.ts), or call the executor; then
 * judge, commit, roll forward. The attempt of a person stays open until they hand in.
 */
import { ended } from '../core/words/outcomes.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { sessionToResume } from '../../task/core/attempts/counters.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { keepTree } from '../../permissions/engine/audit/shared-tree.ts';
import type { State } from '../../task/core/model/state.ts';
import { deskFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { CONFIRMED_FILE } from '../../task/text/documents/confirmation.ts';
import { contractHash, readContract } from '../../workspace/tasks/read-contract.ts';
import { adopt } from './adopt.ts';
import { clientEnd, writeAsked } from '../call/client-outcome.ts';
import { guardedCall, keepConfirmedOfDead } from '../call/guarded-call.ts';
import { prepareCall } from './prepare-workdir.ts';
import { archiveForWork } from '../attempt/current-files.ts';
import { offerForm, putEarlierAway } from '../attempt/previous-files.ts';
import { executorOf, type Role } from '../../agents/engine/roles.ts';
import { finished, interrupted, judge } from './evidence.ts';
import { enter } from '../attempt/enter.ts';
import {
  findPlace,
  inherited,
  isMovedAway,
  emitClaimed,
  mayMove,
  type Running,
} from '../../workspace/tasks/attempt-context.ts';
import { isWorktreeGone } from '../../worktrees/engine/settle-attempt.ts';
import { givenBy } from '../../workspace/tasks/capability.ts';
import { conclude, concludeCall } from './conclude.ts';

/** Returns the state that the task is in afterwards, undefined when the race was lost. */
export async function runWork(running: Running): Promise<State | undefined> {
  const { ws, contract } = running;
  const role = contract === undefined ? undefined : executorOf(ws, contract);
  try {
    return await throughWork(running, role);
  } catch (error) {
    const removed = error instanceof Fault && findPlace(running) === undefined;
    if (!removed && !isMovedAway(running, error)) throw error;
    return conclude(running, role, interrupted(running), {});
  }
}

async function throughWork(running: Running, role: Role | undefined): Promise<State | undefined> {
  const { ws, id, task, contract } = running;
  const left = inherited(running);
  // A person has no desk: what is at the top when the task comes to in_progress is what they hand in.
  const by_person = running.owner.owner === 'person';
  if (by_person) putEarlierAway(running, taskFolder(ws.layout, task.state, id), 'now');
  if (!enter(running)) return conclude(running, role, interrupted(running), {});
  const folder = taskFolder(ws.layout, 'in_progress', id);
  // What a dead runner had committed may be published already: then it is the current one.
  if (!by_person && left?.outcome === undefined) archiveForWork(running, folder);
  if (running.recovers) keepConfirmedOfDead(running);
  emitClaimed(running, contract?.title ?? id);
  if (left !== undefined && (left.outcome !== undefined || !isWorktreeGone(running, left.number)))
    return adopt(running, role, left);
  if (contract === undefined) {
    return conclude(running, role, ended('contract_unreadable'), {});
  }
  if (mayHaveRun(running) && (contract.head.rerun ?? ws.config.rerun) === 'ask') {
    return conclude(running, role, ended('may_have_run'), {});
  }
  if (by_person) {
    offerForm(running, contract, folder);
    keepTree(running);
    return 'in_progress';
  }
  return work(running, contract, executorOf(ws, contract));
}

/** A dead attempt recorded a start and no exit: the gate may have been open. */
function mayHaveRun({ recovers, task, owner }: Running): boolean {
  return recovers && task.attempts.some((one) => one.number > owner.base && one.agent);
}

async function work(running: Running, contract: Contract, role: Role): Promise<State | undefined> {
  const { ws, id, task } = running;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  const prepared = await prepareCall(running, contract, role);
  if ('ended' in prepared) return prepared.ended;
  if (running.signal.aborted) return conclude(running, role, ended('stopped'), {});
  const hash = contractHash(readContract(ws, folder, id));
  const unconfirmed = ws.disk.stat(`${folder}/${CONFIRMED_FILE}`) !== undefined;
  if (unconfirmed || hash !== running.owner.contract) {
    const changed = ended('contract_changed', { when: 'just before the agent was called' });
    return conclude(running, role, changed, {});
  }
  const limits = limitsFor(contract, role.definition, ws.config);
  const session =
    role.adapter?.resumable === true
      ? sessionToResume(task.attempts, task.has_blocked, role.adapter_name)
      : undefined;
  const guarded = await guardedCall(running, contract, {
    role,
    folder,
    guard: prepared.guard,
    ...limits,
    session,
    given: givenBy(ws, id, contract),
  });
  if (guarded instanceof Fault) return notCalled(running, role, guarded);
  const { called, compared, settled } = guarded;
  const { violations } = compared;
  const desk = deskFolder(ws.layout, id, running.number);
  const { ending, checked: after } = await finished(running, role, desk, called.ending, guarded);
  const checked = { noticed: [...prepared.noticed, ...(after?.noticed ?? [])] };
  const by_call = { role, model: called.model, resumed: session !== undefined };
  const nothing = clientEnd(running, role.adapter, called.report, ending, by_call);
  if (nothing !== undefined) writeAsked(running, desk, called.report, compared.changed.length > 0);
  const by = { number: running.number, lost: false, outcome: { adapter: role.adapter_name } };
  const judged = judge(running, desk, ending, limits, { violations, nothing, by });
  const details = { called, compared, settled, checked, desk };
  return concludeCall(running, role, judged, details, { nothing, adapter: role.adapter });
}

function notCalled(running: Running, role: Role, fault: Fault): State | undefined {
  // Its folder was moved, or another runner took it over: that is no fault.
  const place = findPlace(running);
  const lost = place?.state !== 'in_progress' || !mayMove(running, place.folder);
  if (lost) return conclude(running, role, interrupted(running), {});
  conclude(running, role, ended('fault', fault), {});
  throw fault;
}
