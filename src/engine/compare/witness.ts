/**
 * What an attempt changed: the ground as it was before the agent was called, held against what it is
 * afterwards. Says what is different; whether that was allowed is core's.
 */
import { changedFiles, snapshot, type Snapshot } from '../../store/tree.ts';
import type { Running } from '../attempt/running.ts';
import { layoutOn, type Ground } from '../worktree/ground.ts';

/** How many changed paths an outcome lists. */
const CHANGED_MAX = 200;

export interface Compared {
  readonly changed: readonly string[];
}

export interface Witness {
  readonly before: Snapshot | undefined;
}

export function takeWitness(running: Running, ground: Ground): Witness {
  return { before: snapshot(running.ws.disk, layoutOn(running, ground)) };
}

export function compare(running: Running, ground: Ground, witness: Witness): Compared {
  const after = snapshot(running.ws.disk, layoutOn(running, ground));
  return { changed: changedFiles(witness.before, after).slice(0, CHANGED_MAX) };
}
