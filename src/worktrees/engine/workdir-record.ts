/** The record of an attempt's worktree, and the workdir that it means. Reads only. */
import { join } from 'node:path';
import { Fault } from '../../task/core/model/problem.ts';
import { workdirSchema, type WorkdirRecord } from '../../task/core/attempts/record.ts';
import { readRecord } from '../../workspace/tasks/read-attempts.ts';
import { gitUntrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { parts, type Git } from './git.ts';
import type { Workdir } from './workdir.ts';
import { findRepository, isRepository, type Repository } from '../../workspace/open/repository.ts';
import type { TaskTree } from './worktree.ts';

export function repositoryOf(ws: Workspace): Repository {
  const found = findRepository(ws, ws.layout.root);
  if (isRepository(found)) return found;
  throw new Fault('git', found.why, found);
}

/** undefined where there is none, and where git must not run. */
export function askedRepository(ws: Workspace): Repository | undefined {
  const found = findRepository(ws, ws.layout.root);
  return isRepository(found) && gitUntrusted(ws) === undefined ? found : undefined;
}

export function trustedRepository(ws: Workspace): Repository {
  const distrusted = gitUntrusted(ws);
  if (distrusted !== undefined) throw new Fault('git', distrusted.message, distrusted);
  return repositoryOf(ws);
}

/** The workdir of that attempt; undefined when it worked in the shared tree. */
export function readWorkdir(ws: Workspace, attempt: string): WorkdirRecord | undefined {
  const read = readRecord(ws, join(attempt, 'ground.md'), workdirSchema());
  return read?.ok === true ? read.value : undefined;
}

export function workdirOf(
  repo: Repository,
  tree: TaskTree,
  { branch, base, merging, files }: WorkdirRecord,
  refs?: ReadonlyMap<string, string>,
): Workdir {
  return {
    root: join(tree.folder, repo.prefix),
    isolation: 'worktree',
    worktree: { ...tree, branch, base, files, merging, refs },
  };
}

export function refsOf(main: Git): ReadonlyMap<string, string> {
  const lines = parts(main.out(['for-each-ref', '--format=%(refname) %(objectname)']), '\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}
