/**
 * What the runner does with a disk. All synchronous: the order of system calls is the order of the
 * program, and a test can put a crash between any two. Errors are Node's own, with `code`.
 */
import type { ProblemCode } from '../../core/model/problem.ts';

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface Stat {
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
  readonly mtime_ms: number;
  readonly ctime_ms: number;
  readonly inode: number;
  readonly device: number;
  readonly links: number;
  /** Its permissions as in chmod(2), where the disk knows them. */
  readonly mode?: number;
}

export interface ReadOptions {
  readonly single_link: boolean;
  /** Gets the time of the file that was read, where the disk knows it at no cost. */
  readonly seen?: { mtime_ms?: number };
  /**
   * For a comparison with `bytes_max` known bytes: more may be given, no bytes for what is no file, and
   * a change during the read is not noticed.
   */
  readonly compared?: boolean;
}

export interface CreateOptions {
  readonly durable: boolean;
  /** 0o644 when left out. */
  readonly mode?: number;
}

export interface Disk {
  /** Sorted by name. Throws ENOENT. */
  list(folder: string): readonly Entry[];
  /** The names alone; cheaper. Throws ENOENT. */
  names(folder: string): readonly string[];
  /**
   * The names in a folder of many folders and nothing else, in any order: cheaper than the kind of each.
   * undefined where that is not certain. Of more than `most` some are read, which is cheaper still.
   */
  folders?(folder: string, most?: number): readonly string[] | undefined;
  /** Never follows a link. undefined when there is nothing. */
  stat(path: string): Stat | undefined;
  /** The target of a symbolic link, as it is written; undefined for what is none. */
  link?(path: string): string | undefined;
  /**
   * A regular file of at most `bytes_max`, never through a link, the same before and after. With
   * `single_link` a file that has a second name somewhere is refused too.
   */
  read(path: string, bytes_max: number, options?: ReadOptions): Uint8Array;
  /** A new file, all of it, synced unless it is not to be durable. EEXIST when it is there. */
  create(path: string, bytes: Uint8Array, options?: CreateOptions): void;
  rename(from: string, to: string): void;
  /** One level, 0o777 when `mode` is left out. EEXIST when it is there. */
  mkdir(path: string, mode?: number): void;
  /** A file, or an empty folder. */
  remove(path: string): void;
  /** Makes the entries of a folder, or the bytes of a file, durable. */
  sync(path: string): void;
}

/** `read` refuses this file. Not a fault: the task waits, the others continue. */
export class ReadRefused extends Error {
  readonly reason: Extract<ProblemCode, 'not_a_file' | 'too_large' | 'unreadable'>;
  constructor(reason: ReadRefused['reason'], message: string) {
    super(message);
    this.name = 'ReadRefused';
    this.reason = reason;
  }
  /** By name: parts of the command that are loaded later have a class of their own. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'ReadRefused';
  }
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** There is nothing at that path any more: somebody else moved it. Not an error; report it, continue. */
export function isGone(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** `otherwise` where there is nothing at that path any more; other errors are thrown. */
export function unlessGone<T, U>(act: () => T, otherwise: U): T | U {
  try {
    return act();
  } catch (error) {
    if (isGone(error)) return otherwise;
    throw error;
  }
}

/** undefined where the system shuts it; other errors are thrown. */
export function unlessShut<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) === 'EACCES') return undefined;
    throw error;
  }
}

/** One level. False when something is there already. */
export function makeFolder(disk: Disk, path: string): boolean {
  try {
    disk.mkdir(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** A file, or a folder with all that is in it; a link is removed itself. Throws where something cannot be removed. */
export function removeTree(disk: Disk, path: string): void {
  if (disk.stat(path)?.kind === 'folder') {
    for (const { name } of disk.list(path)) removeTree(disk, `${path}/${name}`);
  }
  disk.remove(path);
}
