/** After an agent worked: compares with the baseline, saves patches, reverts where configured. */
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';
import type { Workdir } from '../../../worktrees/engine/workdir.ts';
import { compare, type Compared, type CompareOptions } from './compare.ts';
import { distrust } from './mark-untrusted.ts';
import { dropBaseline, readBaseline } from './snapshot-file.ts';
import { keepPatch } from './patch.ts';
import { revertViolations, reportLeft } from './revert.ts';
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
    reportLeft(running, compared, shown);
  }
  return compared;
}

/** As it was saved in that attempt, which a recovery may have put aside (`lost`). */
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

/** Once the outcome is committed; also that of an attempt that was taken over. */
export function forgetBaseline(running: Running, folder: string, source: number | undefined): void {
  const { number, ws } = running;
  dropBaseline(ws, attemptFolder(folder, number));
  if (source !== undefined) dropBaseline(ws, attemptFolder(folder, source, true));
}
