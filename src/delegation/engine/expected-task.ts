/** Whether a task is a child that a runner made: the kept desk of its parent names it. */
import type { State } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { childrenOf } from './child-tasks.ts';

export function isChild(ws: Workspace, id: string, state: State): boolean {
  const { contract } = readContract(ws, taskFolder(ws.layout, state, id), id);
  const parent = contract.ok ? contract.value.head.parent : undefined;
  const folder = parent === undefined ? undefined : folderOf(ws, parent);
  if (parent === undefined || folder === undefined) return false;
  const { attempts } = readAttempts(ws, folder, parent);
  return childrenOf(ws, folder, parent, attempts).some((child) => child.id === id);
}

function folderOf(ws: Workspace, id: string): string | undefined {
  const [state] = locate(ws.disk, ws.layout, id);
  return state === undefined ? undefined : taskFolder(ws.layout, state, id);
}
