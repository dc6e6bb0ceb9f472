/**
 * A folder as it is before and after an agent works in it: a mark for each file. The change time of the
 * inode is in the mark: no program can set it back. Links are never followed.
 */
import { errorCode, isGone, ReadRefused, type Disk, type Stat } from '../disk/disk.ts';
import { sha256 } from '../disk/hash.ts';

const LINE_BYTES_MAX = 4096;

/** Path (relative, forward slashes) to mark. */
export type Marks = Map<string, string>;

export interface FolderSnapshot {
  /** A folder that cannot be read is among them as `path/`. */
  readonly files: Marks;
  /** Every folder below, also empty ones. */
  readonly folders: ReadonlySet<string>;
  /** Paths of `.git`: of submodules, and of repositories that somebody put there. */
  readonly gits: readonly string[];
}

export interface SnapshotOptions {
  readonly files_max: number;
  /** By name, wherever it is. */
  readonly left_out: ReadonlySet<string>;
  /** By path. */
  readonly skipped: ReadonlySet<string>;
  /** Only these files and what is below these folders; everything when omitted. */
  readonly below?: readonly string[];
}

/** undefined when there are more files than that. */
export function snapshotFolder(
  disk: Disk,
  root: string,
  options: SnapshotOptions,
): FolderSnapshot | undefined {
  const base = root === '/' ? '' : root;
  const files: Marks = new Map();
  const folders = new Set<string>();
  const gits: string[] = [];
  const left = [...(options.below ?? [''])].filter((path) => {
    const found = path === '' ? undefined : disk.stat(`${base}/${path}`);
    if (found === undefined || found.kind === 'folder') return path === '' || found !== undefined;
    files.set(path, markOf(found));
    return false;
  });
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const whole = folder === '' ? root : `${base}/${folder}`;
    const shut = (): unknown => files.set(`${folder}/`, 'shut');
    for (const { name, kind } of entriesOf(disk, whole, shut)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (name === '.git') gits.push(path);
      if (options.left_out.has(name) || options.skipped.has(path)) continue;
      if (kind === 'folder') {
        folders.add(path);
        left.push(path);
        continue;
      }
      const mark = markAt(disk, `${base}/${path}`);
      if (mark === undefined) continue;
      files.set(path, mark);
      if (files.size > options.files_max) return undefined;
    }
  }
  return { files, folders, gits };
}

/** Entries of a folder; none where it is missing or cannot be read. `shut` reports the latter. */
export function entriesOf(
  disk: Disk,
  folder: string,
  shut: () => unknown = () => undefined,
): ReturnType<Disk['list']> {
  try {
    return disk.list(folder);
  } catch (error) {
    if (!isShut(error)) throw error;
    if (!isGone(error)) shut();
    return [];
  }
}

/** An agent may have removed permissions or nested too deep: a change like others, no fault. */
export function isShut(error: unknown): boolean {
  return isGone(error) || ['EACCES', 'EPERM', 'ENAMETOOLONG'].includes(errorCode(error) ?? '');
}

/** Size first, so that a reader of the record sees it. */
function markOf(found: Stat): string {
  const odd = found.kind === 'file' ? '' : ` ${found.kind}`;
  return `${found.bytes} ${found.mtime_ms} ${found.ctime_ms} ${found.inode}${odd}`;
}

/** When the inode of a mark changed last, in milliseconds since the epoch. */
export function changedAt(mark: string): number {
  return Number(mark.split(' ')[2]);
}

/** Undefined when there is nothing. */
export function markAt(disk: Disk, path: string): string | undefined {
  try {
    const found = disk.stat(path);
    return found === undefined ? undefined : markOf(found);
  } catch (error) {
    if (isShut(error)) return 'shut';
    throw error;
  }
}

/** undefined for what is gone, no file, or larger than that. */
export function bytesAt(disk: Disk, path: string, bytes_max: number): Uint8Array | undefined {
  try {
    return disk.read(path, bytes_max);
  } catch (error) {
    if (error instanceof ReadRefused || isShut(error)) return undefined;
    throw error;
  }
}

/** Trimmed; undefined for what cannot be read or is longer than a line. */
export function lineAt(disk: Disk, path: string): string | undefined {
  const bytes = bytesAt(disk, path, LINE_BYTES_MAX);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8').trim();
}

/** The hash of its bytes; a mark where it cannot be read, undefined where nothing is. */
export function digestAt(disk: Disk, path: string, bytes_max: number): string | undefined {
  const bytes = bytesAt(disk, path, bytes_max);
  return bytes === undefined ? markAt(disk, path) : sha256(bytes);
}

export interface Change {
  readonly path: string;
  readonly kind: 'create' | 'write' | 'delete';
}

/** Sorted by path. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): Change[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    return [{ path, kind: is === undefined ? 'delete' : was === undefined ? 'create' : 'write' }];
  });
}
