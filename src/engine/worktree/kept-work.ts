/** Where the work of a task stays that is given up, or put away. Looks for its folder alone. */
import { shown, worktreeFolder } from '../../store/layout.ts';
import type { Workspace } from '../workspace.ts';

/** undefined when it has no worktree. */
export function keptWork(ws: Workspace, id: string): string | undefined {
  const folder = worktreeFolder(ws.layout, id);
  if (ws.disk.stat(folder) === undefined) return undefined;
  return `its work stays in ${shown(ws.layout, folder)}, branch contracts/${id}`;
}
