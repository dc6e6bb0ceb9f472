/**
 * A Disk that fails where it is told to: dies before or after an operation, tears a write, or gives
 * an errno once or for good. It works on the real file system, so that what a "dead" process left
 * behind is what a real one would leave. After it died, every further operation dies too.
 */
import * as fs from 'node:fs';
import type { Disk } from '../../src/store/disk.ts';
import { realDisk } from '../../src/store/real-disk.ts';

export type DiskOperation = keyof Disk;

export type FaultKind =
  | { readonly kind: 'die_before' }
  | { readonly kind: 'die_after' }
  /** Half of the bytes of a `create` reach the disk, then the process dies. */
  | { readonly kind: 'die_torn' }
  | { readonly kind: 'errno'; readonly code: string; readonly for_good: boolean };

export interface Trace {
  readonly operation: DiskOperation;
  readonly path: string;
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
}

/** `at` counts operations from 0. Without a fault it only records. */
export function faultyDisk(at = -1, fault?: FaultKind): FaultyDisk {
  const trace: Trace[] = [];
  const state = { dead: false };
  const wrap = <A extends unknown[], R>(operation: DiskOperation, real: (...args: A) => R) => {
    return (...args: A): R => {
      if (state.dead) throw new Died();
      const index = trace.length;
      trace.push({ operation, path: String(args[0]) });
      const hit =
        fault !== undefined &&
        (index === at || (fault.kind === 'errno' && fault.for_good && index > at && at >= 0));
      if (!hit || fault === undefined) return real(...args);
      return strike(fault, state, operation, args, real);
    };
  };
  return {
    trace,
    get dead() {
      return state.dead;
    },
    list: wrap('list', realDisk.list),
    stat: wrap('stat', realDisk.stat),
    read: wrap('read', realDisk.read),
    create: wrap('create', realDisk.create),
    rename: wrap('rename', realDisk.rename),
    mkdir: wrap('mkdir', realDisk.mkdir),
    remove: wrap('remove', realDisk.remove),
    sync: wrap('sync', realDisk.sync),
  };
}

function strike<A extends unknown[], R>(
  fault: FaultKind,
  state: { dead: boolean },
  operation: DiskOperation,
  args: A,
  real: (...args: A) => R,
): R {
  switch (fault.kind) {
    case 'die_before':
      state.dead = true;
      throw new Died();
    case 'die_after':
      real(...args);
      state.dead = true;
      throw new Died();
    case 'die_torn': {
      state.dead = true;
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
