/** Agents that no folder of agents describes: the points `agents` and `route` of a capability. */
import type { AgentDefinition } from '../../agents/core/agents.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Named } from '../../task/core/model/models.ts';
import type { Strength } from '../../task/core/model/permissions.ts';
import type { Config } from '../../task/core/model/policy.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import type { Workspace } from '../open/workspace.ts';

export interface RoutePoints {
  /** Agents, and skills of theirs, that are described elsewhere than in the folders of agents. */
  readonly agents?: (ws: Workspace) => MoreAgents;
  /** The executor and limits of a contract's category; undefined: it is nobody's. */
  readonly route?: (ws: Workspace, contract: Contract) => Route | undefined;
}

/** Their full names have a `/`. */
export interface MoreAgents {
  /** Nearest first. */
  memberNames: () => readonly string[];
  /** undefined: the name cannot be that of one of them. */
  member: (name: string) => Member | undefined;
  /** The full names that a name alone can mean. */
  called: (name: string) => readonly string[];
  /** The place and words of the report that several have the name. */
  readonly several: Pick<Problem, 'file' | 'message'>;
  allProblems: () => readonly Problem[];
  /** How to have an agent of that name that a nearer one hides. */
  hiding: (name: string) => string | undefined;
  /** The folders in which a skill of theirs is looked for, nearest first. */
  skillFolders: (of: string) => readonly { readonly path: string; readonly file: string }[];
}

export interface Member {
  /** undefined: it cannot be called, and `problems` says why. */
  readonly definition: AgentDefinition | undefined;
  /** The role or agent that is merely named. */
  readonly meant?: string;
  readonly problems: readonly Problem[];
  /** Said where neither of them is there, and no problem. */
  readonly missing: () => Problem;
}

/** The agent and model for work of a kind. */
export type Category = Named & Pick<Config['categories'][string], 'agent' | 'adapter'>;

/** A rule that holds in the work. */
export interface Article {
  readonly number: string;
  readonly title: string;
  readonly strength: Strength;
  /** Nothing makes it weaker. */
  readonly is_fixed: boolean;
  /** One sentence for who works under it. */
  readonly says: string;
}

export interface Route {
  /** The one that the contract names. */
  readonly category: Category | undefined;
  /** The agent that a category names, by its full name, else the usual one. */
  readonly executor: (agent: string | undefined) => string | undefined;
  /** Skills of all who work on it. */
  readonly skills: readonly string[];
  /** Names of checks that its contracts can have beside those that there always are. */
  readonly checks: readonly string[];
  readonly articles: readonly Article[];
  readonly plan_type: 'development' | 'task';
}

export function moreAgents(ws: Workspace): readonly MoreAgents[] {
  return (ws.capabilities as readonly RoutePoints[]).flatMap((one) => one.agents?.(ws) ?? []);
}

export function routeOf(ws: Workspace, contract: Contract): Route | undefined {
  for (const one of ws.capabilities as readonly RoutePoints[]) {
    const found = one.route?.(ws, contract);
    if (found !== undefined) return found;
  }
  return undefined;
}
