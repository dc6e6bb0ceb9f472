/** What happens next with a task of a board, with the words that every listing needs: kept, or found now. */
import { noticedCount, noticedWords } from '../../task/core/attempts/noticed.ts';
import type { Action } from '../../task/core/model/action.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import type { Glance } from '../cache/row.ts';
import type { Board } from '../board/board.ts';
import { workflowOf } from '../../task/core/model/contract-shape.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { askAgain } from './facts.ts';
import { ignoredComments } from './ignored-comments.ts';
import { lookAt } from './next-action.ts';

export type { Glance } from '../cache/row.ts';

type Act = (ws: Workspace, board: Board, task: TaskRead) => Action;

export function glanceAt(ws: Workspace, board: Board, task: TaskRead, act: Act = lookAt): Glance {
  const look = (through: Workspace): Glance => lookNow(through, board, task, act);
  const { rows } = board;
  if (rows === undefined) return look(ws);
  return rows.look(task, (question) => askAgain(ws, board, task.id, question), look);
}

export function lookNow(ws: Workspace, board: Board, task: TaskRead, act: Act = lookAt): Glance {
  const { id, state, since_ms } = task;
  const action = act(ws, board, task);
  // Words that are not read are told each time.
  if (board.rows !== undefined && ignoredComments(ws, task).length > 0) ws.timed?.();
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { plan, phase, priority = 'medium', tags = [] } = contract?.head ?? {};
  const workflow = contract && workflowOf(contract.head);
  return {
    task: {
      id,
      state,
      priority,
      tags: [...tags],
      title: contract?.title ?? '',
      agent: (contract && (task.kind.asked?.(contract) ?? executorOf(ws, contract).name)) ?? '',
      ...(plan === undefined ? {} : { plan }),
      ...(workflow === undefined ? {} : { workflow }),
      ...(phase === undefined ? {} : { phase }),
      attempt: task.attempts.at(-1)?.number ?? 0,
    },
    since_ms,
    stands_ms: standsSince(task),
    action,
    besides: besides(task),
  };
}

/** For those who judge the work or rely on it. */
function besides({ state, attempts }: TaskRead): string {
  const count = state === 'review' || state === 'done' ? noticedCount(attempts) : 0;
  return count === 0 ? '' : `; ${noticedWords(count)}`;
}

function standsSince({ attempts, since_ms }: TaskRead): number {
  const last = attempts.findLast((attempt) => !attempt.lost);
  const at = last?.outcome?.at ?? last?.owner?.claimed;
  const recorded = at === undefined ? Number.NaN : Date.parse(at);
  return Number.isNaN(recorded) ? since_ms : recorded;
}
