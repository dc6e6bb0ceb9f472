/**
 * Where the work of a task is verified and judged: in its worktree, at the commit that the outcome
 * of its last work names. What was changed there since is kept and put aside, so that a receipt is
 * about that commit and nothing else.
 */
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { sharedWorkdir, type Workdir } from './workdir.ts';
import { workdirOf, readWorkdir, trustedRepository } from './workdir-record.ts';
import { sayKept } from './start-attempt.ts';
import { findTree, makeTree, putBack } from './worktree.ts';

export function reviewWorkdir(running: Running): Workdir {
  const { ws, id, number } = running;
  const last = lastEnded(running.task.attempts, 'work');
  const { branch, commit } = last?.outcome ?? {};
  if (last === undefined || branch === undefined || commit === undefined) {
    return sharedWorkdir(running);
  }
  const repo = trustedRepository(ws);
  const found = findTree(ws, repo, id);
  const kept = found && putBack(ws, found, commit, { id, number });
  if (found !== undefined && kept !== undefined) sayKept(running, found, kept);
  const tree = found?.usable === true ? found : makeTree(ws, repo, id, commit);
  const folder = findPlace(running)?.folder;
  const record = folder && readWorkdir(ws, attemptFolder(folder, last.number));
  const base = record ? record.base : commit;
  return workdirOf(repo, tree, { v: 1, branch, base, files: [] });
}
