/** Which tasks nothing moves without a person. Pure. */
import type { WaitsFor } from '../../../task/core/model/wait-codes.ts';

export interface Standing {
  readonly waits_for: WaitsFor | 'nothing';
  /** Ids of the tasks that it waits for. */
  readonly awaits: readonly string[];
}

/** It has ended (`live` does not have it), waits for a person, or waits for a task that does. */
export function isAtRest(id: string, live: ReadonlyMap<string, Standing>): boolean {
  if (!live.has(id)) return true;
  const seen = new Set([id]);
  for (const one of seen) {
    const standing = live.get(one);
    if (standing?.waits_for === 'person') return true;
    for (const other of standing?.awaits ?? []) seen.add(other);
  }
  return false;
}
