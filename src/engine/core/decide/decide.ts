/**
 * What happens next with one task: one pure total function from (task as read, facts known so far) to
 * one action, or to the facts that it needs next. No clock, no disk, no randomness; the same input gives
 * the same answer. Moves are looked up in the transition table, never written here.
 */
import { count, lastAsker, sentBackTooOften } from '../../../task/core/attempts/counters.ts';
import { homeOf, openAttempt } from '../../../task/core/attempts/open-attempt.ts';
import type { BlockedDocument } from '../../../task/core/model/documents.ts';
import { unreachable } from '../../../task/core/model/problem.ts';
import {
  firstWord,
  isLost,
  type Confirming,
  type Known,
  type TaskRead,
} from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { answeredWords } from '../words/answers.ts';
import { refusal, wait } from '../words/waits.ts';
import { ask, move, write, type Needs } from './make-action.ts';
import { decideHeld } from './decide-held.ts';
import { decideReady, waitForDependency } from './decide-ready.ts';
import { copied, decideReview } from './decide-review.ts';

/** Decides for a task in any state; terminal states wait for nobody. */
export function decide(task: TaskRead, known: Known): Action | Needs {
  const open = openAttempt(task);
  if (open !== undefined) return copied(task, known) ?? decideHeld(task, known, open);
  return task.kind.decide?.(task) ?? decideByState(task, known);
}

function decideByState(task: TaskRead, known: Known): Action | Needs {
  switch (task.state) {
    case 'draft':
      if (!task.contract.ok) return refusal(task.contract.problems);
      return copied(task, known) ?? wait('unconfirmed', task);
    case 'ready':
    case 'in_progress':
      return decideReady(task, known);
    case 'questions':
      return decideQuestions(task, known);
    case 'review':
      return decideReview(task, known);
    case 'blocked':
      return decideBlocked(task, known);
    case 'done':
    case 'aborted':
      return wait('ended', { ...task, rest: unverified(task) ?? '' });
    default:
      return unreachable(task.state);
  }
}

const BY_HAND = ' by hand, no receipts';
/** By hand stands too, and is shown as what it is (docs/concepts.md#your-move-wins). */
export const isDoneByHand = (task: TaskRead): boolean => unverified(task) === BY_HAND;

/** How it came to done without an approval and a decision, in words behind "done". */
export function unverified({ state, kind, attempts, questions }: TaskRead): string | undefined {
  const isApproved = attempts.at(-1)?.outcome?.outcome === 'approved';
  if (state !== 'done' || isApproved || firstWord(kind) !== undefined) return undefined;
  const asked = questions?.ok === true ? questions.value.questions : undefined;
  return asked?.every(({ answer }) => answer !== '') ? ', answered by a person' : BY_HAND;
}

function decideQuestions(task: TaskRead, known: Known): Action | Needs {
  return (
    decideUnread(task) ??
    ask(known, ['confirming'], ({ confirming }) => {
      return (
        decideConfirmation(task, confirming) ?? decideAnswers(task, confirming?.differs === true)
      );
    })
  );
}

/** Keeps a task of unknown kind while it has boxes, so that nothing ticked is lost. */
function decideUnread({ contract, decision }: TaskRead): Action | undefined {
  const boxes = !contract.ok && decision?.ok === true && decision.value.boxes > 0;
  return boxes ? refusal(contract.problems) : undefined;
}

function decideAnswers(task: TaskRead, unconfirmed: boolean): Action {
  const asked = lastAsker(task.attempts);
  const isOver = asked && homeOf(asked) === 'draft' ? 'answered_draft' : 'answered';
  if (asked?.unasked === true) return move(task, isOver, asked.outcome?.reason ?? '');
  const confirm = write('confirm', 'the contract changed');
  const read = task.questions;
  if (read === undefined) {
    if (unconfirmed) return confirm;
    if (asked?.outcome?.outcome === 'questions') {
      return write('answer_slots', 'there is no questions.md');
    }
    return wait('no_questions', undefined);
  }
  if (!read.ok) return refusal(read.problems);
  const open = read.value.questions.filter((question) => question.answer === '');
  if (open.length === 0 && unconfirmed) return confirm;
  if (open.length === 0) return move(task, isOver, answeredWords(read.value.questions));
  if (open.some((question) => !question.has_slot && question.missing !== true)) {
    return write('answer_slots', 'questions without an answer slot');
  }
  const missing = open.find((question) => question.missing === true);
  if (missing !== undefined) return wait('question_gone', missing);
  return wait('questions', { id: task.id, open, total: read.value.questions.length });
}

/** undefined where questions.md asks something else. */
function decideConfirmation(task: TaskRead, confirming: Confirming | undefined) {
  if (confirming?.asked === undefined) return undefined;
  const { answer } = confirming.asked;
  if (!confirming.differs) return move(task, 'answered', 'the contract is confirmed');
  if (answer === 'take' || answer === 'restore') {
    return write(answer, `the answer is ${answer}`);
  }
  return wait('contract_changed', { id: task.id, unclear: answer === undefined });
}

function decideBlocked(task: TaskRead, known: Known): Action | Needs {
  return ask(known, ['blocked'], ({ blocked: read }): Action | Needs => {
    if (read === undefined) return write('blocked', 'put into blocked/ by hand');
    if (!read.ok) return refusal(read.problems);
    if (read.value.resolution !== '') return move(task, 'resolved', 'a resolution is written');
    return ask(known, ['dependencies'], ({ dependencies }) => {
      const aborted = dependencies.find(isLost);
      // Sent on as it is, it would come back here.
      return aborted === undefined
        ? waitForResolution(task, read.value)
        : waitForDependency(aborted, `; then contracts retry ${task.id}`);
    });
  });
}

function waitForResolution(task: TaskRead, { why }: BlockedDocument): Action {
  const last = task.attempts.findLast((attempt) => !attempt.lost)?.outcome;
  const word = firstWord(task.kind);
  const decided = word !== undefined && last?.outcome === 'questions';
  const before = count(task.attempts, false).send_backs - 1;
  const stopped =
    last?.outcome === 'needs_work'
      ? sentBackTooOften(before, last.reason)
      : last?.outcome === 'approved'
        ? `it had been done, and came here after that${why ? `: ${why}` : '; blocked.md says why'}`
        : decided
          ? `${last.reason}; blocked.md says why it is not done`
          : (last?.reason ?? 'blocked.md says why');
  const criterion = last?.code === 'criterion_open';
  return wait('blocked', { id: task.id, why: stopped, word, criterion });
}
