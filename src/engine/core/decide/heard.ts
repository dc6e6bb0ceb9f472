/** Rules of who was heard in a round of questions before the work, and who is asked again. Pure. */
import { lastEnded } from '../../../task/core/attempts/counters.ts';
import type { OutcomeCode } from '../../../task/core/attempts/outcome-codes.ts';
import type { Attempt } from '../../../task/core/attempts/record.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';

/** Ends of a round that say nothing about questions: it is had again. */
const UNHEARD: ReadonlySet<string> = new Set<OutcomeCode>([
  ...(['stopped', 'round_cut_short', 'moved_by_hand', 'not_started', 'fault'] as const),
  ...(['client_limit', 'client_outage', 'client_login', 'client_account'] as const),
  ...(['client_model', 'machine_lost', 'queue_lost'] as const),
]);

const isHeard = ({ lost, outcome }: Attempt): boolean =>
  !lost && outcome !== undefined && !UNHEARD.has(outcome.code ?? '');

/** True where questions before the work are wanted, and no agent was heard yet. Work that was begun has its own. */
export function wantsRound({ state, contract, attempts }: TaskRead): boolean {
  if (state !== 'ready' || !contract.ok || contract.value.head.ask !== 'before') return false;
  return attempts.every((one) => one.kind === 'ask' && !isHeard(one));
}

/** True where a round that began after the attempt of this number was heard. */
export function heardSince(attempts: readonly Attempt[], number: number): boolean {
  return attempts.some((one) => one.kind === 'ask' && one.number > number && isHeard(one));
}

/** True where its agent has said, of the very contract with this hash, what it asks or that it asks nothing. */
export function wasAsked({ attempts }: TaskRead, contract: string): boolean {
  const { owner, outcome } = lastEnded(attempts, 'ask') ?? {};
  return outcome?.outcome !== 'interrupted' && owner?.contract === contract;
}
