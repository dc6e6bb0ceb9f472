/**
 * The executor and reviewers of a squad's work where the contract leaves them open: by category, else by
 * the squad's defaults. Pure; nothing checks that they exist.
 */
import { PERSON, personOr } from '../../task/core/model/contract.ts';
import type { ContractHead } from '../../task/core/model/contract-shape.ts';
import { memberName, type Squad } from './squad.ts';
import type { SquadCategory } from './squad-schema.ts';

/** Reviews the work of a squad without a default reviewer. */
export const DEFAULT_REVIEWER = 'qa';

/** With full names of agents; undefined where the squad has no such category. */
export function categoryIn(
  squad: Squad,
  { category }: Pick<ContractHead, 'category'>,
): SquadCategory | undefined {
  const found = category === undefined ? undefined : squad.categories.get(category);
  if (found === undefined) return undefined;
  const full = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : memberName(squad, name);
  return { ...found, agent: full(found.agent), reviewer: full(found.reviewer) };
}

/** undefined: the default agent. */
export function executorIn(
  squad: Squad,
  head: Pick<ContractHead, 'agent' | 'category'>,
): string | undefined {
  const category = categoryIn(squad, head);
  const named = head.agent ?? category?.agent ?? squad.default_executor;
  return named === undefined ? undefined : personOr(memberName(squad, named));
}

/**
 * The contract's gates with full names, else the squad's reviewer. A person replaces a reviewer that is the
 * executor.
 */
export function gatesIn(
  squad: Squad,
  head: Pick<ContractHead, 'type' | 'agent' | 'category' | 'quality_gate'>,
): readonly string[] {
  if (head.quality_gate.length > 0) {
    return head.quality_gate.map((gate) => personOr(memberName(squad, gate)));
  }
  // A checkpoint is a decision, so nothing is reviewed.
  if (!squad.quality_gates || head.type === 'checkpoint') return [];
  const said = categoryIn(squad, head)?.reviewer ?? squad.default_reviewer ?? DEFAULT_REVIEWER;
  const gate = personOr(memberName(squad, said));
  return [gate === executorIn(squad, head) ? PERSON : gate];
}
