/** Which of the listed tasks need care, the worst first. Reads each of them once more. */
import { executorOf } from '../../agents/engine/roles.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import { isTerminal } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { lies, readTask } from '../../workspace/tasks/read-task.ts';
import { silenceLimitMs } from '../core/decide/heartbeat.ts';
import { byTrouble, troubleOf, type TaskKnown } from '../core/decide/trouble.ts';
import { overBudgetOf } from '../step/over-budget.ts';
import type { ListedTask } from './listing.ts';

export function problemTasks(ws: Workspace, tasks: readonly ListedTask[]): readonly ListedTask[] {
  const found = tasks.flatMap((row) => {
    const known = isTerminal(row.state) ? undefined : knownOf(ws, row);
    const trouble = known && troubleOf(row, known);
    return trouble === undefined ? [] : [{ ...row, ...trouble }];
  });
  return found.toSorted(byTrouble);
}

/** undefined where somebody moved it since. */
function knownOf(ws: Workspace, { id, state }: ListedTask): TaskKnown | undefined {
  const task = readTask(ws, state, id);
  if (task === undefined) return undefined;
  const contract = task.contract.ok ? task.contract.value : undefined;
  const agent = contract && executorOf(ws, contract).definition;
  return {
    attempts: task.attempts,
    is_open: openAttempt(task) !== undefined,
    resolved: state !== 'blocked' && lies(ws, taskFolder(ws.layout, state, id), 'blocked'),
    limits: limitsFor(contract, agent, ws.config),
    silence_ms: contract === undefined ? 0 : silenceLimitMs(contract),
    over_budget: state === 'draft' ? undefined : contract && overBudgetOf(ws, task, contract),
  };
}
