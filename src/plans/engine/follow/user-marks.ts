/**
 * Who marks a box of a plan is told what it means before a step begins anything of that plan, and what a
 * person closed is not begun by this call: the telling would come too late for work that is done or is not
 * wanted. The next call finds the box as its task stands, and goes on.
 */
import type { Action, Wait } from '../../../task/core/model/action.ts';
import type { Candidate } from '../../../engine/core/decide/schedule.ts';
import type { Crew } from '../../../engine/step/in-flight.ts';
import type { Following } from './sync-boxes.ts';

/** Reads only the plans of which something would be done. */
export async function tellMarksOf(
  following: Following,
  candidates: readonly Candidate[],
): Promise<void> {
  const { board } = following;
  const plans = new Set<string>();
  for (const { id, action } of candidates) {
    const contract = action.kind === 'wait' ? undefined : board.tasks.get(id)?.contract;
    const plan = contract?.ok === true ? contract.value.head.plan : undefined;
    if (plan !== undefined) plans.add(plan);
  }
  if (plans.size === 0) return;
  const { tellMarks } = await import('./sync-boxes.ts');
  tellMarks(following, plans);
}

export function withoutClosed(candidates: readonly Candidate[], crew: Crew): readonly Candidate[] {
  if (crew.closed.size === 0) return candidates;
  return candidates.map((one) => {
    const closed = closedBox(crew, one.id, one.action);
    return closed === undefined ? one : { ...one, action: closed };
  });
}

/** What a dead runner left is taken up all the same: that begins nothing. */
export function closedBox({ closed }: Crew, id: string, action: Action): Wait | undefined {
  if (action.kind !== 'claim' || action.recovers) return undefined;
  return closed.get(id);
}
