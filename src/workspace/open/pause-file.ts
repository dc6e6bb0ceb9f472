/** `.contracts/PAUSED`: while it is there, no runner of this workspace begins anything. */
import { join } from 'node:path';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { textIfThere } from './text-file.ts';
import type { Workspace } from './workspace.ts';

/** A line of it that ends running agents, too. */
export const STOP = 'stop';

export function pauseFile({ layout }: Pick<Workspace, 'layout'>): string {
  return join(layout.root, SETTINGS, 'PAUSED');
}

/** Its lines; undefined where nothing is paused. */
export function pauseWords(ws: Pick<Workspace, 'disk' | 'layout'>): readonly string[] | undefined {
  const path = pauseFile(ws);
  if (ws.disk.stat(path) === undefined) return undefined;
  const lines = (textIfThere(ws.disk, path) ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
