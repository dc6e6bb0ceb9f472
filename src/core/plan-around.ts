/**
 * What is around a plan while it is expanded, and who is meant by a name in it: a squad's own agent
 * first, then anybody. Shapes and names alone; the engine says what there is.
 */
import { nearestId } from './nearest.ts';
import type { Hash } from './plan-ids.ts';
import { problem, type Problem } from './problem.ts';
import type { Squad } from './squad.ts';
import type { Detected } from './verifiers.ts';

export interface PlanAround {
  /** The plan's name. */
  readonly plan: string;
  /** plan.md, as people are shown it. */
  readonly file: string;
  readonly hash: Hash;
  readonly squad: (name: string) => Squad | undefined;
  readonly squads: () => readonly string[];
  /** Why one that is there cannot be used. */
  readonly squadProblem: (name: string) => Problem | undefined;
  /** How to have an agent that a squad hides. */
  readonly hiding?: (name: string) => string | undefined;
  /** An agent or a kind of adapter by the name that it has everywhere; undefined: nobody. */
  readonly agent: (name: string) => string | undefined;
  readonly agents: () => readonly string[];
  readonly mayCreate: (agent: string, path: string) => boolean;
  /** Of the configuration: category -> the agent that it names, if any. */
  readonly categories: ReadonlyMap<string, string | undefined>;
  /** Of the configuration: name of a verifier -> texts of checks. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  readonly detected: Detected;
  /** Whether a task of this id exists anywhere, ended and archived ones too. */
  readonly isTask: (id: string) => boolean;
}

/** The full name of whoever is meant; undefined: nobody. */
export function agentNamed(
  name: string,
  squad: Squad | undefined,
  around: PlanAround,
): string | undefined {
  const plain = name.replace(/^@/, '');
  const own = squad?.agents.find((one) => one.name === plain)?.full;
  // Whom a squad merely names it does not make.
  return own === undefined || own === plain ? around.agent(plain) : own;
}

export function unknownAgent(
  name: string,
  place: { readonly file: string; readonly line: number },
  squad: Squad | undefined,
  around: PlanAround,
): Problem {
  const own = (squad?.agents ?? [])
    .map((one) => one.name)
    .filter((one) => agentNamed(one, squad, around) !== undefined);
  const near = nearestId(name, [...own, ...around.agents()]) ?? elsewhere(name, around);
  const meant = near === undefined ? '' : `Did you mean @${near}? `;
  const of = squad === undefined || own.length === 0 ? '' : `@${own.join(', @')}, or `;
  return problem({
    code: 'unknown_agent',
    ...place,
    message: 'nobody knows this agent',
    found: `@${name}`,
    expected: `${of}one of those that contracts agents lists`,
    fix: `${meant}${around.hiding?.(name) ?? 'Describe it in .contracts/agents/, or name another one'}`,
  });
}

/** In another squad there is somebody of that name. */
function elsewhere(name: string, around: PlanAround): string | undefined {
  const all = around.squads().flatMap((one) => around.squad(one)?.agents ?? []);
  return all.find((one) => one.name === name)?.full;
}
