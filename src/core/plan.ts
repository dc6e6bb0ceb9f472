/**
 * From one action a task to a plan of a step: the order in which they are taken (priority, then
 * age, then id), the slots, and tasks that must not run together. `step --dry-run` prints this
 * value; `step` applies the same one.
 */
import { PRIORITIES, type Priority } from './contract-shape.ts';
import { wait, type Action, type Wait } from './action.ts';

export interface Candidate {
  readonly id: string;
  readonly priority: Priority;
  /** Milliseconds since the epoch; the older goes first. */
  readonly since_ms: number;
  readonly deliverables: readonly string[];
  readonly action: Action;
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
  const taken = new Map<string, string>();
  const full = policy.parallel - policy.running <= 0;
  return candidates.toSorted(compareCandidates).map((candidate) => {
    const { action } = candidate;
    if (action.kind !== 'claim') return candidate;
    if (takesSlot(action) && full) return { ...candidate, action: slotWait(policy.parallel) };
    if (action.work === 'review' || action.recovers) return candidate;
    const clash = candidate.deliverables.find((path) => taken.has(path));
    if (clash !== undefined) {
      const reason = `${taken.get(clash) ?? ''} is working on ${clash}`;
      return { ...candidate, action: wait('task', reason, '') };
    }
    for (const path of candidate.deliverables) taken.set(path, candidate.id);
    return candidate;
  });
}

export function slotWait(parallel: number): Wait {
  return wait('slot', `all ${parallel} slots are taken`, '');
}
