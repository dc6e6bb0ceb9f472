/**
 * A disk that records what it was asked and what it answered, so that it is known later whether the same
 * questions would be answered alike.
 */
import { isGone, type Disk, type Entry, type Stat } from './disk.ts';

/**
 * The marks of all that was looked at. In `folder`, where one is given, nothing stands for what was not there:
 * the mark of the folder that it would be in changes when it comes.
 */
export class Trace {
  readonly folder: string | undefined;
  readonly paths: string[] = [];
  readonly stats: (Stat | undefined)[] = [];
  /** Questions that are no file's, each followed by its answer. */
  readonly asked: string[] = [];
  /** The latest time of any of them, in milliseconds since the epoch. */
  latest_ms = 0;
  /** Something was asked that no file answers, or something was changed. */
  spoilt = false;

  constructor(folder?: string) {
    this.folder = folder;
  }

  isInside(path: string): boolean {
    const { folder } = this;
    return folder !== undefined && path.startsWith(folder) && path[folder.length] === '/';
  }

  has(path: string): boolean {
    return this.paths.includes(path);
  }

  note(path: string, found: Stat | undefined): void {
    if (this.has(path) || (found === undefined && this.isInside(path))) return;
    this.paths.push(path);
    this.stats.push(found);
    if (found !== undefined) {
      this.latest_ms = Math.max(this.latest_ms, found.ctime_ms, found.mtime_ms);
    }
  }
}

export class TracedDisk {
  readonly disk: Disk;
  readonly #below: Disk;
  readonly #traceOf: (path: string) => Trace | undefined;

  /** `traceOf`: where a question about this path is noted; undefined: nowhere. */
  constructor(below: Disk, traceOf: (path: string) => Trace | undefined) {
    this.#below = below;
    this.#traceOf = traceOf;
    const changes =
      <A extends unknown[]>(change: (path: string, ...rest: A) => void) =>
      (path: string, ...rest: A): void => {
        const trace = traceOf(path);
        if (trace !== undefined) trace.spoilt = true;
        change(path, ...rest);
      };
    this.disk = {
      list: (folder) => this.#content(folder, () => below.list(folder)),
      names: (folder) => this.#content(folder, () => below.names(folder)),
      stat: (path) => this.#stat(path),
      read: (path, ...rest) => this.#content(path, () => below.read(path, ...rest)),
      create: changes(below.create),
      rename: changes(below.rename),
      mkdir: changes(below.mkdir),
      remove: changes(below.remove),
      sync: below.sync,
      link: (path) => this.#content(path, () => below.link?.(path)),
    };
  }

  #stat(path: string): Stat | undefined {
    const trace = this.#traceOf(path);
    return trace === undefined ? this.#below.stat(path) : this.#noted(trace, path);
  }

  /** The folders above it first: what comes between two looks changes the mark of the first. */
  #noted(trace: Trace, path: string): Stat | undefined {
    if (trace.isInside(path)) {
      const start = trace.folder?.length ?? 0;
      for (let end = path.indexOf('/', start + 1); end !== -1; end = path.indexOf('/', end + 1)) {
        const above = path.slice(0, end);
        const found = trace.has(above) ? undefined : this.#note(trace, above);
        // Behind a link nothing changes its mark.
        if (found?.kind === 'other') trace.spoilt = true;
      }
    }
    return this.#note(trace, path);
  }

  #note(trace: Trace, path: string): Stat | undefined {
    try {
      const found = this.#below.stat(path);
      trace.note(path, found);
      return found;
    } catch (error) {
      trace.spoilt = true;
      throw error;
    }
  }

  /** The mark is taken before the file or the folder is read: a change since then changes it. */
  #content<T extends Uint8Array | readonly (Entry | string)[] | string | undefined>(
    path: string,
    read: () => T,
  ): T {
    const trace = this.#traceOf(path);
    if (trace !== undefined && !trace.has(path)) this.#noted(trace, path);
    try {
      return read();
    } catch (error) {
      if (trace !== undefined && !isAnswer(error)) trace.spoilt = true;
      throw error;
    }
  }
}

/** A missing file, or one that is refused for what it is, is an answer too. */
function isAnswer(error: unknown): boolean {
  const refused = error instanceof Error && 'reason' in error ? error.reason : undefined;
  return isGone(error) || refused === 'not_a_file' || refused === 'too_large';
}

/** Numbers of each path. */
export const MARKS = 5;
const NOTHING = -1;

export function marksOf({ stats }: Trace): Float64Array {
  const marks = new Float64Array(stats.length * MARKS).fill(NOTHING);
  for (const [i, one] of stats.entries()) {
    if (one === undefined) continue;
    marks.set([one.ctime_ms, one.inode, one.bytes, one.mtime_ms, one.device], i * MARKS);
  }
  return marks;
}

/** True if it is the same file, unchanged since; or still nothing. A link or kind that changes, changes ctime. */
export function isMarked(marks: Float64Array, at: number, now: Stat | undefined): boolean {
  if (now === undefined) return marks[at] === NOTHING;
  return (
    marks[at] === now.ctime_ms &&
    marks[at + 1] === now.inode &&
    marks[at + 2] === now.bytes &&
    marks[at + 3] === now.mtime_ms &&
    marks[at + 4] === now.device
  );
}
