/** Waits that more than one state asks for, from the facts that make them; and the move of the table. */
import type { Pause } from '../../../task/core/attempts/pause.ts';
import type { Action, Wait } from '../../../task/core/model/action.ts';
import type { Facts, TaskRead } from '../../../task/core/model/task.ts';
import { transition, type Trigger } from '../../../task/core/model/transitions.ts';
import { wait } from '../words/waits.ts';

/** No agent that costs is called beyond the budget: a person raises it, or ends the task. */
export function overBudgetWait({ over_budget }: Pick<Facts, 'over_budget'>): Wait | undefined {
  return over_budget && wait('budget', over_budget);
}

/** It goes on by itself; what a person does to the task ends the wait. */
export function pauseWait({ until_ms, reason }: Pause, id: string): Wait {
  return { ...wait('pause', { id, reason }), until: new Date(until_ms).toISOString() };
}

/** May look at the disk, so it is asked last: only of a task that could be called. */
export function waitWhileHeld({ hold }: Pick<Facts, 'hold'>): Wait | undefined {
  return hold && wait('held', hold);
}

export function waitForTurn({ turn_taken }: Pick<Facts, 'turn_taken'>): Wait | undefined {
  return turn_taken && wait('turn', { turn: turn_taken.key, other: turn_taken.by });
}

export function move(task: TaskRead, trigger: Trigger, reason: string): Action {
  const to = transition(task.state, trigger);
  if (to === undefined) return wait('no_move', { reason });
  return { kind: 'move', from: task.state, to, trigger, reason };
}
