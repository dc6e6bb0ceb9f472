/** A squad as data (docs/reference/squads.md). Shapes only. */
import type { HeldArticle } from './constitution.ts';
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
