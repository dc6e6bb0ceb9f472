/** Where the work of a task stays that is given up, or put away. */
import { shown } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findRepository, isRepository } from '../../workspace/open/repository.ts';
import { branchOf, findTree } from './worktree.ts';

export function worktreeOf(ws: Workspace, id: string): string | undefined {
  const repo = findRepository(ws.disk, ws.layout.root);
  return isRepository(repo) ? findTree(ws, repo, id)?.folder : undefined;
}

export function keptWork(ws: Workspace, id: string): string | undefined {
  const folder = worktreeOf(ws, id);
  return folder && `its work stays in ${shown(ws.layout, folder)}, branch ${branchOf(id)}`;
}
