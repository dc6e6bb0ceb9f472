/** What happens next with a checkpoint that is in questions: its boxes say it. */
import { moveByKind } from '../../engine/core/decide/make-action.ts';
import { refusal, wait } from '../../engine/core/words/waits.ts';
import type { Action } from '../../task/core/model/action.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { DECISIONS, whoDecides } from './checkpoint.ts';

const MOVES: ReadonlyMap<string, string> = new Map([
  ['GO', 'checkpoint_go'],
  ['REVIEW', 'checkpoint_review'],
  ['ABORT', 'checkpoint_abort'],
]);

/** undefined elsewhere: what happens there is as with any other task. */
export function decideCheckpoint(task: TaskRead): Action | undefined {
  const { id, state, contract, decision: read } = task;
  if (state !== 'questions' || !contract.ok) return undefined;
  if (read === undefined) {
    return { kind: 'write', what: 'decision', reason: 'there is no questions.md to decide in' };
  }
  if (!read.ok) return refusal(read.problems);
  const { decision = '', ticked, boxes } = read.value;
  if (decision === 'PAUSE') {
    return wait('decision_paused', { id, reason: 'paused by its checkpoint', word: 'GO' });
  }
  const trigger = MOVES.get(decision);
  if (trigger !== undefined) return moveByKind(task, trigger, decision);
  const named = whoDecides(contract.value);
  const who = named === PERSON ? undefined : named;
  return wait('decision', { id, boxes, ticked, who, words: DECISIONS });
}
