/**
 * After an agent worked: its baseline is held against what is there now, the patch of what was beyond
 * its authority is kept, and taken back where that was asked for. Of one that no runner watched to its
 * end the baseline is read from its attempt; without one nothing is said.
 */
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import { compare, type Compared, type CompareOptions } from './compare.ts';
import { distrust } from './mark-untrusted.ts';
import { dropBaseline, readBaseline } from './snapshot-file.ts';
import { keepPatch } from './patch.ts';
import { revertViolations, sayLeft } from './revert.ts';
import type { Baseline } from './snapshot.ts';

export function compareAfter(
  running: Running,
  baseline: Baseline,
  options: CompareOptions,
): Compared {
  const compared = compare(running, baseline, options);
  keepPatch(running, baseline, compared.violating, 'violation.patch');
  const shown = keepPatch(running, baseline, compared.noticing, 'noticed.patch');
  const { kept, trusted } = baseline;
  const beyond = [...compared.violating, ...compared.noticing];
  distrust(running, { kept, trusted, files: baseline.seen.tree?.files }, beyond);
  if (running.revert_violations === true) {
    revertViolations(running, baseline, compared);
    sayLeft(running, compared, shown);
  }
  return compared;
}

/** As it was kept in that attempt, which a recovery may have put aside (`lost`). */
export function leftBaseline(
  running: Running,
  workdir: Workdir,
  number: number,
  lost: boolean,
): Baseline | undefined {
  const folder = findPlace(running)?.folder;
  return folder === undefined
    ? undefined
    : readBaseline(running.ws, attemptFolder(folder, number, lost), workdir);
}

/** Once the outcome is committed; of the attempt that was taken over as well. */
export function forgetBaseline(running: Running, folder: string, source: number | undefined): void {
  const { number, ws } = running;
  dropBaseline(ws, attemptFolder(folder, number));
  if (source !== undefined) dropBaseline(ws, attemptFolder(folder, source, true));
}
