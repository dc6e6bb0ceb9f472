/**
 * The deliverables of a task in `done`, compared with the receipt of its approval. For verbs that are
 * asked for one task: it reads each file. What is not merged yet is kept by its commit.
 */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { differsFrom, type Differs } from '../core/judge/changed-deliverable.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { look } from './deliverables.ts';
import { readReceipts } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { unmergedIn } from '../../worktrees/engine/unmerged.ts';

export function notAsVerified(ws: Workspace, task: TaskRead): readonly Differs[] {
  const last = lastEnded(task.attempts, 'review');
  if (task.state !== 'done' || last?.outcome?.outcome !== 'approved') return [];
  const { adopted } = last.outcome;
  const folder = taskFolder(ws.layout, task.state, task.id);
  const attempt = attemptFolder(folder, adopted ?? last.number, adopted !== undefined);
  const then = readReceipts(ws, attempt)?.deliverables ?? [];
  if (then.length === 0 || unmergedIn(ws)(task)) return [];
  return then.flatMap((one) => {
    const { hash, ...now } = look(ws, one.path);
    return differsFrom(one, hash === undefined ? undefined : now) ?? [];
  });
}
