/** Commits of worktrees that the main checkout lacks. Where git cannot be asked none is missing. */
import { lastEnded } from '../../task/core/attempts/counters.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { gitAt, mainPlace, parts, type Git } from './git.ts';
import { askedRepository } from './workdir-record.ts';
import { branchOf } from './worktree.ts';

export function unmergedIn(ws: Workspace): (task: TaskRead) => boolean {
  let commits: ReadonlyMap<string, string> | undefined;
  return (task) => {
    const commit = lastEnded(task.attempts, 'work')?.outcome?.commit;
    return commit !== undefined && (commits ??= unmerged(ws)).has(commit);
  };
}

/** Ids of tasks that are done and whose last work is not merged. */
export function unmergedDone(ws: Workspace): readonly string[] {
  const commits = unmerged(ws);
  return [...new Set(commits.values())].filter((id) => {
    const task = readTask(ws, 'done', id);
    return (
      task !== undefined && commits.has(lastEnded(task.attempts, 'work')?.outcome?.commit ?? '')
    );
  });
}

function unmerged(ws: Workspace): ReadonlyMap<string, string> {
  const which = ['--no-merged=HEAD', '--format=%(objectname)/%(refname:lstrip=3)'];
  const how = ['for-each-ref', ...which, 'refs/contracts/attempts/'];
  const lines = parts(asked(ws)?.run(how).out ?? '', '\n').map((line) => line.split('/'));
  return new Map(lines.map(([commit = '', id = '']) => [commit, id]));
}

type Standing = 'merged' | 'unmerged' | 'missing' | 'unknown';

/** The commit of that name when no ref holds it: it is lost with the worktree. */
export function unheld(ws: Workspace, name: string): string | undefined {
  const git = asked(ws);
  const commit = git?.commitOf(name);
  const refs = git?.run(['for-each-ref', '--count=1', `--contains=${name}`]).out;
  return refs === '' ? commit : undefined;
}

/** Merged: HEAD or a branch of the person holds this commit. */
export function standingOf(ws: Workspace, commit: string): Standing {
  const git = asked(ws);
  if (git === undefined) return 'unknown';
  if (git.commitOf(commit) === undefined) return 'missing';
  if (git.holds(commit, 'HEAD')) return 'merged';
  const which = ['--format=%(refname)', `--contains=${commit}`, 'refs/heads/'];
  const refs = parts(git.out(['for-each-ref', ...which]), '\n');
  const isTasks = (ref: string): boolean => ref.startsWith(`refs/heads/${branchOf('')}`);
  return refs.every(isTasks) ? 'unmerged' : 'merged';
}

function asked(ws: Workspace): Git | undefined {
  const repo = askedRepository(ws);
  return repo && gitAt(ws, mainPlace(repo));
}
