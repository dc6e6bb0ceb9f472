/**
 * Writes a file for an agent that leaves this to its client. Whether it may be written was judged
 * before; here the place is walked to folder by folder, each opened without following a link and held
 * open, so that nobody can put a link in between. Throws with words for the agent.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from './failure.ts';
import type { Found } from './paths.ts';
import { hasProc } from '../process-table.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function look(path: string): Found {
  try {
    const stat = lstatSync(path);
    // A file with a second name may be one outside.
    if (stat.isFile()) return stat.nlink === 1 ? 'file' : 'other';
    return stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))) return undefined;
    return 'other';
  }
}

/** `inner` is relative to `base`, normalised; folders that are missing are made. */
export function writeConfined(base: string, inner: string, text: string): void {
  const segments = inner.split('/');
  const name = segments.pop() ?? '';
  let folder = openSync(base, O_RDONLY | O_DIRECTORY);
  try {
    let path = base;
    for (const segment of segments) {
      const next = enter(within(folder, path, segment));
      closeSync(folder);
      folder = next;
      path = join(path, segment);
    }
    writeWhole(within(folder, path, name), text);
  } finally {
    closeSync(folder);
  }
}

/** Through the open folder where the system lets us, else by its path. */
function within(folder: number, path: string, name: string): string {
  return hasProc() ? `/proc/self/fd/${folder}/${name}` : join(path, name);
}

function enter(path: string): number {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
  return openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

function writeWhole(path: string, text: string): void {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o644);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1) throw new Error('it is no plain file with one name');
    const bytes = Buffer.from(text, 'utf8');
    ftruncateSync(fd, 0);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  } finally {
    closeSync(fd);
  }
}
