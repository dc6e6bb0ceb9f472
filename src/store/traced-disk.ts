/**
 * A disk that remembers what it was asked and what it answered, so that somebody can tell later
 * whether the same questions would be answered alike. Answers are remembered as marks of files (size,
 * times, inode), never as contents. Whoever writes through it, or is told two different things of one
 * path, has no trace: then there is nothing to compare.
 */
import { isGone, type Disk, type ReadOptions, type Stat } from './disk.ts';

export interface Trace {
  /** By path: what stood there, undefined for nothing. */
  readonly stats: ReadonlyMap<string, Stat | undefined>;
  /** By folder: the names in it, in the order of the file system; undefined for no such folder. */
  readonly names: ReadonlyMap<string, readonly string[] | undefined>;
}

export interface TracedDisk {
  readonly disk: Disk;
  /** Something was asked that no file tells: from now on there is no trace. */
  spoil(): void;
  trace(): Trace | undefined;
}

/** What lies in the folder `untraced` is no fact: a cache may be read and written. */
export function tracedDisk(below: Disk, untraced: string): TracedDisk {
  const traced = new Traced(below, untraced);
  return { disk: traced.disk, spoil: () => traced.spoil(), trace: () => traced.trace() };
}

class Traced {
  readonly #below: Disk;
  readonly #untraced: string;
  readonly #stats = new Map<string, Stat | undefined>();
  readonly #names = new Map<string, readonly string[] | undefined>();
  #spoilt = false;
  readonly disk: Disk;

  constructor(below: Disk, untraced: string) {
    this.#below = below;
    this.#untraced = untraced;
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
    };
  }

  spoil(): void {
    this.#spoilt = true;
    this.#stats.clear();
    this.#names.clear();
  }

  trace(): Trace | undefined {
    this.#lookAtTheRest();
    return this.#spoilt ? undefined : { stats: this.#stats, names: this.#names };
  }

  #isLeftOut(path: string): boolean {
    return this.#spoilt || path === this.#untraced || path.startsWith(`${this.#untraced}/`);
  }

  #stat(path: string): Stat | undefined {
    if (this.#isLeftOut(path)) return this.#below.stat(path);
    const found = this.#orSpoil(() => this.#below.stat(path));
    const before = this.#stats.get(path);
    if (before !== undefined ? !isSame(before, found) : this.#stats.has(path) && found) {
      this.spoil();
    } else this.#stats.set(path, found);
    return found;
  }

  #list(folder: string): ReturnType<Disk['list']> {
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

  /** The marks are taken before the file is read: what is written meanwhile has others. */
  #read(path: string, bytes_max: number, options?: ReadOptions): Uint8Array {
    if (!this.#isLeftOut(path) && !this.#stats.has(path)) this.#stat(path);
    return this.#orSpoil(() => this.#below.read(path, bytes_max, options), isKept);
  }

  #orSpoil<T>(ask: () => T, isAnswer: (error: unknown) => boolean = () => false): T {
    try {
      return ask();
    } catch (error) {
      if (!isAnswer(error)) this.spoil();
      throw error;
    }
  }

  /** Names whose kind was told by the listing alone. */
  #lookAtTheRest(): void {
    if (this.#spoilt) return;
    const asked = new Set<string>();
    for (const path of [...this.#stats.keys(), ...this.#names.keys()]) {
      asked.add(path);
      asked.add(path.slice(0, path.lastIndexOf('/')));
    }
    for (const [folder, names] of this.#names) {
      for (const name of names ?? []) {
        const path = `${folder}/${name}`;
        if (!asked.has(path) && !this.#spoilt) this.#stat(path);
      }
    }
  }
}

/** Where a file is not there, or is one that is refused by what it is, that is an answer as well. */
function isKept(error: unknown): boolean {
  const refused = error instanceof Error && 'reason' in error ? error.reason : undefined;
  return isGone(error) || refused === 'not_a_file' || refused === 'too_large';
}

/** Whether it is the same file, unchanged as far as its marks tell. */
export function isSame(a: Stat, b: Stat | undefined): boolean {
  return (
    b !== undefined &&
    a.ctime_ms === b.ctime_ms &&
    a.inode === b.inode &&
    a.bytes === b.bytes &&
    a.mtime_ms === b.mtime_ms &&
    a.kind === b.kind &&
    a.links === b.links &&
    a.device === b.device
  );
}
