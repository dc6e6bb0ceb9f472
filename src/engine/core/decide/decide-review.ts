/**
 * What happens with a task that is in review: verification, the gates that have not spoken, and
 * the wait for a person's box.
 */
import { PERSON } from '../../../task/core/model/contract.ts';
import { unconfirmed } from './decide-ready.ts';
import {
  approvalsFrom,
  awaitedReview,
  lapsedReview,
} from '../../../task/core/attempts/counters.ts';
import type { Facts, Known, TaskRead } from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { refusal, wait } from '../words/waits.ts';
import { heldBy } from './admission.ts';
import { ask, claim, type Needs } from './make-action.ts';

/**
 * Gates that have not approved the latest work yet. An approval counts only when it came after that
 * work and after it was sent to review again, from the gate itself, on contract and files as they are now.
 */
export function pendingGates(
  { attempts, contract_hash }: Pick<TaskRead, 'attempts'> & Pick<Facts, 'contract_hash'>,
  gates: readonly string[],
): readonly string[] {
  const from = approvalsFrom(attempts);
  const approvals = attempts.filter(
    ({ number, lost, outcome, owner }) =>
      number > from &&
      !lost &&
      outcome?.outcome === 'approved' &&
      owner?.contract === contract_hash,
  );
  const approved = new Set(approvals.map(({ outcome }) => outcome?.gate ?? ''));
  return gates.filter((gate) => !approved.has(gate));
}

export function decideReview(task: TaskRead, known: Known): Action | Needs {
  const first = unconfirmed(task, known);
  if (first !== undefined) return first;
  if (!task.contract.ok) return refusal(task.contract.problems);
  return (
    ask(known, ['has_result'], ({ has_result }) =>
      has_result ? undefined : wait('no_result', undefined),
    ) ??
    ask(known, ['gates', 'contract_hash'], ({ gates, contract_hash }) => {
      const [gate = ''] = pendingGates({ attempts: task.attempts, contract_hash }, gates);
      const said = awaitedReview(task.attempts) && task.review?.ok && task.review.value.verdict;
      const ask_gate = gate === '' ? '' : `, then ask ${gate === PERSON ? 'a person' : gate}`;
      const asks = said ? `; your verdict is ${said}` : ask_gate;
      return (
        undecided(task, contract_hash) ??
        ask(
          known,
          ['unprepared'],
          (facts) => facts.unprepared && wait('unprepared', facts.unprepared),
        ) ??
        copied(task, known) ??
        waitForGate(task, known, gate !== '' && gate !== PERSON) ??
        claim(task, { work: 'review', gate, reason: `verify${asks}` })
      );
    })
  );
}

function waitForGate(task: TaskRead, known: Known, calls: boolean): Action | Needs | undefined {
  if (!calls) return heldBy(task, known, ['turn_taken']);
  return (
    ask(known, ['preflight'], ({ preflight }) => {
      const wrong = preflight.filter(({ severity }) => severity === 'error');
      return wrong.length > 0 ? refusal(wrong) : undefined;
    }) ??
    heldBy(task, known, ['over_budget']) ??
    heldBy(task, known, ['turn_taken']) ??
    heldBy(task, known, ['pause'])
  );
}

/** With the attempts of another task, which is there too. */
export function copied(task: TaskRead, known: Known): Action | Needs | undefined {
  if (task.attempts.every(({ owner = { task: task.id } }) => owner.task === task.id))
    return undefined;
  return ask(known, ['preflight'], ({ preflight }) => {
    const found = preflight.filter(({ code }) => code === 'other_task');
    return found.length > 0 ? refusal(found) : undefined;
  });
}

/** While a person is the gate: their boxes, or the wait for them. */
function undecided(task: TaskRead, contract_hash: string): Action | undefined {
  const last = awaitedReview(task.attempts);
  const read = task.review;
  if (last === undefined || read === undefined) return undefined;
  if (last.owner?.contract !== contract_hash) return undefined;
  if (!read.ok) return refusal(read.problems);
  if (read.value.verdict !== undefined) return undefined;
  const why = last.outcome?.no_verdict === true ? last : lapsedReview(task.attempts);
  const without = why?.outcome?.reason;
  return wait('verdict', { id: task.id, review: read.value, without });
}
