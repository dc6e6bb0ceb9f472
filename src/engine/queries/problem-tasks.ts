/** Which of the listed tasks need care, the worst first. Reads each live one again. */
import { executorOf } from '../../agents/engine/roles.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { isTerminal } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { lies, readTask } from '../../workspace/tasks/read-task.ts';
import { byTrouble, troubleOf } from '../core/decide/trouble.ts';
import { overBudgetOf } from '../step/over-budget.ts';
import type { ListedTask } from './listing.ts';

export function problemTasks(ws: Workspace, rows: readonly ListedTask[]): readonly ListedTask[] {
  const found = rows.flatMap((row) => {
    const { id, state } = row;
    const task = isTerminal(state) ? undefined : readTask(ws, state, id);
    if (task === undefined) return [];
    const contract = task.contract.ok ? task.contract.value : undefined;
    const trouble = troubleOf(row, task, {
      limits: limitsFor(contract, contract && executorOf(ws, contract).definition, ws.config),
      resolved: state !== 'blocked' && lies(ws, taskFolder(ws.layout, state, id), 'blocked'),
      over_budget: state === 'draft' ? undefined : contract && overBudgetOf(ws, task, contract),
    });
    return trouble === undefined ? [] : [{ ...row, ...trouble }];
  });
  return found.toSorted(byTrouble);
}
