/**
 * Where the work of a task is verified and judged: in its worktree, at the commit that the outcome
 * of its last work names. What was changed there since is kept and put aside, so that a receipt is
 * about that commit and nothing else.
 */
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { sharedGround, type Ground } from './workdir.ts';
import { groundOf, readGround, trustedRepository } from './workdir-record.ts';
import { sayKept } from './start-attempt.ts';
import { findTree, makeTree, putBack } from './worktree.ts';

export function reviewGround(running: Running): Ground {
  const { ws, id, number } = running;
  const last = lastEnded(running.task.attempts, 'work');
  const { branch, commit } = last?.outcome ?? {};
  if (last === undefined || branch === undefined || commit === undefined) {
    return sharedGround(running);
  }
  const repo = trustedRepository(ws);
  const found = findTree(ws, repo, id);
  const kept = found && putBack(ws, found, commit, { id, number });
  if (found !== undefined && kept !== undefined) sayKept(running, found, kept);
  const tree = found?.usable === true ? found : makeTree(ws, repo, id, commit);
  const folder = findPlace(running)?.folder;
  const record = folder && readGround(ws, attemptFolder(folder, last.number));
  const base = record ? record.base : commit;
  return groundOf(repo, tree, { v: 1, branch, base, files: [] });
}
