/**
 * The nine things that the runner does with a disk. One real one and, in the tests, a faulty one.
 * All synchronous: the order of system calls is then the order of the program, and a crash can be
 * put between any two. Errors are Node's own, with `code`; only `read` refuses with a ReadRefused.
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
  /** Its permissions as in chmod(2), where the disk can tell. */
  readonly mode?: number;
}

export interface ReadOptions {
  readonly single_link: boolean;
  /** Gets the time of the file that was read, from a disk that can tell it at no cost. */
  readonly seen?: { mtime_ms?: number };
  /**
   * For who compares the bytes with `bytes_max` known ones: more may be given, and what is no file
   * may be given as no bytes; that it stays the same while it is read is not looked at.
   */
  readonly compared?: boolean;
}

export interface CreateOptions {
  readonly durable: boolean;
  /** 0o644 when left out. */
  readonly mode?: number;
}

export interface Disk {
  /**
   * Sorted by name. Throws ENOENT when there is no such folder. `seen` gets the names alone, in the
   * order of `names`, from a disk that has one.
   */
  list(folder: string, seen?: { names?: readonly string[] }): readonly Entry[];
  /** The names alone, in an order that stays while nothing changes; cheaper, and ENOENT as well. */
  names(folder: string): readonly string[];
  /**
   * The names in a folder in which many folders stand and nothing else, in any order: cheaper than to
   * ask each for its kind. undefined where it may not be so; not every disk can tell.
   */
  folders?(folder: string): readonly string[] | undefined;
  /** Never follows a link. undefined when there is nothing. */
  stat(path: string): Stat | undefined;
  /** Where a symbolic link leads to, as it is written; undefined for what is none. Not every disk can tell. */
  link?(path: string): string | undefined;
  /**
   * A regular file of at most `bytes_max`, never through a link, the same before and after. With
   * `single_link` a file that has a second name somewhere is refused too.
   */
  read(path: string, bytes_max: number, options?: ReadOptions): Uint8Array;
  /** A new file, all of it; synced to the disk unless told otherwise. EEXIST when it is there. */
  create(path: string, bytes: Uint8Array, options?: CreateOptions): void;
  rename(from: string, to: string): void;
  /** One level, 0o777 when `mode` is left out. EEXIST when it is there. */
  mkdir(path: string, mode?: number): void;
  /** A file, or an empty folder. */
  remove(path: string): void;
  /** Makes the entries of a folder, or the bytes of a file, durable. */
  sync(path: string): void;
}

/** What `read` says of a file that it will not read. Not a fault: the task waits, others go on. */
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
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return undefined;
}

/** There is nothing at that path any more: somebody else moved it. Not an error; say so, go on. */
export function isGone(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
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
