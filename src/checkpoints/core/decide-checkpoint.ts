/**
 * What happens with a checkpoint that is in questions: its boxes say it. One that cannot be read
 * as a contract is left where it is as long as there are boxes, so that nothing ticked is lost.
 */
import { move } from '../../engine/core/decide/move.ts';
import { refusal, wait } from '../../engine/core/words/waits.ts';
import type { Action } from '../../task/core/model/action.ts';
import { isCheckpoint, whoDecides } from './checkpoint.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import type { TaskRead } from '../../task/core/model/task.ts';

const MOVES = {
  GO: 'checkpoint_go',
  REVIEW: 'checkpoint_review',
  ABORT: 'checkpoint_abort',
} as const;

/** undefined for what is no checkpoint. */
export function decideDecision(task: TaskRead): Action | undefined {
  const { contract, decision: read } = task;
  if (!contract.ok) {
    const boxes = read?.ok === true && read.value.boxes > 0;
    return boxes ? refusal(contract.problems) : undefined;
  }
  if (!isCheckpoint(contract.value)) return undefined;
  if (read === undefined) {
    return { kind: 'write', what: 'decision', reason: 'there is no questions.md to decide in' };
  }
  if (!read.ok) return refusal(read.problems);
  const { decision, ticked, boxes } = read.value;
  if (decision === 'PAUSE') return wait('decision_paused', task);
  if (decision !== undefined) return move(task, MOVES[decision], decision);
  const named = whoDecides(contract.value);
  const who = named === PERSON ? undefined : named;
  return wait('decision', { id: task.id, boxes, ticked, who });
}
