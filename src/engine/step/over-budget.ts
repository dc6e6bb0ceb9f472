/**
 * Whether the next call of a task would go beyond what the task or the run may use. Asked only where a budget is
 * set and a client of a model would be called: no other agent reports what it used, and is held by a limit of 0 alone.
 */
import { budgetFor, NO_USE, overBudget, useOf, type Use } from '../../task/core/attempts/budget.ts';
import { callsAgent } from '../../process/adapter.ts';
import { deadBase, leftBehind } from '../../task/core/attempts/open-attempt.ts';
import type { Claimant, Taken } from '../core/decide/admission.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import { pendingFor } from '../board/pauses.ts';
import type { Facts, TaskRead } from '../../task/core/model/task.ts';
import { isTerminal, STATES } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { listState } from '../../task/store/tasks/tasks.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
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
  const isNever = budget.cost_max === 0 || budget.tokens_max === 0;
  if (!(isNever ? callsAgent(called.adapter) : called.adapter?.client)) return undefined;
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
  one: Claimant,
  used: Use,
): Taken['run_budget'] {
  const { run_cost_max, run_tokens_max } = ws.config;
  const over = overBudget({ cost_max: run_cost_max, tokens_max: run_tokens_max }, used);
  return over && costs(ws, task, one) ? { used: over.words, key: over.key } : undefined;
}

/** The use of all calls that ended on this calendar day, by the outcomes on the disk. Archived tasks do not count. */
export function dayBudgetOf(ws: Workspace, task: TaskRead, one: Claimant): Taken['day_budget'] {
  const cost_max = ws.config.day_cost_max;
  if (cost_max === undefined || !costs(ws, task, one)) return undefined;
  // It ends by itself at midnight.
  ws.timed?.();
  const day = new Date(ws.machine.now());
  day.setHours(0, 0, 0, 0);
  const over = overBudget({ cost_max }, usedSince(ws, day.getTime()));
  return over && { used: over.words };
}

/** Leaves out folders that did not change since then: the move after each outcome changes them. */
function usedSince(ws: Workspace, since_ms: number): Use {
  const { disk, layout } = ws;
  let used = NO_USE;
  for (const state of STATES) {
    for (const id of listState(disk, layout, state).ids) {
      const folder = taskFolder(layout, state, id);
      if (isTerminal(state) && (disk.stat(folder)?.ctime_ms ?? 0) < since_ms) continue;
      const ended = readAttempts(ws, folder, id).attempts.filter(
        ({ outcome }) => outcome !== undefined && Date.parse(outcome.at) >= since_ms,
      );
      const { cost_usd, tokens } = useOf(ended);
      used = { cost_usd: used.cost_usd + cost_usd, tokens: used.tokens + tokens };
    }
  }
  return used;
}

/** A client would be called that reports what it used. */
function costs(ws: Workspace, task: TaskRead, { action, calls }: Claimant): boolean {
  if (!calls || !task.contract.ok) return false;
  // What the agent of a dead runner left is taken over: no agent is called.
  if (action.recovers && leftBehind(task, deadBase(task)) !== undefined) return false;
  const review = action.work === 'review';
  const role = review ? roleOf(ws, action.gate) : executorOf(ws, task.contract.value);
  return role.adapter?.client !== undefined;
}
