/**
 * Writes a file for an agent that leaves this to its client. Each folder on the way is opened without following a
 * link and held open, so that nobody can put a link in between. Throws with words for the agent.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../task/store/disk/disk.ts';
import { hasProc } from '../../process/process-table.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Below one of `bases`, the first that holds it; folders that are missing are made. */
export function writeConfined(bases: readonly string[], path: string, text: string): void {
  for (const base of bases) {
    const inner = relative(base, resolve(path));
    if (inner !== '' && !/^\.\.(?:[/\\]|$)/.test(inner) && !isAbsolute(inner)) {
      return walkAndWrite(base, inner.split(sep), text);
    }
  }
  throw new Error('it is outside the workspace');
}

function walkAndWrite(base: string, segments: string[], text: string): void {
  const name = segments.pop() ?? '';
  let folder = openSync(base, O_RDONLY | O_DIRECTORY);
  try {
    let path = base;
    for (const segment of segments) {
      const next = enter(within(folder, path, segment), segment);
      closeSync(folder);
      folder = next;
      path = join(path, segment);
    }
    writeWhole(within(folder, path, name), text);
  } finally {
    closeSync(folder);
  }
}

/** Through the open folder where the system allows it. */
function within(folder: number, path: string, name: string): string {
  return hasProc() ? `/proc/self/fd/${folder}/${name}` : join(path, name);
}

function enter(path: string, name: string): number {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return opened(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, `${name} is a link or not a folder`);
}

/** The system's own words would name a file descriptor in place of the path. */
function opened(path: string, flags: number, words: string): number {
  try {
    return openSync(path, flags, 0o644);
  } catch (error) {
    const code = errorCode(error) ?? '';
    const odd = ['ELOOP', 'ENOTDIR', 'EISDIR', 'ENXIO', 'EMLINK'].includes(code);
    throw new Error(odd ? words : code, { cause: error });
  }
}

function writeWhole(path: string, text: string): void {
  const fd = opened(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 'it is not a regular file');
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1)
      throw new Error('it is not a regular file, or has hard links');
    const bytes = Buffer.from(text, 'utf8');
    ftruncateSync(fd, 0);
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  } finally {
    closeSync(fd);
  }
}
