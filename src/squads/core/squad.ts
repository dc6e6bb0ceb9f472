/**
 * A squad as data (docs/reference/squads.md): agents, categories and defaults for a domain, once its
 * SQUAD.yaml and its folder were read. What the file may hold is the catalog's; this is what the rest
 * relies on.
 */
import type { Strength } from '../../task/core/model/permissions.ts';
import type { ContractHead } from '../../task/core/model/contract-shape.ts';
import type { AgentConfig } from '../../task/core/model/policy.ts';
import type { SquadOwn } from './squad-schema.ts';

export interface SquadAgent {
  /** As the squad calls it. */
  readonly name: string;
  /** As it is called everywhere: `<squad>/<name>`, or a name alone where the squad only names a role. */
  readonly full: string;
  readonly description?: string | undefined;
  readonly is_chief: boolean;
}

export interface SquadCategory {
  readonly description?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly models?: readonly string[] | undefined;
  readonly reviewer?: string | undefined;
}

/** What holds as it is written. */
type Kept = 'plan_type' | 'plan_template' | 'checkpoint_mode' | 'quality_gates' | 'story_driven';

export interface Squad extends Readonly<Pick<SquadOwn, Kept>> {
  readonly name: string;
  readonly description: string;
  readonly version?: string | undefined;
  readonly source: 'built-in' | 'user' | 'project';
  /** As people are shown it. */
  readonly file: string;
  /** Absolute; agents, skills, tasks, templates, checklists and workflows lie in it. */
  readonly folder: string;
  /** The squad that it extends, whose folder holds what its own does not. */
  readonly base?: Squad | undefined;
  readonly tags: readonly string[];
  readonly agents: readonly SquadAgent[];
  /** As the squad calls it, like every agent that is named here. */
  readonly chief?: string | undefined;
  readonly categories: ReadonlyMap<string, SquadCategory>;
  readonly default_executor?: string | undefined;
  readonly default_reviewer?: string | undefined;
  readonly contract_type: ContractHead['type'];
  /** Verifier of work that names none: `lsp_build_test`, `file_exists`, … */
  readonly verification: string;
  /** Verifiers that the squad defines: name -> entries as under `verify:` of a contract. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  readonly skills: readonly string[];
  /** Articles of the constitution that hold here, by number, with the strength that they have here. */
  readonly articles: ReadonlyMap<string, Strength>;
  /** What holds for its work where neither contract nor agent says something. */
  readonly limits: SquadLimits;
}

export const LIMIT_KEYS = [
  'retries_max',
  'questions_max',
  'reviews_max',
  'timeout',
  'cost_max',
  'tokens_max',
  'children_max',
  'depth_max',
] as const;
export type SquadLimits = Readonly<Pick<AgentConfig, (typeof LIMIT_KEYS)[number]>>;

/** The squad of work that names none and whose words point to none. */
export const DEFAULT_SQUAD = 'dev';

/** A squad is named as its folder is. */
export const SQUAD_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** How an agent is called everywhere that is named in the work of a squad; as it is where it is none of it. */
export function memberName(squad: Squad, name: string): string {
  return squad.agents.find((one) => one.name === name)?.full ?? name;
}
