/**
 * Decides whether the agent of a task is asked for its questions before the work: of a draft or a task that is ready,
 * also where it still waits for others. Pure.
 */
import { openAttempt } from '../../../task/core/attempts/open-attempt.ts';
import type { Known, TaskRead } from '../../../task/core/model/task.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { refusal, wait } from '../words/waits.ts';
import { heldBy } from './admission.ts';
import { decide } from './decide.ts';
import { sameInputs } from './decide-ready.ts';
import { ask, claim, type Needs } from './make-action.ts';

export function decideAsk(task: TaskRead, known: Known): Action | Needs {
  if (openAttempt(task) !== undefined) return decide(task, known);
  if (task.state !== 'draft' && task.state !== 'ready')
    return wait('not_asked', { state: task.state });
  if (!task.contract.ok) return refusal(task.contract.problems);
  const { title } = task.contract.value;
  return ask(known, ['preflight', 'executor_mode'], ({ preflight, executor_mode }) => {
    if (preflight.some(({ severity }) => severity === 'error')) return refusal(preflight);
    if (executor_mode !== 'process' || !task.kind.works)
      return wait('not_asked', { state: task.state });
    return (
      // What was asked before is not put away unanswered.
      sameInputs(task, known) ??
      heldBy(task, known, ['over_budget', 'hold']) ??
      heldBy(task, known, ['pause']) ??
      claim(task, { work: 'ask', reason: title })
    );
  });
}
