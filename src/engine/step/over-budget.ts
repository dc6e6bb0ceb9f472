/**
 * Whether the next call of a task would go beyond what it may use. Asked only where a budget is set and
 * the one who would be called is a client of a model: nobody else tells what he used.
 */
import { budgetFor, overBudget, useOf } from '../../task/core/attempts/budget.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { pendingFor } from '../board/pauses.ts';
import type { Facts, TaskRead } from '../../task/core/model/task.ts';
import { executorOf, roleOf } from '../../agents/engine/roles.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function overBudgetOf(
  ws: Workspace,
  task: TaskRead,
  contract: Contract,
): Facts['over_budget'] {
  const executor = executorOf(ws, contract);
  const budget = budgetFor(contract, executor.settings, ws.config);
  if (budget.cost_max === undefined && budget.tokens_max === undefined) return undefined;
  const [gate] = pendingFor(ws, task, contract);
  const called = gate === undefined ? executor : roleOf(ws, gate);
  if (called.adapter?.client === undefined) return undefined;
  const over = overBudget(budget, useOf(task.attempts));
  if (over === undefined) return undefined;
  const none = budget[over.key] === 0;
  return {
    reason: none
      ? `${over.key} is 0: ${called.name} is never called`
      : `has used ${over.words} (${over.key}): nobody is called any more`,
    fix: `raise ${over.key} in contract.md, or contracts abort ${task.id}`,
  };
}
