/** Folders that one process makes for itself and removes: nothing in them must survive it, so nothing is synced. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `act` with a new empty folder, which is gone afterwards. */
export async function inFolder<T>(
  act: (folder: string) => T | Promise<T>,
  below = tmpdir(),
): Promise<T> {
  const folder = mkdtempSync(join(below, 'contracts-'));
  try {
    return await act(folder);
  } finally {
    removeFolder(folder);
  }
}

/** Makes a folder with those above it, for this user alone. */
export function makeAll(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a file into such a folder, over one that is there. */
export function writeIn(path: string, bytes: string | Uint8Array): void {
  writeFileSync(path, bytes);
}
