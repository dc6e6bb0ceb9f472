/** A move of the transition table; a wait where the table has none. */
import type { Action } from '../../../task/core/model/action.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { transition, type Trigger } from '../../../task/core/model/transitions.ts';
import { wait } from '../words/waits.ts';

export function move(task: TaskRead, trigger: Trigger, reason: string): Action {
  const to = transition(task.state, trigger);
  if (to === undefined) return wait('no_move', { reason });
  return { kind: 'move', from: task.state, to, trigger, reason };
}
