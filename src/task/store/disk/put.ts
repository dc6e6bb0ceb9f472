/**
 * Put: the one way in which a file that matters is written (docs/protocol.md#put). After an error from
 * rename, a target that holds exactly these bytes means that it succeeded.
 */
import { basename, dirname, join } from 'node:path';
import {
  errorCode,
  isGone,
  ReadRefused,
  unlessGone,
  type CreateOptions,
  type Disk,
  type Stat,
} from './disk.ts';
import { sha256 } from './hash.ts';

export const TEMPORARY = '.tmp-';

export interface Putting {
  readonly disk: Disk;
  /** A new random name at each call. */
  readonly unique: () => string;
}

/** Replaces what is there. Throws what the disk throws, and leaves at most a temporary file. */
export function put(
  putting: Putting,
  path: string,
  bytes: Uint8Array,
  options: CreateOptions = { durable: true },
): void {
  putWhile(putting, path, bytes, options, () => true);
}

/** False: it no longer holds once the new bytes are on the disk, beside what is there. */
function putWhile(
  { disk, unique }: Putting,
  path: string,
  bytes: Uint8Array,
  options: CreateOptions,
  holds: () => boolean,
  temporary = `${dirname(path)}/${TEMPORARY}${unique()}`,
): boolean {
  const folder = dirname(path);
  try {
    disk.create(temporary, bytes, options);
    if (!holds()) {
      discard(disk, temporary);
      return false;
    }
    disk.rename(temporary, path);
  } catch (error) {
    // It is another's.
    if (errorCode(error) === 'EEXIST') throw error;
    if (!arrived(disk, temporary, path, bytes)) {
      discard(disk, temporary);
      throw error;
    }
  }
  if (options.durable) disk.sync(folder);
  return true;
}

/** Makes files durable that others wrote, then the folders up to the root, which may be new too. */
export function syncBelow(disk: Disk, root: string, files: readonly string[]): void {
  const all = files.map((file) => join(root, file));
  const paths = new Set(all.filter((path) => disk.stat(path)?.kind === 'file'));
  for (const path of paths) if (path.startsWith(`${root}/`)) paths.add(dirname(path));
  for (const path of paths) {
    try {
      disk.sync(path);
    } catch (error) {
      if (!isGone(error) && errorCode(error) !== 'EACCES') throw error;
    }
  }
}

function arrived(disk: Disk, temporary: string, path: string, bytes: Uint8Array): boolean {
  try {
    if (disk.stat(temporary) !== undefined) return false;
    return Buffer.from(disk.read(path, bytes.length)).equals(bytes);
  } catch {
    return false;
  }
}

/** Best effort: a temporary that stays is found by `doctor`. */
function discard(disk: Disk, temporary: string): void {
  try {
    disk.remove(temporary);
  } catch {
    // The error that led here is the one to report.
  }
}

export type PutIf = 'put' | 'changed' | 'gone';

/**
 * Writes only if the file did not change since it was read: a person's editor may have saved it.
 * `seen` is its sha256, undefined when it was not there. To write takes long, so it looks again just
 * before the rename; only between that look and the rename a write of another process is lost (`putInTurn`). Without
 * `mode` a file keeps its own.
 */
export function putIfUnchanged(
  putting: Putting,
  path: string,
  seen: string | undefined,
  bytes: Uint8Array,
  mode?: number,
): PutIf {
  return putOver(putting, path, seen, bytes, { mode });
}

/** Milliseconds that one waits for what another one of us writes: a sync of a busy disk. */
const TURN_MS = 500;
const LOOK_MS = 20;

/**
 * Does the same for files to which several of our processes add at once, so that none of their writes is lost: the
 * temporary file is named after what it follows, and whoever makes it is the one who replaces that. The others wait,
 * and get 'changed'. What one that was killed left is passed over by a name of its own.
 */
export function putInTurn(
  putting: Putting,
  path: string,
  seen: string | undefined,
  bytes: Uint8Array,
): PutIf {
  const { disk } = putting;
  const follows = sha256(`${basename(path)}\n${seen ?? ''}`).slice(0, 16);
  const next = `${dirname(path)}/${TEMPORARY}after-${follows}`;
  if (disk.stat(next) === undefined) {
    try {
      return putOver(putting, path, seen, bytes, { temporary: next });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  for (let waited_ms = 0; waited_ms < TURN_MS; waited_ms += LOOK_MS) {
    if (disk.stat(next) === undefined) return 'changed';
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  return putIfUnchanged(putting, path, seen, bytes);
}

function putOver(
  putting: Putting,
  path: string,
  seen: string | undefined,
  bytes: Uint8Array,
  { mode, temporary }: { readonly mode?: number | undefined; readonly temporary?: string },
): PutIf {
  const { disk } = putting;
  const found = disk.stat(path);
  const now = found && hashOfFile(disk, path);
  if (now !== seen) return now === undefined ? 'gone' : 'changed';
  const options = { durable: true, ...(mode === undefined ? modeOf(found) : { mode }) };
  const isSame = (): boolean => sameFile(found, disk.stat(path));
  return unlessGone(() => {
    if (putWhile(putting, path, bytes, options, isSame, temporary)) return 'put';
    return disk.stat(path) === undefined ? 'gone' : 'changed';
  }, 'gone');
}

function sameFile(one: Stat | undefined, other: Stat | undefined): boolean {
  const keys = ['inode', 'ctime_ms', 'mtime_ms', 'bytes'] as const;
  return keys.every((key) => one?.[key] === other?.[key]);
}

/** For `put`: the permission bits of the file that it replaces. */
export function modeOf(found: Stat | undefined): Pick<CreateOptions, 'mode'> {
  return found?.kind === 'file' && found.mode !== undefined ? { mode: found.mode & 0o777 } : {};
}

/** Hash of a file; of what cannot be read (a link, a FIFO, something huge) one that differs from every hash. */
function hashOfFile(disk: Disk, path: string): string {
  try {
    return sha256(disk.read(path, 1024 * 1024));
  } catch (error) {
    if (error instanceof ReadRefused) return 'refused';
    throw error;
  }
}
