/** A contract that is done by a decision (docs/reference/plans.md#waves-and-checkpoints). */
import { inOrder } from '../../task/core/base/expand-order.ts';
import { PERSON, type Contract } from '../../task/core/model/contract.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { rows, type Transition } from '../../task/core/model/transitions.ts';

/**
 * GO: the next wave begins. PAUSE: it does not, until another box is ticked; what waits for no checkpoint
 * goes on. REVIEW: what is done of the wave is verified and reviewed again. ABORT: all that depends on it
 * is given up.
 */
export const DECISIONS = ['GO', 'PAUSE', 'REVIEW', 'ABORT'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Its moves, and what its decision does to others. */
export const TABLE: readonly Transition[] = [
  ...rows(['ready', 'in_progress'], ['checkpoint_asked'], {
    to: 'questions',
    when: 'a checkpoint whose wave has ended: a person is asked',
  }),
  ...rows('questions', ['checkpoint_go'], { to: 'done', when: 'a checkpoint says `GO`' }),
  ...rows('questions', ['checkpoint_review'], { to: 'ready', when: 'a checkpoint says `REVIEW`' }),
  ...rows('done', ['checkpoint_review'], {
    to: 'review',
    when: 'the checkpoint of its wave says `REVIEW`',
  }),
  ...rows(LIVE_STATES, ['checkpoint_abort'], {
    to: 'aborted',
    when: 'a checkpoint says `ABORT`: itself, and all that depends on it and has not ended',
  }),
  ...rows('blocked', ['checkpoint_answered'], {
    to: 'questions',
    by: 'person',
    when: '`contracts answer` of a checkpoint that could not decide',
  }),
];

export function isCheckpoint({ head }: Contract): boolean {
  return head.type === 'checkpoint';
}

/** A checkpoint that names no agent asks a person. */
export function whoDecides({ head }: Contract): string {
  return head.agent ?? PERSON;
}

/**
 * All that depend on `id`, be it through others, the last ones first: who is cut short in the middle
 * leaves a tree in which the rest is found again. `edges` has the dependencies of each.
 */
export function dependentsOf(id: string, edges: ReadonlyMap<string, readonly string[]>) {
  const waiting = new Map([id, ...edges.keys()].map((one) => [one, [] as string[]]));
  for (const [one, needs] of edges) for (const need of needs) waiting.get(need)?.push(one);
  const { order } = inOrder(waiting);
  return order.slice(0, order.indexOf(id));
}
