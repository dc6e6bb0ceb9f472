/**
 * What the steps of one process know of each other where they overlap, as those of a watch or of a
 * run do: which tasks are in hand, and which deliverables. No two of them take the same task, or write
 * the same file, or use more slots together than there are. Other processes are seen on the disk.
 */

export interface Crew {
  /** Tasks that one of the steps is doing something with right now. */
  readonly busy: Set<string>;
  /** For each step that goes on: deliverables, and the task that it lets write them. */
  readonly taken: Set<ReadonlyMap<string, string>>;
  /** A task is in nobody's hand any more. */
  freed?(id: string): void;
}

export function newCrew(freed?: (id: string) => void): Crew {
  return { busy: new Set(), taken: new Set(), ...(freed && { freed }) };
}

/** The other task that one of the steps lets write this file. */
export function otherWriter({ taken }: Crew, path: string, id: string): string | undefined {
  for (const one of taken) {
    const other = one.get(path);
    if (other !== undefined && other !== id) return other;
  }
  return undefined;
}

/** Does it unless another step has this task in hand. */
export async function inHand(crew: Crew, id: string, job: () => Promise<void>): Promise<void> {
  if (crew.busy.has(id)) return;
  crew.busy.add(id);
  try {
    await job();
  } finally {
    crew.busy.delete(id);
    crew.freed?.(id);
  }
}
