/** The shapes between the items of a plan and their contracts. */
import type { PlanData } from './plan-lines.ts';
import type { PlanDocument, PlanItem } from './plan-document.ts';
import type { Hash, PlanIds } from './plan-ids.ts';
import { problem, type Problem, type ProblemInput } from '../../task/core/model/problem.ts';
import type { ContractDraft } from '../../task/core/model/contract-draft.ts';
import type { Squad } from '../../squads/core/squad.ts';
import type { Detected } from './verifiers.ts';

/** As in `plan start --json`; a checkpoint has the key `checkpoint-wave-N`. */
export interface PlanDraft extends Omit<DraftLine, 'plan' | 'made'> {
  /** Results that its brief contains; those not in `depends_on` need not be done. */
  readonly results?: readonly string[];
  readonly contract: ContractDraft;
}

type DraftLine = PlanData<'plan_draft'>;

/** An item with what it inherits from its groups and the plan. */
export interface Meant {
  readonly item: PlanItem;
  readonly squad: Squad | undefined;
  readonly category: string | undefined;
  readonly executors: readonly string[];
  readonly depends_on: readonly string[];
  /** Ids of the items that it names, for its brief. */
  readonly results: readonly string[];
  readonly wave: number | undefined;
}

/** Facts about the workspace of a plan. */
export interface PlanAround {
  readonly plan: string;
  /** plan.md, relative to the workspace. */
  readonly file: string;
  readonly hash: Hash;
  readonly squad: (name: string) => Squad | undefined;
  readonly squads: () => readonly string[];
  /** Why an existing squad cannot be used. */
  readonly squadProblem: (name: string) => Problem | undefined;
  /** How to use an agent whose squad is hidden by a nearer one. */
  readonly hiding?: (name: string) => string | undefined;
  /** The full name of an agent or adapter; undefined: none. */
  readonly agent: (name: string) => string | undefined;
  readonly agents: () => readonly string[];
  readonly mayCreate: (agent: string, path: string) => boolean;
  readonly writes: (agent: string) => readonly string[];
  /** In the configuration: the agent of each category. */
  readonly categories: ReadonlyMap<string, string | undefined>;
  /** In the configuration: the texts of each named check. */
  readonly checks: ReadonlyMap<string, readonly string[]>;
  readonly detected: Detected;
  /** True for done, aborted and archived tasks, too. */
  readonly isTask: (id: string) => boolean;
}

export interface Expanding {
  readonly document: PlanDocument;
  readonly around: PlanAround;
  readonly ids: PlanIds;
  readonly problems: Problem[];
}

export function report(
  { around: { file }, problems }: Pick<Expanding, 'around' | 'problems'>,
  line: number,
  { code, ...words }: Omit<ProblemInput, 'file' | 'line'>,
): void {
  problems.push(problem({ code, file, line, ...words }));
}

export interface ExpandedItem {
  readonly item: PlanItem;
  readonly wave: number | undefined;
  /** In their order; empty for a group and for an item that a person closed before it began. */
  readonly tasks: readonly string[];
  /** By a person: no contract is made, and nothing waits for it. */
  readonly closed?: 'done' | 'dropped';
}
