/**
 * From one action a task to a plan of a step: the order in which they are taken (priority, then
 * age, then id), and who of them is not admitted (admission.ts). `step --dry-run` prints this
 * value; `step` applies the same one.
 */
import { PRIORITIES, type Priority } from '../../../task/core/model/contract-shape.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { Writers } from '../../../task/core/base/glob-overlap.ts';
import { admit, type Claimant, type Taken } from './admission.ts';

export interface Candidate {
  readonly id: string;
  readonly priority: Priority;
  /** Milliseconds since the epoch; the older goes first. */
  readonly since_ms: number;
  readonly action: Action;
  readonly claimant?: Claimant | undefined;
}

const RANK = Object.fromEntries(PRIORITIES.map((one, i) => [one, i])) as Record<Priority, number>;

export function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    RANK[a.priority] - RANK[b.priority] ||
    a.since_ms - b.since_ms ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** `writers` gets those that are admitted and write in the tree that all share. */
export function planStep(
  candidates: readonly Candidate[],
  taken: Omit<Taken, 'turns' | 'writers'>,
  writers = new Writers(),
): readonly Candidate[] {
  const sorted = candidates.toSorted(compareCandidates);
  const holders = new Map(taken.holders);
  const all = { ...taken, holders, turns: turnsOf(sorted), writers: [writers] };
  return sorted.map((candidate) => {
    const { claimant } = candidate;
    if (claimant === undefined) return candidate;
    const action = admit(claimant, all);
    if (action !== undefined) return { ...candidate, action, claimant: undefined };
    const { id, writes, shared, slots } = claimant;
    if (slots !== undefined) holders.set(id, slots);
    const serial = shared && taken.conflicts === 'serialize' && claimant.action.work === 'work';
    if (serial) writers.add(id, writes, true);
    return candidate;
  });
}

/** The task that has each turn: what was begun is ended first. */
function turnsOf(sorted: readonly Candidate[]): ReadonlyMap<string, string> {
  const claimants = sorted.flatMap(({ claimant }) => claimant ?? []);
  const begun = claimants.filter(({ action }) => action.recovers || action.work === 'review');
  const turns = new Map<string, string>();
  for (const { id, turn } of [...begun, ...claimants]) {
    if (turn !== undefined && !turns.has(turn)) turns.set(turn, id);
  }
  return turns;
}
