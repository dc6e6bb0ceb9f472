/** Where learnings are. */
import { join } from 'node:path';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Folder of those that a person has not accepted. */
export const CANDIDATES = 'candidates';
export const CATCHER = 'chief-of-staff/memory-catcher';

export function memoryFolder({ layout }: Workspace): string {
  return join(layout.root, SETTINGS, 'memory');
}

/** A look at one name: most workspaces have none. */
export function hasMemory(ws: Workspace): boolean {
  return ws.disk.stat(memoryFolder(ws))?.kind === 'folder';
}
