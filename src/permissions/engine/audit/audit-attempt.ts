/**
 * After an agent worked: its witness is held against what is there now, the patch of what was beyond
 * its authority is kept, and taken back where that was asked for. Of one that no runner watched to its
 * end the witness is read from its attempt; without one nothing is said.
 */
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';
import type { Ground } from '../../../worktrees/engine/workdir.ts';
import { compare, type Compared, type CompareOptions } from './compare.ts';
import { distrust } from './mark-untrusted.ts';
import { dropWitness, readWitness } from './snapshot-file.ts';
import { keepPatch } from './patch.ts';
import { revertViolations, sayLeft } from './revert.ts';
import type { Witness } from './snapshot.ts';

export function compareAfter(
  running: Running,
  witness: Witness,
  options: CompareOptions,
): Compared {
  const compared = compare(running, witness, options);
  keepPatch(running, witness, compared.violating, 'violation.patch');
  const shown = keepPatch(running, witness, compared.noticing, 'noticed.patch');
  const { kept, trusted } = witness;
  const beyond = [...compared.violating, ...compared.noticing];
  distrust(running, { kept, trusted, files: witness.seen.tree?.files }, beyond);
  if (running.revert_violations === true) {
    revertViolations(running, witness, compared);
    sayLeft(running, compared, shown);
  }
  return compared;
}

/** As it was kept in that attempt, which a recovery may have put aside (`lost`). */
export function witnessLeft(
  running: Running,
  ground: Ground,
  number: number,
  lost: boolean,
): Witness | undefined {
  const folder = findPlace(running)?.folder;
  return folder === undefined
    ? undefined
    : readWitness(running.ws, attemptFolder(folder, number, lost), ground);
}

/** Once the outcome is committed; of the attempt that was taken over as well. */
export function forgetWitness(running: Running, folder: string, source: number | undefined): void {
  const { number, ws } = running;
  dropWitness(ws, attemptFolder(folder, number));
  if (source !== undefined) dropWitness(ws, attemptFolder(folder, source, true));
}
