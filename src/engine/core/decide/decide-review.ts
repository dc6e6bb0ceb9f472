/**
 * What happens with a task that stands in review: verification, the gates that have not spoken, and
 * the wait for a person's box.
 */
import { PERSON } from '../../../task/core/model/contract.ts';
import { unconfirmed } from './decide-ready.ts';
import { awaitedReview, lastEnded } from '../../../task/core/attempts/counters.ts';
import {
  tickedWords,
  VERDICT_FORM,
  type ReviewDocument,
} from '../../../task/core/model/documents.ts';
import { gatesOf } from '../../../task/core/model/policy.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { Facts, TaskRead } from '../../../task/core/model/task.ts';
import {
  claim,
  overBudgetWait,
  pauseWait,
  refusal,
  type Action,
  wait,
  waitForTurn,
} from '../../../task/core/model/action.ts';

/**
 * Gates that have not approved the latest work yet. An approval counts only when it came after that
 * work and after it was sent to review anew, from the gate itself, on the contract as it is now.
 */
export function pendingGates(task: TaskRead, gates: readonly string[]): readonly string[] {
  const anew = task.attempts.findLast((attempt) => attempt.anew)?.number ?? 0;
  const work = Math.max(lastEnded(task.attempts, 'work')?.number ?? 0, anew);
  const said = new Set(
    task.attempts
      .filter(
        (attempt) =>
          attempt.number > work &&
          !attempt.lost &&
          attempt.outcome?.outcome === 'approved' &&
          attempt.owner?.contract === task.contract_hash,
      )
      .map((attempt) => attempt.outcome?.gate ?? ''),
  );
  return gates.filter((gate) => !said.has(gate));
}

export function decideReview(task: TaskRead, facts: Facts): Action {
  const changed = unconfirmed(task);
  if (changed !== undefined) return changed;
  if (!task.contract.ok) return refusal(task.contract.problems);
  if (!task.has.result) {
    return wait('person', 'there is no result.md', 'write result.md, or move the folder on');
  }
  const gate = pendingGates(task, gatesOf(task.contract.value, facts.reviewer))[0] ?? '';
  const last = awaitedReview(task.attempts);
  if (last !== undefined && task.has.review) {
    const waited = last.owner?.contract === task.contract_hash ? undecided(task, last) : undefined;
    if (waited !== undefined) return waited;
  }
  const { unprepared } = facts;
  if (unprepared !== undefined) return wait('person', unprepared.message, unprepared.fix);
  const calls = gate !== '' && gate !== PERSON;
  const wrong = calls ? facts.preflight.filter(({ severity }) => severity === 'error') : [];
  if (wrong.length > 0) return refusal(wrong);
  const held =
    (calls ? overBudgetWait(facts) : undefined) ??
    waitForTurn(facts) ??
    (calls && facts.pause ? pauseWait(facts.pause, task.id) : undefined);
  if (held !== undefined) return held;
  const asks = gate === '' ? '' : `, then ask ${gate === PERSON ? 'a person' : gate}`;
  return claim(task, { work: 'review', gate, reason: `verify${asks}` });
}

/** While a person is the gate: their boxes, or the wait for them. */
function undecided(task: TaskRead, last: Attempt): Action | undefined {
  const read = task.review;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  if (read.value.verdict !== undefined) return undefined;
  const why = last.outcome?.no_verdict === true ? `${last.outcome.reason}; ` : '';
  return wait(
    'person',
    `${why}${whatIsMissing(task.id, read.value)}`,
    `contracts approve ${task.id}, or needs-work, or reject`,
  );
}

function whatIsMissing(id: string, { ticked, boxes, unread }: ReviewDocument): string {
  if (unread !== undefined && ticked.length < 2) {
    const place = `active_tasks/review/${id}/review.md:${unread.line}`;
    return `${place} has ${JSON.stringify(unread.found)}; expected ${VERDICT_FORM}`;
  }
  if (boxes === 0) return 'review.md has no box that can be read';
  return `waits for a verdict in review.md${ticked.length > 1 ? ` (${tickedWords(ticked)})` : ''}`;
}
