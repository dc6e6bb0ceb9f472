/**
 * A checkpoint between two waves of a plan (docs/reference/plans.md#waves-and-checkpoints): a contract
 * that is done by a decision, and not by work. Who is asked, what the boxes say, and who goes with it
 * when all that depends on it is given up. Pure.
 */
import { PERSON, type Contract } from '../../task/core/model/contract.ts';

export function isCheckpoint({ head }: Contract): boolean {
  return head.type === 'checkpoint';
}

/** A checkpoint that names no agent asks a person. */
export function whoDecides({ head }: Contract): string {
  return head.agent ?? PERSON;
}

/** Whether a task goes on when `id` failed: a checkpoint asks about it, a join is given its result. */
export function isJoin(contract: Contract, id: string): boolean {
  return isCheckpoint(contract) || !contract.head.depends_on.includes(id);
}

/**
 * All that depend on `id`, be it through others, the last ones first: who is cut short in the middle
 * leaves a tree in which the rest is found again. `edges` has the dependencies of each.
 */
export function dependentsOf(
  id: string,
  edges: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const waiting = new Map<string, string[]>();
  for (const [one, needs] of edges) {
    for (const need of needs) waiting.set(need, [...(waiting.get(need) ?? []), one]);
  }
  const seen = new Set([id]);
  const ordered: string[] = [];
  const open = [{ id, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const one = waiting.get(top.id)?.[top.next++];
    if (one === undefined) ordered.push(open.pop()?.id ?? '');
    else if (!seen.has(one)) {
      seen.add(one);
      open.push({ id: one, next: 0 });
    }
  }
  return ordered.filter((one) => one !== id);
}
