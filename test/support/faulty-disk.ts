/**
 * A Disk that fails where it is told to: dies before or after an operation, tears a write, or gives
 * an errno once or for good. It works on the real file system, so that what a "dead" process left
 * behind is what a real one would leave. After it died, every further operation dies too.
 */
import * as fs from 'node:fs';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';

export type DiskOperation = Exclude<keyof Disk, 'folders' | 'link'>;

export type FaultKind =
  | { readonly kind: 'die_before' }
  | { readonly kind: 'die_after' }
  /** Half of the bytes of a `create` reach the disk, then the process dies. */
  | { readonly kind: 'die_torn' }
  | { readonly kind: 'errno'; readonly code: string; readonly for_good: boolean };

export interface Trace {
  readonly operation: DiskOperation;
  readonly path: string;
  /** Where a rename leads. */
  readonly to?: string;
}

/** Thrown by every operation of a process that has died; never caught by the code under test. */
export class Died extends Error {
  constructor() {
    super('the process died');
    this.name = 'Died';
  }
}

export interface FaultyDisk extends Disk {
  /** All operations so far, those that failed included. */
  readonly trace: readonly Trace[];
  readonly dead: boolean;
  /** Resolves at the death: code that waits for something else would never tell. */
  readonly died: Promise<void>;
  /** Dies here and now, between two operations. */
  kill(): void;
}

/** The operations that change something; a death before any other one leaves the same disk. */
export const CHANGES: ReadonlySet<DiskOperation> = new Set([
  'create',
  'rename',
  'mkdir',
  'remove',
  'sync',
]);

/**
 * The real disk without fsync, many times faster. For tests that end a process and never the power:
 * what was written is there for the next process whether it was synced or not.
 */
export const unsyncedDisk: Disk = {
  ...realDisk,
  create: (path, bytes) => realDisk.create(path, bytes, { durable: false }),
  sync: (folder) => {
    fs.closeSync(fs.openSync(folder, fs.constants.O_RDONLY));
  },
};

/** `at` counts operations from 0. Without a fault it only records. */
export function faultyDisk(at = -1, fault?: FaultKind, disk: Disk = realDisk): FaultyDisk {
  const trace: Trace[] = [];
  let told: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    told = resolve;
  });
  const state: State = {
    dead: false,
    die: () => {
      state.dead = true;
      told();
    },
  };
  const wrap = <O extends DiskOperation>(
    operation: O,
    real: (...args: Parameters<Required<Disk>[O]>) => ReturnType<Required<Disk>[O]>,
  ) => {
    return (...args: Parameters<Required<Disk>[O]>): ReturnType<Required<Disk>[O]> => {
      if (state.dead) throw new Died();
      const index = trace.length;
      trace.push({
        operation,
        path: String(args[0]),
        ...(operation === 'rename' ? { to: String(args[1]) } : {}),
      });
      const hit =
        fault !== undefined &&
        (index === at || (fault.kind === 'errno' && fault.for_good && index > at && at >= 0));
      if (!hit || fault === undefined) return real(...args);
      return strike(fault, state, operation, args, real);
    };
  };
  return {
    trace,
    died,
    kill: state.die,
    get dead() {
      return state.dead;
    },
    list: wrap('list', (path) => disk.list(path)),
    names: wrap('names', (path) => disk.names(path)),
    stat: wrap('stat', (path) => disk.stat(path)),
    read: wrap('read', (path, max) => disk.read(path, max)),
    create: wrap('create', (path, bytes, options) => disk.create(path, bytes, options)),
    rename: wrap('rename', (from, to) => disk.rename(from, to)),
    mkdir: wrap('mkdir', (path, mode) => disk.mkdir(path, mode)),
    remove: wrap('remove', (path) => disk.remove(path)),
    sync: wrap('sync', (path) => disk.sync(path)),
  };
}

interface State {
  dead: boolean;
  die(): void;
}

function strike<A extends unknown[], R>(
  fault: FaultKind,
  state: State,
  operation: DiskOperation,
  args: A,
  real: (...args: A) => R,
): R {
  switch (fault.kind) {
    case 'die_before':
      state.die();
      throw new Died();
    case 'die_after':
      real(...args);
      state.die();
      throw new Died();
    case 'die_torn': {
      state.die();
      const bytes = args[1];
      if (operation === 'create' && bytes instanceof Uint8Array) {
        fs.writeFileSync(String(args[0]), bytes.subarray(0, bytes.length >> 1), { flag: 'wx' });
      }
      throw new Died();
    }
    case 'errno':
      throw Object.assign(new Error(`${fault.code}: injected, ${operation}`), { code: fault.code });
  }
}
