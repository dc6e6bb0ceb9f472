/**
 * What the overlapping steps of one process share, so that no two of them take the same task, write the
 * same file, or use more slots together than there are. Other processes are seen on the disk.
 */
import type { Wait } from '../../task/core/model/action.ts';
import type { Writers } from '../../task/core/base/glob-overlap.ts';
import type { Call } from '../../task/core/attempts/pause.ts';

export interface InFlight {
  /** Tasks that one of the steps is doing something with right now. */
  readonly busy: Set<string>;
  /** For each running step: which task may write what. */
  readonly taken: Set<Writers>;
  /** The slots of each task, where `parallel` has limits by state or client. */
  readonly slots: Map<string, readonly string[]>;
  /** Tasks by the turn that they have, which one at a time may have. */
  readonly turns: Map<string, string>;
  /** Tasks that a capability holds back: none of these steps begins them. */
  readonly held: Map<string, Wait>;
  /** Calls that ended in these steps, by task and attempt: the boards that they read are older. */
  readonly calls: Map<string, Call>;
  /** How long the latest look at the tree took. */
  look_ms: number;
  /** No step works on that task any more. */
  freed?(id: string): void;
}

export function newInFlight(): InFlight {
  const empty = { busy: new Set<string>(), taken: new Set<Writers>(), turns: new Map() };
  return { ...empty, slots: new Map(), held: new Map(), calls: new Map(), look_ms: 0 };
}

/** Does it unless another step has this task in hand. */
export async function inHand(in_flight: InFlight, id: string, job: () => Promise<void>) {
  if (in_flight.busy.has(id)) return;
  in_flight.busy.add(id);
  try {
    await job();
  } finally {
    in_flight.busy.delete(id);
    in_flight.slots.delete(id);
    for (const [turn, one] of in_flight.turns) if (one === id) in_flight.turns.delete(turn);
    in_flight.freed?.(id);
  }
}
