/**
 * A squad as data (docs/reference/squads.md): agents, categories and defaults for a domain, once its
 * SQUAD.yaml and its folder were read. What the file may hold is the catalog's; this is what the rest
 * relies on.
 */
import type { HeldArticle } from './constitution.ts';
import type { ContractHead } from '../../task/core/model/contract-shape.ts';
import type { SquadCategory, SquadOwn } from './squad-schema.ts';

export interface SquadAgent {
  /** As the squad calls it. */
  readonly name: string;
  /** As it is called everywhere: `<squad>/<name>`, or a name alone where the squad only names a role. */
  readonly full: string;
  readonly description?: string | undefined;
  readonly is_chief: boolean;
}

type Read = 'name' | 'contract_type' | 'articles';
type Open = 'version' | 'chief' | 'default_executor' | 'default_reviewer' | 'plan_template';

/** What the file says, and what was found beside it. Agents are named as the squad calls them. */
export interface Squad extends Omit<SquadOwn, Read | Open>, Partial<Pick<SquadOwn, Open>> {
  readonly name: string;
  readonly source: 'built-in' | 'user' | 'project';
  /** As people are shown it. */
  readonly file: string;
  /** Absolute; agents, skills, tasks, templates, checklists and workflows lie in it. */
  readonly folder: string;
  /** The squad that it extends, whose folder holds what its own does not. */
  readonly base?: Squad | undefined;
  readonly agents: readonly SquadAgent[];
  readonly categories: ReadonlyMap<string, SquadCategory>;
  readonly contract_type: ContractHead['type'];
  /** Verifiers that the squad defines: name -> entries as under `verify:` of a contract. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  /** Articles of the constitution that hold here, with the strength that they have here. */
  readonly articles: readonly HeldArticle[];
}

/** The squad of work that names none and whose words point to none. */
export const DEFAULT_SQUAD = 'dev';

/** A squad is named as its folder is. */
export const SQUAD_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** How an agent is called everywhere that is named in the work of a squad; as it is where it is none of it. */
export function memberName(squad: Squad, name: string): string {
  return squad.agents.find((one) => one.name === name)?.full ?? name;
}
