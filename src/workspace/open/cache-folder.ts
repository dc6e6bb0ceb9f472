/** `.contracts/cache/`, which git ignores by a file of its own, and which may be removed at any time. */
import { join } from 'node:path';
import { SETTINGS, type Layout } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { makeFolders } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from './workspace.ts';

/** A file written less than this before a look may change again with the same times. */
export const SETTLED_MS = 2000;

export function cacheFolder(layout: Layout): string {
  return join(layout.root, SETTINGS, 'cache');
}

/** Throws what the disk throws. */
export function makeCacheFolder({ disk, layout, putting }: Workspace): void {
  const folder = cacheFolder(layout);
  const kind = disk.stat(folder)?.kind;
  if (kind === 'folder') return;
  if (kind !== undefined) throw new Error(`${folder} is a link or a file`);
  makeFolders(disk, folder);
  put(putting, join(folder, '.gitignore'), Buffer.from('*\n'), { durable: false });
}

/** True for the first time in this workspace, by an empty file of that name, which is then made. */
export function isFirstTime(ws: Workspace, name: string): boolean {
  const file = join(cacheFolder(ws.layout), name);
  if (ws.disk.stat(file) !== undefined) return false;
  makeCacheFolder(ws);
  ws.disk.create(file, new Uint8Array(), { durable: false });
  return true;
}
