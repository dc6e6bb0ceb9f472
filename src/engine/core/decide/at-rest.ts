/** Which tasks go no further by themselves. Pure. */
import { WAITS, type WaitCode } from '../../../task/core/model/wait-codes.ts';

export interface Standing {
  readonly code: WaitCode | 'nothing';
  /** Ids of the tasks that it waits for. */
  readonly awaits: readonly string[];
}

/** True where a person or a host has the next move, or no move is left. A host that has it works on it. */
function endsWait(code: Standing['code']): boolean {
  if (code === 'nothing') return false;
  return code === 'to_delegate' || WAITS[code] === 'person' || WAITS[code] === 'nobody';
}

/** A task at rest has ended (`live` does not have it), needs a person or a host, or waits for one that does. */
export function isAtRest(id: string, live: ReadonlyMap<string, Standing>): boolean {
  if (!live.has(id)) return true;
  const seen = new Set([id]);
  for (const one of seen) {
    const standing = live.get(one);
    if (standing !== undefined && endsWait(standing.code)) return true;
    for (const other of standing?.awaits ?? []) seen.add(other);
  }
  return false;
}
