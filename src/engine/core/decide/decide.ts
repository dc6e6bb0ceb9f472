/**
 * What happens next with one task: one pure total function from (task as read, facts, policy) to
 * one action. No clock, no disk, no randomness; the same input gives the same action.
 * Moves are looked up in the transition table, never written here.
 */
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import { openAttempt } from '../../../task/core/attempts/open-attempt.ts';
import { unreachable } from '../../../task/core/model/problem.ts';
import { isLost, type Facts, type TaskRead } from '../../../task/core/model/task.ts';
import { isCheckpoint } from '../../../checkpoints/core/checkpoint.ts';
import { move, refusal, type Action, wait } from '../../../task/core/model/action.ts';
import { decideDecision } from '../../../checkpoints/core/decide-checkpoint.ts';
import { decideHeld } from './decide-held.ts';
import { decideReady, waitForDependency } from './decide-ready.ts';
import { decideReview } from './decide-review.ts';

/** Decides for a task in any state; terminal states wait for nobody. */
export function decide(task: TaskRead, facts: Facts): Action {
  const open = openAttempt(task);
  if (open !== undefined) return decideHeld(task, facts, open);
  switch (task.state) {
    case 'draft':
      return decideDraft(task);
    case 'ready':
    case 'in_progress':
      return decideReady(task, facts);
    case 'questions':
      return decideQuestions(task);
    case 'review':
      return decideReview(task, facts);
    case 'blocked':
      return decideBlocked(task, facts);
    case 'done':
    case 'aborted':
      return wait('nobody', `is ${task.state}`, `contracts reopen ${task.id}`);
    default:
      return unreachable(task.state);
  }
}

function decideDraft(task: TaskRead): Action {
  if (!task.contract.ok) return refusal(task.contract.problems);
  return wait('person', 'not confirmed yet', `contracts confirm ${task.id}`);
}

function decideQuestions(task: TaskRead): Action {
  const decided = decideDecision(task) ?? decideConfirmation(task);
  if (decided !== undefined) return decided;
  const asked = lastEnded(task.attempts, 'work');
  if (asked?.unasked === true) return move(task, 'answered', asked.outcome?.reason ?? '');
  const ask = { kind: 'write', what: 'confirm', reason: 'the contract changed' } as const;
  const unconfirmed = task.confirming?.differs === true;
  if (!task.has.questions) {
    if (unconfirmed) return ask;
    if (asked?.outcome?.outcome === 'questions') {
      return { kind: 'write', what: 'answer_slots', reason: 'there is no questions.md' };
    }
    return wait('person', 'there is no questions.md', 'write questions.md, or move the folder on');
  }
  const read = task.questions;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  const open = read.value.questions.filter((question) => question.answer === '');
  if (open.length === 0 && unconfirmed) return ask;
  if (open.length === 0) return move(task, 'answered', 'every question is answered');
  if (open.some((question) => !question.has_slot && question.missing !== true)) {
    return { kind: 'write', what: 'answer_slots', reason: 'questions without an answer slot' };
  }
  const missing = open.find((question) => question.missing === true);
  if (missing !== undefined) {
    return wait(
      'person',
      `question ${missing.number} is not in questions.md any more: ${missing.text}`,
      'put it back there and answer it, or move the folder to ready/',
    );
  }
  const total = read.value.questions.length;
  return wait(
    'person',
    `asks ${open.length === 1 ? 'a question' : `${open.length} questions`}${open.length < total ? ` (${total - open.length} of ${total} answered)` : ''}: ${open[0]?.text ?? ''}`,
    `contracts answer ${task.id}`,
  );
}

/** undefined where questions.md asks something else. */
function decideConfirmation({ confirming, ...task }: TaskRead): Action | undefined {
  if (confirming?.asked === undefined) return undefined;
  const { answer } = confirming.asked;
  if (!confirming.differs) return move(task, 'answered', 'the contract is confirmed');
  if (answer === 'take' || answer === 'restore') {
    return { kind: 'write', what: answer, reason: `the answer is ${answer}` };
  }
  const which = answer === undefined ? 'the answer is neither take nor restore; ' : '';
  return wait(
    'person',
    `${which}the contract changed while an agent ran that could write it, see questions.md`,
    `contracts answer ${task.id} take, or contracts answer ${task.id} restore`,
  );
}

function decideBlocked(task: TaskRead, facts: Facts): Action {
  if (!task.has.blocked) {
    return { kind: 'write', what: 'blocked', reason: 'put into blocked/ by hand' };
  }
  const read = task.blocked;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  if (read.value.resolution !== '') return move(task, 'resolved', 'a resolution is written');
  const aborted = facts.dependencies.find(isLost);
  const last = task.attempts.findLast((attempt) => !attempt.lost)?.outcome;
  const decided = decidesOnIt(task) && last?.outcome === 'questions';
  const stopped =
    last?.outcome === 'approved'
      ? `it had been done, and came here after that${read.value.why ? `: ${read.value.why}` : '; blocked.md says why'}`
      : decided
        ? `${last.reason}; blocked.md says why it is not done`
        : (last?.reason ?? 'blocked.md says why');
  // Sent on as it is, it would come back here.
  if (aborted !== undefined) {
    return waitForDependency(aborted, `; then contracts retry ${task.id}`);
  }
  const verb = decidesOnIt(task) ? `answer ${task.id} GO` : `resolve ${task.id}`;
  return wait('person', stopped, `contracts ${verb}, or contracts retry ${task.id}`);
}

/** A checkpoint, which is asked about what was given up as well. */
function decidesOnIt({ contract }: TaskRead): boolean {
  return contract.ok && isCheckpoint(contract.value);
}
