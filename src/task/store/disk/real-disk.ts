/**
 * The real Disk. Opens with O_NOFOLLOW and O_NONBLOCK, so that a link, a FIFO or a device named
 * contract.md can neither lead away nor hang; syncs before it closes, and counts all errors.
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
  opendirSync,
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

function list(folder: string): readonly Entry[] {
  const entries: Entry[] =
    folders(folder)?.map((name) => ({ name, kind: 'folder' })) ??
    readdirSync(folder, { withFileTypes: true }).map((one) => ({
      name: one.name,
      kind: kindOf(one),
    }));
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** From so many entries on, the kind of each costs more than to count them. */
const FOLDERS_MIN = 200;
/** ext, XFS and tmpfs by their number in statfs(2): a folder has two links, and one for each in it. */
const COUNTING_SYSTEMS = new Set([0xef53, 0x5846_5342, 0x0102_1994]);

/** The links of a folder of 65,000 folders and more on ext4, and of any on btrfs. */
const UNCOUNTED = 1;

function folders(folder: string, most = Infinity): readonly string[] | undefined {
  const links = lstatSync(folder, { throwIfNoEntry: false })?.nlink ?? 0;
  if (most < Infinity && (links === UNCOUNTED || links - 2 > most))
    return firstFolders(folder, most);
  if (links < FOLDERS_MIN || process.platform !== 'linux') return undefined;
  if (!COUNTING_SYSTEMS.has(statfsSync(folder).type)) return undefined;
  const found = readdirSync(folder);
  return found.length === links - 2 ? found : undefined;
}

function firstFolders(folder: string, most: number): readonly string[] {
  const found: string[] = [];
  const opened = opendirSync(folder, { bufferSize: 1000 });
  try {
    for (let one = opened.readSync(); one !== null; one = opened.readSync()) {
      if (one.isDirectory()) found.push(one.name);
      if (found.length >= most) break;
    }
  } finally {
    opened.closeSync();
  }
  return found;
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): Entry['kind'] {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** As kindOf, but cheaper: it is called thousands of times. */
function kindOfMode(mode: number): Entry['kind'] {
  const type = mode & S_IFMT;
  return type === S_IFREG ? 'file' : type === S_IFDIR ? 'folder' : 'other';
}

function stat(path: string): Stat | undefined {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, OR_NOTHING);
  } catch (error) {
    if (isOneOf(error, 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
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
    if (isOneOf(error, 'EINVAL', 'ENOENT', 'ENOTDIR')) return undefined;
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

/** One byte more than is expected, so that a longer file differs. */
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
    // A folder, a FIFO, a device.
    if (isOneOf(error, 'EISDIR', 'EAGAIN', 'ESPIPE', 'EINVAL', 'ENXIO')) {
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
      const message = `it has ${before.size} bytes, at most ${bytesMax} are read`;
      throw new ReadRefused('too_large', message);
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
    if (isOneOf(error, 'ELOOP', 'EMLINK'))
      throw new ReadRefused('not_a_file', 'it is a symbolic link');
    if (isOneOf(error, 'ENXIO', 'EISDIR'))
      throw new ReadRefused('not_a_file', 'it is not a regular file');
    throw error;
  }
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error) ?? '');
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
  if (lstatSync(path).isDirectory()) rmdirSync(path);
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

/** Opens a folder of ours again to its owner, after an agent took its permissions away. */
export function openAgain(folder: string): void {
  const found = lstatSync(folder, OR_NOTHING);
  if (found === undefined || !found.isDirectory() || (found.mode & 0o700) === 0o700) return;
  try {
    chmodSync(folder, (found.mode & 0o777) | 0o700);
  } catch (error) {
    if (!isOneOf(error, 'EPERM', 'EROFS', 'ENOENT')) throw error;
  }
}

/** A second name for a file; a copy where the file system has no links. EEXIST when it is taken. */
export function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!isOneOf(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** For a file that is too large to be read at once; follows no link. */
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
