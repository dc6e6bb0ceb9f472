/**
 * A squad as data (DESIGN §11): agents, categories and defaults for a domain, once its SQUAD.yaml and
 * its folder were read. What the file may hold is the catalog's; this is what the rest relies on.
 */
import type { Strength } from './authority.ts';
import type { ContractHead } from './contract-shape.ts';
import type { AgentConfig } from './policy.ts';

export type CheckpointMode = 'interactive' | 'auto';

/** How a plan for this squad is written: `development` has stories, documents first; `task` has not. */
export type PlanType = 'development' | 'task';

export interface SquadAgent {
  /** As the squad calls it. */
  readonly name: string;
  /** As it is called everywhere: `<squad>/<name>`, or a name alone where the squad only names a role. */
  readonly full: string;
  readonly description?: string | undefined;
  readonly is_chief: boolean;
}

export interface SquadCategory {
  readonly description?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly models?: readonly string[];
  readonly reviewer?: string;
}

export interface Squad {
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
  readonly plan_type: PlanType;
  readonly plan_template?: string | undefined;
  readonly checkpoint_mode: CheckpointMode;
  /** Work without a reviewer of its own is reviewed by `default_reviewer`. */
  readonly quality_gates: boolean;
  readonly story_driven: boolean;
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
