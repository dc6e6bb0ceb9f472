/**
 * A squad as data (docs/reference/squads.md), and who does and reviews its work where a contract leaves
 * that open: by category, else by its defaults. Pure; nothing checks that these agents exist.
 */
import type { HeldArticle } from './constitution.ts';
import { PERSON, personOr } from '../../task/core/model/contract.ts';
import type { ContractHead } from '../../task/core/model/contract-shape.ts';
import type { SquadCategory, SquadOwn } from './squad-schema.ts';

export interface SquadAgent {
  /** As the squad calls it. */
  readonly name: string;
  /** `<squad>/<name>`, or the plain name where the squad only names an agent. */
  readonly full: string;
  readonly description?: string | undefined;
  readonly is_chief: boolean;
}

type Read = 'name' | 'contract_type' | 'articles';
type Open = 'version' | 'chief' | 'default_executor' | 'default_reviewer' | 'plan_template';

/** Agents have the names that the squad uses. */
export interface Squad extends Omit<SquadOwn, Read | Open>, Partial<Pick<SquadOwn, Open>> {
  readonly name: string;
  readonly source: 'built-in' | 'user' | 'project';
  /** Relative to the workspace, or absolute. */
  readonly file: string;
  /** Absolute; has agents, skills, tasks, templates, checklists and workflows. */
  readonly folder: string;
  /** The squad that it extends. */
  readonly base?: Squad | undefined;
  readonly agents: readonly SquadAgent[];
  readonly categories: ReadonlyMap<string, SquadCategory>;
  readonly contract_type: ContractHead['type'];
  /** Name of a check, and its entries as under `verify:` of a contract. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  /** With the strength that they have here. */
  readonly articles: readonly HeldArticle[];
}

/** For work whose words match no squad. */
export const DEFAULT_SQUAD = 'dev';

/** The name of its folder. */
export const SQUAD_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The full name of an agent that the squad names; other names stay. */
export function memberName(squad: Squad, name: string): string {
  return squad.agents.find((one) => one.name === name)?.full ?? name;
}

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

/** The contract's gates with full names, else the squad's reviewer. A person replaces a reviewer that is the executor. */
export function gatesIn(
  squad: Squad,
  head: Pick<ContractHead, 'type' | 'agent' | 'category' | 'quality_gate'>,
): readonly string[] {
  if (head.quality_gate.length > 0) {
    return head.quality_gate.map((gate) => personOr(memberName(squad, gate)));
  }
  // A checkpoint is a decision, so nothing is reviewed.
  if (!squad.quality_gates || head.type === 'checkpoint') return [];
  const chosen = categoryIn(squad, head)?.reviewer ?? squad.default_reviewer ?? DEFAULT_REVIEWER;
  const gate = personOr(memberName(squad, chosen));
  return [gate === executorIn(squad, head) ? PERSON : gate];
}
