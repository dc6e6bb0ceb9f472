/** `worktree: cleanup:`, before a merged worktree is removed. A failure is reported and stops nothing. */
import { Fault } from '../../task/core/model/problem.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';
import { preparationFor } from '../../worktrees/core/preparation.ts';
import type { Verified } from '../../worktrees/engine/verified-commit.ts';
import { repositoryOf, workdirOf } from '../../worktrees/engine/workdir-record.ts';
import { findTree } from '../../worktrees/engine/worktree.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import { runLines } from '../work/prepare-tree.ts';
import { endedAttempt } from './ended-attempt.ts';

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
