/** What is around a plan while it is expanded. A shape alone; the engine says what there is. */
import type { Hash } from './plan-ids.ts';
import type { Problem } from './problem.ts';
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
