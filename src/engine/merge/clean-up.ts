/** `worktree: cleanup:`, before a merged worktree is removed. A failure is reported and stops nothing. */
import { Fault } from '../../task/core/model/problem.ts';
import { runningOf, type Context, type Running } from '../../workspace/tasks/attempt-context.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { preparationFor } from '../../worktrees/core/preparation.ts';
import type { Verified } from '../../worktrees/engine/verified-commit.ts';
import { repositoryOf, workdirOf } from '../../worktrees/engine/workdir-record.ts';
import { findTree } from '../../worktrees/engine/worktree.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import { runLines } from '../work/prepare-tree.ts';

/** The newest attempt of a task in `done`, for programs that run once more; undefined for the archive. */
export function endedAttempt(context: Context, id: string): Running | undefined {
  const task = readTask(context.ws, 'done', id);
  return task && runningOf(context, task, task.attempts.at(-1)?.number ?? 0);
}

export async function cleanUp(context: Context, { id, branch, commit }: Verified): Promise<void> {
  const { ws, emit } = context;
  if (ws.config.worktree?.cleanup === undefined) return;
  const running = endedAttempt(context, id);
  const repo = repositoryOf(ws);
  const tree = findTree(ws, repo, id);
  if (running === undefined || tree === undefined) return;
  const { cleanup } = preparationFor(running.contract, ws.config);
  const workdir = workdirOf(repo, tree, { v: 1, branch, base: commit, files: [] });
  await runLines(running, workdir, 'cleanup', cleanup).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    emit(faultEvent(id, error));
  });
}
