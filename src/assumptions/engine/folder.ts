/** Where assumptions are. */
import { join } from 'node:path';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function assumptionsFolder({ layout }: Workspace): string {
  return join(layout.root, SETTINGS, 'assumptions');
}

/** A look at one name: most workspaces have none. */
export function hasAssumptions(ws: Workspace): boolean {
  return ws.disk.stat(assumptionsFolder(ws))?.kind === 'folder';
}
