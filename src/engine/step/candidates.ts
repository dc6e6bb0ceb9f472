/**
 * What a step could do: each task that is looked at, with its action and what planStep must know to
 * order them. Decides nothing.
 */
import type { Action } from '../../task/core/model/action.ts';
import { Writers, writesOf } from '../../task/core/base/glob-overlap.ts';
import type { Candidate } from '../core/decide/schedule.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Board } from '../board/board.ts';
import { lookAt } from './next-action.ts';
import { turnKeyOf } from '../../workspace/tasks/capability.ts';
import type { StepOptions } from './step-report.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';

/** Undefined after a fault, which is told then. A bug of ours goes up. */
type OrFault = <T>(id: string, look: () => T) => T | undefined;

export function candidatesOf(
  ws: Workspace,
  board: Board,
  options: StepOptions,
  orFault: OrFault,
): readonly Candidate[] {
  const chosen = [...board.tasks.values()].filter(
    ({ id }) =>
      options.only?.has(id) !== false &&
      options.except?.has(id) !== true &&
      options.crew?.busy.has(id) !== true,
  );
  return chosen.flatMap((task) => {
    const action = orFault(task.id, () => lookAt(ws, board, task));
    return action === undefined ? [] : [candidateOf(ws, task, action)];
  });
}

function candidateOf(ws: Workspace, task: TaskRead, action: Action): Candidate {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const head = contract?.head;
  const alone =
    contract !== undefined && ws.config.conflicts === 'serialize' && isShared(ws, contract);
  return {
    id: task.id,
    priority: head?.priority ?? 'medium',
    since_ms: task.since_ms,
    writes: alone ? writesOf(contract.head) : [],
    action,
    turn: action.kind === 'claim' && contract ? turnKeyOf(ws, contract) : undefined,
  };
}

export function takenBy(plan: readonly Candidate[]): Writers {
  const taken = new Writers();
  for (const { id, action, writes } of plan) {
    if (action.kind === 'claim' && action.work === 'work') taken.add(id, writes, true);
  }
  return taken;
}
