/**
 * Worktrees that no attempt will use again as their tasks stand: of what is given up, put away, merged
 * or gone. Each with how it is removed, which is left to a person: it may hold work.
 */
import { basename, join } from 'node:path';
import { problem, type Problem } from '../../core/problem.ts';
import { isTaskId } from '../../core/id.ts';
import { shown } from '../../store/layout.ts';
import { listOrNothing } from '../../store/tasks.ts';
import type { Workspace } from '../workspace.ts';
import type { Linked } from './git.ts';
import { placeOf } from './place.ts';
import { findRepository, isRepository } from './repository.ts';
import { branchOf, lockOf, treesOf } from './tree.ts';
import { standingOf } from './unmerged.ts';
import { folderOf, verifiedCommit } from './verified.ts';

/** Of one task, where it is named. */
export function staleWorktrees(ws: Workspace, only?: string): readonly Problem[] {
  const repo = findRepository(ws.disk, ws.layout.root);
  const trees = isRepository(repo) ? treesOf(ws, repo) : [];
  const place = placeOf(ws);
  const there = listOrNothing(ws.disk, place).filter(({ kind }) => kind === 'folder');
  const folders = [
    ...there.map(({ name }) => join(place, name)),
    ...trees.map((one) => one.folder),
  ];
  return [...new Set(folders)].flatMap((folder) => {
    const id = basename(folder);
    if (only !== undefined && id !== only) return [];
    const why = isTaskId(id) ? whyStale(ws, id) : 'no task is called so';
    return why === undefined ? [] : [told(ws, folder, trees, why)];
  });
}

function whyStale(ws: Workspace, id: string): string | undefined {
  const found = folderOf(ws, id);
  if (found === undefined) return 'its task is gone';
  const { state } = found;
  if (state === 'aborted') return 'its task is aborted';
  if (state === 'archived') return 'its task is archived';
  if (state !== 'done') return undefined;
  return whyDone(ws, id, verifiedCommit(ws, id, found.folder)?.commit);
}

/** Merged is only what a branch of the person holds: nothing else would keep the work. */
function whyDone(ws: Workspace, id: string, commit: string | undefined): string {
  if (commit === undefined) return 'its task is done, and no commit of its work is recorded';
  const words = {
    merged: 'merged',
    unmerged: `not merged: contracts merge ${id}`,
    missing: `its commit ${commit} is not in this repository: this folder may hold the only copy`,
    unknown: 'git cannot be asked whether it is merged',
  };
  return `its task is done and ${words[standingOf(ws, commit)]}`;
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
