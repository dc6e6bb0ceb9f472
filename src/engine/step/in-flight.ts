/**
 * What the steps of one process know of each other where they overlap, as those of a watch or of a
 * run do: which tasks are in hand, and which deliverables. No two of them take the same task, or write
 * the same file, or use more slots together than there are. Other processes are seen on the disk.
 */
import type { Wait } from '../../task/core/model/action.ts';
import type { Writers } from '../../task/core/base/glob-overlap.ts';
import type { Call } from '../../task/core/attempts/pause.ts';

export interface Crew {
  /** Tasks that one of the steps is doing something with right now. */
  readonly busy: Set<string>;
  /** For each step that goes on: who may write what. */
  readonly taken: Set<Writers>;
  /** Which task has each turn that one at a time may have. */
  readonly turns: Map<string, string>;
  /** Tasks that a capability holds back: none of these steps begins them. */
  readonly held: Map<string, Wait>;
  /** What ended in these steps, by task and attempt: the boards that they read are older. */
  readonly calls: Map<string, Call>;
  /** A task is in nobody's hand any more. */
  freed?(id: string): void;
}

export function newCrew(): Crew {
  const empty = { busy: new Set<string>(), taken: new Set<Writers>(), turns: new Map() };
  return { ...empty, held: new Map(), calls: new Map() };
}

/** Does it unless another step has this task in hand. */
export async function inHand(crew: Crew, id: string, job: () => Promise<void>): Promise<void> {
  if (crew.busy.has(id)) return;
  crew.busy.add(id);
  try {
    await job();
  } finally {
    crew.busy.delete(id);
    for (const [turn, one] of crew.turns) if (one === id) crew.turns.delete(turn);
    crew.freed?.(id);
  }
}
