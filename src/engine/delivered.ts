/**
 * The deliverables of a task in `done`, compared with the receipt of its approval. For verbs that are
 * asked for one task: it reads each file. What is not merged yet is kept by its commit.
 */
import { lastEnded } from '../core/count.ts';
import { differsFrom, type Differs } from '../core/delivered.ts';
import type { TaskRead } from '../core/task.ts';
import { attemptFolder, taskFolder } from '../store/layout.ts';
import { look } from './attempt/deliverables.ts';
import { readReceipts } from './attempts.ts';
import type { Workspace } from './workspace.ts';
import { unmergedIn } from './worktree/unmerged.ts';

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
