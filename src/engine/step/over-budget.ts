/**
 * Whether the next call of a task would go beyond what the task or the run may use. Asked only where a budget is
 * set and a client of a model would be called: no other agent reports what it used.
 */
import { budgetFor, overBudget, useOf, type Use } from '../../task/core/attempts/budget.ts';
import { deadBase, leftBehind } from '../../task/core/attempts/open-attempt.ts';
import type { Claimant, Taken } from '../core/decide/admission.ts';
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
      : `has used ${over.words} (${over.key}): no further call is made`,
    fix: `raise ${over.key} in contract.md, or contracts abort ${task.id}`,
  };
}

/** `used`: by the calls of this run. */
export function runBudgetOf(
  ws: Workspace,
  task: TaskRead,
  { action, calls }: Claimant,
  used: Use,
): Taken['run_budget'] {
  const { run_cost_max, run_tokens_max } = ws.config;
  const over = overBudget({ cost_max: run_cost_max, tokens_max: run_tokens_max }, used);
  if (over === undefined || !calls || !task.contract.ok) return undefined;
  // What the agent of a dead runner left is taken over: no agent is called.
  if (action.recovers && leftBehind(task, deadBase(task)) !== undefined) return undefined;
  const review = action.work === 'review';
  const role = review ? roleOf(ws, action.gate) : executorOf(ws, task.contract.value);
  return role.adapter?.client && { used: over.words, key: over.key };
}
