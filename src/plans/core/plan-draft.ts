/** What a plan's items are on their way to contracts, and how it is said what is wrong with them. */
import type { PlanData } from './plan-lines.ts';
import type { PlanDocument, PlanItem } from './plan-document.ts';
import type { Hash } from './plan-ids.ts';
import { problem, type Problem, type ProblemInput } from '../../task/core/model/problem.ts';
import type { ContractDraft } from '../../task/core/model/contract-draft.ts';
import type { Squad } from '../../squads/core/squad.ts';
import type { Detected } from './verifiers.ts';

/** As `plan start --json` says it; `key` is that of its item, `checkpoint-wave-N` of a checkpoint. */
export interface PlanDraft extends Omit<DraftLine, 'plan' | 'made'> {
  /** Tasks whose results it is given; those not in `depends_on` need not be done. */
  readonly results?: readonly string[];
  readonly contract: ContractDraft;
}

type DraftLine = PlanData<'plan_draft'>;

/** The item with what it has from those that it is nested in and from the plan. */
export interface Meant {
  readonly item: PlanItem;
  readonly squad: Squad | undefined;
  readonly category: string | undefined;
  readonly executors: readonly string[];
  readonly depends_on: readonly string[];
  /** Ids of the items that it names itself: their results are in its brief. */
  readonly results: readonly string[];
  readonly wave: number | undefined;
}

/** What is around a plan while it is expanded; the engine says what there is. */
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
  /** An agent or a kind of adapter by the name that it has everywhere; undefined: none. */
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

export interface Expanding {
  readonly document: PlanDocument;
  readonly around: PlanAround;
  readonly problems: Problem[];
}

/** Of a line of plan.md. */
export function say(
  { around: { file }, problems }: Pick<Expanding, 'around' | 'problems'>,
  line: number,
  { code, ...said }: Omit<ProblemInput, 'file' | 'line'>,
): void {
  problems.push(problem({ code, file, line, ...said }));
}

/** What became of an item of the file. */
export interface ExpandedItem {
  readonly item: PlanItem;
  readonly wave: number | undefined;
  /** Its tasks, in their order; none of a group and of what a person closed before it began. */
  readonly tasks: readonly string[];
  /** Closed by a person: no contract is made, and nothing waits for it. */
  readonly closed?: 'done' | 'dropped';
}
