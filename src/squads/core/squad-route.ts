/**
 * Who does a piece of a squad's work and who judges it, where the contract leaves that open: by its
 * category, else by the squad's own defaults. Pure; it does not ask whether anybody of that name is there.
 */
import { PERSON, personOr } from '../../task/core/model/contract.ts';
import type { ContractHead } from '../../task/core/model/contract-shape.ts';
import { memberName, type Squad } from './squad.ts';
import type { SquadCategory } from './squad-schema.ts';

/** Reviews the work of a squad that names no agent for it. */
export const DEFAULT_REVIEWER = 'qa';

/** The category that the contract names, with the full names of agents; undefined where the squad has none of it. */
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

/** undefined: the squad leaves it to the default agent. */
export function executorIn(
  squad: Squad,
  head: Pick<ContractHead, 'agent' | 'category'>,
): string | undefined {
  const category = categoryIn(squad, head);
  const named = head.agent ?? category?.agent ?? squad.default_executor;
  return named === undefined ? undefined : personOr(memberName(squad, named));
}

/**
 * Its gates with full names; where it names none and the squad has gates, who reviews there. A person,
 * where that would be who does the work.
 */
export function gatesIn(
  squad: Squad,
  head: Pick<ContractHead, 'type' | 'agent' | 'category' | 'quality_gate'>,
): readonly string[] {
  if (head.quality_gate.length > 0) {
    return head.quality_gate.map((gate) => personOr(memberName(squad, gate)));
  }
  // A checkpoint is itself a decision, and nobody's work.
  if (!squad.quality_gates || head.type === 'checkpoint') return [];
  const said = categoryIn(squad, head)?.reviewer ?? squad.default_reviewer ?? DEFAULT_REVIEWER;
  const gate = personOr(memberName(squad, said));
  return [gate === executorIn(squad, head) ? PERSON : gate];
}
