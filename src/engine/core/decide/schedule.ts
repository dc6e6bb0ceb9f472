/**
 * From one action a task to a plan of a step: the order in which they are taken (priority, then
 * age, then id), the slots, and tasks that must not run together. `step --dry-run` prints this
 * value; `step` applies the same one.
 */
import { PRIORITIES, type Priority } from '../../../task/core/model/contract-shape.ts';
import type { Action } from '../../../task/core/model/action.ts';
import { wait } from '../words/waits.ts';
import { Writers } from '../../../task/core/base/glob-overlap.ts';

export interface Candidate {
  readonly id: string;
  readonly priority: Priority;
  /** Milliseconds since the epoch; the older goes first. */
  readonly since_ms: number;
  /** What it writes in the tree that all share, where no two that write the same run together. */
  readonly writes: readonly string[];
  readonly action: Action;
  /** The turn that it takes, where one task at a time has it. */
  readonly turn?: string | undefined;
}

export interface PlanPolicy {
  /** Calls that may run at once, those of other runners included. */
  readonly parallel: number;
  /** Attempts that run already, here or elsewhere. */
  readonly running: number;
}

const RANK = Object.fromEntries(PRIORITIES.map((one, i) => [one, i])) as Record<Priority, number>;

export function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    RANK[a.priority] - RANK[b.priority] ||
    a.since_ms - b.since_ms ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** People and hosts take no slot. */
export function takesSlot(action: Action): boolean {
  return action.kind === 'claim' && action.owner === 'process';
}

export function planStep(
  candidates: readonly Candidate[],
  policy: PlanPolicy,
): readonly Candidate[] {
  const taken = new Writers();
  const full = policy.parallel - policy.running <= 0;
  const sorted = candidates.toSorted(compareCandidates);
  const turns = turnsOf(sorted);
  return sorted.map((candidate) => {
    const { action, turn } = candidate;
    if (action.kind !== 'claim') return candidate;
    if (takesSlot(action) && full) return { ...candidate, action: wait('slots', policy) };
    const other = turn === undefined ? undefined : turns.get(turn);
    if (turn !== undefined && other !== undefined && other !== candidate.id) {
      return { ...candidate, action: wait('turn', { turn, other }) };
    }
    if (action.work === 'review' || action.recovers) return candidate;
    const rival = taken.rivalOf(candidate.id, candidate.writes, () => true);
    if (rival !== undefined) return { ...candidate, action: wait('same_file', rival) };
    taken.add(candidate.id, candidate.writes, true);
    return candidate;
  });
}

/** The task that has each turn: what was begun is ended first. */
function turnsOf(sorted: readonly Candidate[]): ReadonlyMap<string, string> {
  const turns = new Map<string, string>();
  const take = (fits: (action: Claim) => boolean): void => {
    for (const { id, action, turn } of sorted) {
      if (turn === undefined || action.kind !== 'claim' || turns.has(turn)) continue;
      if (fits(action)) turns.set(turn, id);
    }
  };
  take((action) => action.recovers || action.work === 'review');
  take(() => true);
  return turns;
}

type Claim = Extract<Action, { kind: 'claim' }>;
