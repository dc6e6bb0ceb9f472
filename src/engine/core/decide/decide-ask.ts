/**
 * Decides whether the agent of a task is asked for its questions before the work: of a draft or a task that is ready,
 * also where it still waits for others. Pure.
 */
import { openAttempt } from '../../../task/core/attempts/open-attempt.ts';
import type { Known, TaskRead } from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { refusal, wait } from '../words/waits.ts';
import { decide } from './decide.ts';
import { askBefore } from './decide-ready.ts';
import { heardSince } from './heard.ts';
import type { Needs } from './make-action.ts';

/** `after`: who was heard in a round after the attempt of this number is not asked again. */
export function decideAsk(task: TaskRead, known: Known, after = Infinity): Action | Needs {
  const { state, contract, attempts } = task;
  if (openAttempt(task) !== undefined) return decide(task, known);
  if (heardSince(attempts, after)) return wait('asked_since', undefined);
  if (state !== 'draft' && state !== 'ready') return wait('not_asked', { state });
  if (!contract.ok) return refusal(contract.problems);
  return askBefore(task, known, contract.value) ?? wait('not_asked', { state });
}
