/** Plans that wait for the gate of the task that makes them: nothing of them begins before, and no advice names them. */
import { listTasks } from '../../../engine/queries/list.ts';
import { problem, type Problem } from '../../../task/core/model/problem.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { makerOfPlan, planFileOf } from './find-plans.ts';

const MESSAGE = 'this plan is not approved yet, so nothing of it begins';

export function guardOfPlan(ws: Workspace, name: string): Problem | undefined {
  const file = planFileOf(ws, name);
  const by = makerOfPlan(ws, name);
  if (by === undefined) return undefined;
  const { id, state, attempts } = by;
  const refused = { reason: attempts.at(-1)?.outcome?.reason, fix: `contracts reopen ${id}` };
  const { reason, fix } = listTasks(ws).tasks.find((one) => one.id === id) ?? refused;
  const found = `${id} (${state}): ${reason}`;
  return problem({ code: 'undecided', severity: 'warning', file, message: MESSAGE, found, fix });
}

export function isGuarded({ message }: Problem): boolean {
  return message === MESSAGE;
}
