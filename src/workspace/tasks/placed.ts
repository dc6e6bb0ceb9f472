/** What runners put in place that agents handed in (`attempts/NNNN/placed/`), so that no agent is blamed. */
import { sha256 } from '../../task/store/disk/hash.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { attemptFolder, PLACED, SETTINGS } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../open/workspace.ts';
import { writtenSince } from '../open/journal.ts';

const BYTES_MAX = 1024 * 1024;

/** True if that copy of a placed file is there now, `at` in the workspace, or runners continued from it. */
export function isPlacedThere(
  ws: Workspace,
  copy: string,
  at: string,
  now: Uint8Array,
  grows: boolean,
): boolean {
  const placed = ws.disk.stat(copy) && bytesAt(ws.disk, copy, BYTES_MAX);
  if (placed === undefined) return false;
  const own = grows ? now.subarray(0, placed.length) : now;
  return Buffer.compare(own, placed) === 0 || isFollowed(ws, at, placed, now);
}

/** True if runners alone brought a file of the workspace from these bytes to those. */
export function isFollowed(ws: Workspace, at: string, was: Uint8Array, now: Uint8Array): boolean {
  return writtenSince(ws).leads(at, sha256(was), sha256(now));
}

/** True if an attempt of one task did, by its folder; `at` of a folder: with any file below it. */
export function isPlacedBy(ws: Workspace, task: string, at: string): boolean {
  if (!at.startsWith(`${SETTINGS}/`)) return false;
  const isThere = (copy: string, path: string): boolean => {
    if (ws.disk.stat(copy)?.kind === 'folder') {
      const names = listOrNothing(ws.disk, copy).map(({ name }) => name);
      return names.some((name) => isThere(`${copy}/${name}`, `${path}/${name}`));
    }
    const now = bytesAt(ws.disk, `${ws.layout.root}/${path}`, BYTES_MAX);
    return now !== undefined && isPlacedThere(ws, copy, path, now, false);
  };
  return listAttempts(ws.disk, task).some(({ number, lost }) => {
    const own = attemptFolder(task, number, lost);
    return isThere(`${own}/${PLACED}/${at.slice(SETTINGS.length + 1)}`, at);
  });
}
