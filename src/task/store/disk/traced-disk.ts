/**
 * A disk that records what it was asked and what it answered, so that it is known later whether the same
 * questions would be answered alike. Only marks of files are kept, in flat arrays: there are thousands.
 */
import { isGone, type Disk, type Entry, type ReadOptions, type Stat } from './disk.ts';

export interface Trace {
  /** In the order of the questions; one path may be there twice. */
  readonly paths: readonly string[];
  /** MARKS numbers for each of them, as `markStat` writes them. */
  readonly marks: Float64Array;
  /** The latest time of any of them, in milliseconds since the epoch. */
  readonly latest_ms: number;
  /** By folder: the names in it, in the order of the file system; undefined for no such folder. */
  readonly names: ReadonlyMap<string, readonly string[] | undefined>;
}

/** Numbers of each file: kind, bytes, mtime, ctime, inode, device, links. */
export const MARKS = 7;
const KINDS = ['file', 'folder', 'other'] as const;
const NOTHING = -1;
const FIRST_ROOM = 1024;

/** The folder `untraced`, a cache, may be read and written. */
export class TracedDisk {
  readonly disk: Disk;
  readonly #below: Disk;
  readonly #untraced: string;
  readonly #below_untraced: string;
  #paths: string[] = [];
  #marks = new Float64Array(FIRST_ROOM * MARKS);
  #latest_ms = 0;
  readonly #names = new Map<string, readonly string[] | undefined>();
  #spoilt = false;

  constructor(below: Disk, untraced: string) {
    this.#below = below;
    this.#untraced = untraced;
    this.#below_untraced = `${untraced}/`;
    const writes =
      <A extends unknown[]>(write: (path: string, ...rest: A) => void) =>
      (path: string, ...rest: A): void => {
        if (!this.#isLeftOut(path)) this.spoil();
        write(path, ...rest);
      };
    this.disk = {
      list: (folder) => this.#list(folder),
      names: (folder) => this.#list(folder).map(({ name }) => name),
      stat: (path) => this.#stat(path),
      read: (path, bytes_max, options) => this.#read(path, bytes_max, options),
      create: writes(below.create),
      rename: writes(below.rename),
      mkdir: writes(below.mkdir),
      remove: writes(below.remove),
      sync: below.sync,
      // Links are read only after an agent worked, and such a look is not kept.
      link: (path) => {
        this.spoil();
        return below.link?.(path);
      },
    };
  }

  /** Something was asked that no file answers: from now on there is no trace. */
  spoil(): void {
    this.#spoilt = true;
    this.#paths = [];
    this.#names.clear();
  }

  trace(): Trace | undefined {
    this.#lookAtTheRest();
    if (this.#spoilt) return undefined;
    const marks = this.#marks.subarray(0, this.#paths.length * MARKS);
    return { paths: this.#paths, marks, latest_ms: this.#latest_ms, names: this.#names };
  }

  #isLeftOut(path: string): boolean {
    const untraced = path === this.#untraced || path.startsWith(this.#below_untraced);
    return this.#spoilt || untraced;
  }

  #stat(path: string): Stat | undefined {
    if (this.#isLeftOut(path)) return this.#below.stat(path);
    let found: Stat | undefined;
    try {
      found = this.#below.stat(path);
    } catch (error) {
      this.spoil();
      throw error;
    }
    const at = this.#paths.push(path) * MARKS;
    if (at > this.#marks.length) this.#makeRoom();
    markStat(this.#marks, at - MARKS, found);
    if (found !== undefined) {
      this.#latest_ms = Math.max(this.#latest_ms, found.ctime_ms, found.mtime_ms);
    }
    return found;
  }

  #makeRoom(): void {
    const more = new Float64Array(this.#marks.length * 2);
    more.set(this.#marks);
    this.#marks = more;
  }

  #list(folder: string): readonly Entry[] {
    if (this.#isLeftOut(folder)) return this.#below.list(folder);
    const seen: { names?: readonly string[] } = {};
    try {
      const entries = this.#below.list(folder, seen);
      if (seen.names === undefined) this.spoil();
      else this.#noteNames(folder, seen.names);
      return entries;
    } catch (error) {
      if (isGone(error)) this.#noteNames(folder, undefined);
      else this.spoil();
      throw error;
    }
  }

  #noteNames(folder: string, names: readonly string[] | undefined): void {
    const before = this.#names.get(folder);
    const again = this.#names.has(folder);
    if (again && before?.join('/') !== names?.join('/')) this.spoil();
    else if (!this.#spoilt) this.#names.set(folder, names);
  }

  /** The marks are taken before the file is read: a write since then changes them. */
  #read(path: string, bytes_max: number, options?: ReadOptions): Uint8Array {
    if (!this.#isLeftOut(path) && this.#paths.at(-1) !== path) this.#stat(path);
    try {
      return this.#below.read(path, bytes_max, options);
    } catch (error) {
      if (!isAnswer(error)) this.spoil();
      throw error;
    }
  }

  /** Names whose kind came from the listing alone. */
  #lookAtTheRest(): void {
    const asked = new Set<string>();
    let folder = '';
    for (const path of this.#paths) {
      // Files of one task follow each other.
      if (path.startsWith(folder) && path.lastIndexOf('/') === folder.length) continue;
      folder = path.slice(0, path.lastIndexOf('/'));
      asked.add(folder);
    }
    for (const [folder, names] of this.#names) {
      for (const name of names ?? []) {
        const path = `${folder}/${name}`;
        if (!asked.has(path) && !this.#names.has(path) && !this.#spoilt) this.#stat(path);
      }
    }
  }
}

/** A missing file, or one that is refused for what it is, is an answer too. */
function isAnswer(error: unknown): boolean {
  const refused = error instanceof Error && 'reason' in error ? error.reason : undefined;
  return isGone(error) || refused === 'not_a_file' || refused === 'too_large';
}

function markStat(marks: Float64Array, at: number, stat: Stat | undefined): void {
  if (stat === undefined) {
    marks[at] = NOTHING;
    return;
  }
  marks[at] = KINDS.indexOf(stat.kind);
  marks[at + 1] = stat.bytes;
  marks[at + 2] = stat.mtime_ms;
  marks[at + 3] = stat.ctime_ms;
  marks[at + 4] = stat.inode;
  marks[at + 5] = stat.device;
  marks[at + 6] = stat.links;
}

/** Whether it is the same file with the same marks; or still nothing. */
export function isMarked(marks: Float64Array, at: number, now: Stat | undefined): boolean {
  if (now === undefined) return marks[at] === NOTHING;
  return (
    marks[at + 3] === now.ctime_ms &&
    marks[at + 4] === now.inode &&
    marks[at + 1] === now.bytes &&
    marks[at + 2] === now.mtime_ms &&
    marks[at] === KINDS.indexOf(now.kind) &&
    marks[at + 6] === now.links &&
    marks[at + 5] === now.device
  );
}
