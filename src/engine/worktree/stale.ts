/**
 * Worktrees that no attempt will use again as their tasks stand: of what is given up, put away, merged
 * or gone. Each with how it is removed, which is left to a person: it may hold work.
 */
import { basename, join } from 'node:path';
import { problem, type Problem } from '../../core/problem.ts';
import { isTaskId } from '../../core/id.ts';
import { shown } from '../../store/layout.ts';
import { listOrNothing } from '../../store/tasks.ts';
import { readTask } from '../read-task.ts';
import type { Workspace } from '../workspace.ts';
import type { Linked } from './git.ts';
import { placeOf } from './place.ts';
import { findRepository, isRepository } from './repository.ts';
import { branchOf, lockOf, treesOf } from './tree.ts';
import { unmergedIn } from './unmerged.ts';
import { folderOf } from './verified.ts';

export function staleWorktrees(ws: Workspace): readonly Problem[] {
  const isUnmerged = unmergedIn(ws);
  const repo = findRepository(ws.disk, ws.layout.root);
  const trees = isRepository(repo) ? treesOf(ws, repo) : [];
  const place = placeOf(ws) ?? '/nonexistent';
  const there = listOrNothing(ws.disk, place).filter(({ kind }) => kind === 'folder');
  const folders = [
    ...there.map(({ name }) => join(place, name)),
    ...trees.map((one) => one.folder),
  ];
  return [...new Set(folders)].flatMap((folder) => {
    const id = basename(folder);
    const why = isTaskId(id) ? whyStale(ws, id, isUnmerged) : 'no task is called so';
    return why === undefined ? [] : [told(ws, folder, trees, why)];
  });
}

function whyStale(
  ws: Workspace,
  id: string,
  isUnmerged: ReturnType<typeof unmergedIn>,
): string | undefined {
  const found = folderOf(ws, id);
  if (found === undefined) return 'its task is gone';
  const { state } = found;
  if (state === 'aborted') return 'its task is aborted';
  if (state === 'archived') return 'its task is archived';
  if (state !== 'done') return undefined;
  const task = readTask(ws, state, id);
  return task !== undefined && isUnmerged(task)
    ? `its task is done and not merged: contracts merge ${id}`
    : 'its task is done and merged';
}

function told(ws: Workspace, path: string, trees: readonly Linked[], why: string): Problem {
  const tree = trees.find(({ folder }) => folder === path);
  const folder = shown(ws.layout, path);
  const leftover = { code: 'leftover', severity: 'warning', file: folder } as const;
  if (tree === undefined) {
    const message = `a folder is left: ${why}, and it is no worktree of this repository`;
    return problem({ ...leftover, message, fix: 'Look at what is in it, then remove it' });
  }
  const lock = lockOf(ws, tree);
  const unlock = lock === undefined ? '' : `git worktree unlock ${folder} && `;
  return problem({
    ...leftover,
    message: `a worktree is left${lock === undefined ? '' : `, locked${lock}`}: ${why}`,
    fix: `When nothing of it is needed: ${unlock}git worktree remove ${folder} && git branch -D ${branchOf(basename(path))} (git refuses while changes are not committed)`,
  });
}
