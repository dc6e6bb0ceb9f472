/**
 * After an agent worked: its witness is held against what is there now, the patch of what was beyond
 * its authority is kept, and taken back where that was asked for. Of one that no runner watched to its
 * end the witness is read from its attempt; without one nothing is said.
 */
import type { AgentRecord } from '../../../task/core/attempts/record.ts';
import { attemptFolder } from '../../../task/store/tasks/layout.ts';
import { findPlace, type Running } from '../../../workspace/tasks/attempt-context.ts';
import { keepConfirmed } from '../../../engine/attempt/contract-confirmation.ts';
import { sharedGround, type Ground } from '../../../worktrees/engine/workdir.ts';
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
  keepConfirmed(running, witness.contracts, options.source);
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

/** `source` is the attempt whose agent worked, which a recovery has put aside; `agent` its start. */
export function compareLeft(
  running: Running,
  ground: Ground,
  source: number,
  agent?: AgentRecord,
): Compared | undefined {
  const { number, ws } = running;
  const folder = findPlace(running)?.folder;
  if (folder === undefined) return undefined;
  const witness = readWitness(ws, attemptFolder(folder, source, source !== number), ground);
  if (witness === undefined) return undefined;
  const { writes, shut = [] } = agent ?? {};
  const reach = writes === undefined ? undefined : { writes, shut };
  return compareAfter(running, witness, { source, reach });
}

/** What dead agents did to contracts, where nothing else of them is taken over. */
export function keepConfirmedOfDead(running: Running): void {
  const { ws, task, owner } = running;
  const folder = findPlace(running)?.folder;
  for (const { number, agent } of task.attempts) {
    if (folder === undefined || number <= owner.base || agent === undefined) continue;
    const ground = sharedGround(running);
    const witness = readWitness(ws, attemptFolder(folder, number, true), ground);
    if (witness !== undefined) keepConfirmed(running, witness.contracts, number);
  }
}

/** Once the outcome is committed; of the attempt that was taken over as well. */
export function forgetWitness(running: Running, folder: string, source: number | undefined): void {
  const { number, ws } = running;
  dropWitness(ws, attemptFolder(folder, number));
  if (source !== undefined) dropWitness(ws, attemptFolder(folder, source, true));
}
