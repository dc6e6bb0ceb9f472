/**
 * The real Disk. Opens with O_NOFOLLOW and O_NONBLOCK, so that a link, a FIFO or a device named
 * contract.md can neither lead away nor hang; writes until all is written; syncs before it closes,
 * and counts the errors of all of these.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statfsSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import {
  ReadRefused,
  errorCode,
  type CreateOptions,
  type Disk,
  type Entry,
  type ReadOptions,
  type Stat,
} from './disk.ts';

const { S_IFMT, S_IFREG, S_IFDIR } = constants;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const READ_TRIES = 3;
const HASHED_BYTES = 1024 * 1024;
const OR_NOTHING = { throwIfNoEntry: false } as const;

export const realDisk: Disk = {
  list,
  folders,
  names: (folder) => readdirSync(folder),
  stat,
  link,
  read,
  create,
  rename: (from, to) => renameSync(from, to),
  mkdir: (path, mode) => void mkdirSync(path, { mode }),
  remove,
  sync,
};

function list(folder: string, seen?: { names?: readonly string[] }): readonly Entry[] {
  const counted = folders(folder);
  if (counted !== undefined) {
    if (seen !== undefined) seen.names = counted;
    return inOrder(counted.map((name): Entry => ({ name, kind: 'folder' })));
  }
  const entries = readdirSync(folder, { withFileTypes: true });
  if (seen !== undefined) seen.names = entries.map(({ name }) => name);
  return inOrder(entries.map((entry): Entry => ({ name: entry.name, kind: kindOf(entry) })));
}

function inOrder(entries: Entry[]): readonly Entry[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** From so many on, to ask for the kind of each costs more than to count them. */
const FOLDERS_MIN = 200;
/** ext, XFS and tmpfs by their number in statfs(2): a folder has two links, and one for each in it. */
const COUNTING_SYSTEMS = new Set([0xef53, 0x5846_5342, 0x0102_1994]);

/** The links of the folder prove it, where the file system is known to count so. */
function folders(folder: string): readonly string[] | undefined {
  const links = lstatSync(folder, { throwIfNoEntry: false })?.nlink ?? 0;
  if (links < FOLDERS_MIN || process.platform !== 'linux') return undefined;
  if (!COUNTING_SYSTEMS.has(statfsSync(folder).type)) return undefined;
  const found = readdirSync(folder);
  return found.length === links - 2 ? found : undefined;
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): Entry['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** The same from a number: asked of thousands. */
function kindOfMode(mode: number): Entry['kind'] {
  const type = mode & S_IFMT;
  return type === S_IFREG ? 'file' : type === S_IFDIR ? 'folder' : 'other';
}

function stat(path: string): Stat | undefined {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, OR_NOTHING);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
  if (found === undefined) return undefined;
  return {
    kind: kindOfMode(found.mode),
    bytes: found.size,
    mtime_ms: found.mtimeMs,
    ctime_ms: found.ctimeMs,
    inode: found.ino,
    device: found.dev,
    links: found.nlink,
    mode: found.mode & 0o7777,
  };
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function read(path: string, bytesMax: number, options?: ReadOptions): Uint8Array {
  if (options?.compared === true) return readToCompare(path, bytesMax);
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const bytes = readOnce(path, bytesMax, options);
    if (bytes !== undefined) return bytes;
  }
  throw new ReadRefused('unreadable', 'it changes while it is read');
}

/** One byte more than is expected, so that what is longer is not equal. */
function readToCompare(path: string, bytesMax: number): Uint8Array {
  const fd = openForReading(path);
  try {
    const bytes = Buffer.allocUnsafe(bytesMax + 1);
    let at = 0;
    for (let got = -1; got !== 0 && at < bytes.length; at += got) {
      got = readSync(fd, bytes, at, bytes.length - at, at);
    }
    return bytes.subarray(0, at);
  } catch (error) {
    // A folder, a FIFO, a device: whatever it is, it is not those bytes.
    if (['EISDIR', 'EAGAIN', 'ESPIPE', 'EINVAL', 'ENXIO'].includes(errorCode(error) ?? '')) {
      throw new ReadRefused('not_a_file', 'it is not a regular file');
    }
    throw error;
  } finally {
    closeSync(fd);
  }
}

function readOnce(path: string, bytesMax: number, options?: ReadOptions): Uint8Array | undefined {
  const fd = openForReading(path);
  try {
    const before = fstatSync(fd);
    if (!before.isFile()) throw new ReadRefused('not_a_file', 'it is not a regular file');
    if (options?.single_link === true && before.nlink > 1) {
      throw new ReadRefused('not_a_file', 'it is a hard link: the same file has another name too');
    }
    if (before.size > bytesMax) {
      throw new ReadRefused(
        'too_large',
        `it has ${before.size} bytes, at most ${bytesMax} are read`,
      );
    }
    const bytes = Buffer.allocUnsafe(before.size);
    let at = 0;
    while (at < bytes.length) {
      const got = readSync(fd, bytes, at, bytes.length - at, at);
      if (got === 0) return undefined;
      at += got;
    }
    const after = fstatSync(fd);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) return undefined;
    if (options?.seen !== undefined) options.seen.mtime_ms = before.mtimeMs;
    return bytes;
  } finally {
    closeSync(fd);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ELOOP' || code === 'EMLINK')
      throw new ReadRefused('not_a_file', 'it is a symbolic link');
    if (code === 'ENXIO' || code === 'EISDIR')
      throw new ReadRefused('not_a_file', 'it is not a regular file');
    throw error;
  }
}

function create(path: string, bytes: Uint8Array, options: CreateOptions = { durable: true }): void {
  const flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW;
  const fd = openSync(path, flags, options.mode ?? 0o644);
  try {
    let at = 0;
    while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at);
    // What open(2) makes is narrowed by the umask.
    if (options.mode !== undefined) fchmodSync(fd, options.mode);
    if (options.durable) fsyncSync(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  closeSync(fd);
}

function remove(path: string): void {
  const found = lstatSync(path);
  if (found.isDirectory()) rmdirSync(path);
  else unlinkSync(path);
}

function sync(path: string): void {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * A folder of ours whose permissions an agent took away is opened again to its owner. What cannot be
 * opened stays shut: whoever looks into it says so.
 */
export function openAgain(folder: string): void {
  const found = lstatSync(folder, OR_NOTHING);
  if (found === undefined || !found.isDirectory() || (found.mode & 0o700) === 0o700) return;
  try {
    chmodSync(folder, (found.mode & 0o777) | 0o700);
  } catch (error) {
    if (!['EPERM', 'EROFS', 'ENOENT'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** A second name for a whole file; a copy where the file system has no links. EEXIST when it is taken. */
export function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error) ?? '')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** The one file that others must be able to run: a hook of git. Everything else is plain. */
export function makeExecutable(path: string): void {
  chmodSync(path, 0o755);
}

/** Of a file that is too large to be read at once; follows no link. */
export function sha256OfFile(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(HASHED_BYTES);
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    for (let n = readSync(fd, chunk); n > 0; n = readSync(fd, chunk))
      hash.update(chunk.subarray(0, n));
  } finally {
    closeSync(fd);
  }
  return hash.digest('hex');
}
