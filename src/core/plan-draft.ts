/** What a plan's items are on their way to contracts, and how it is said what is wrong with them. */
import type { PlanAround } from './plan-around.ts';
import type { PlanDocument, PlanItem } from './plan-document.ts';
import { problem, type Problem, type ProblemInput } from './problem.ts';
import type { Squad } from './squad.ts';

/** What a contract is written from. */
export interface ContractWords {
  readonly head: Record<string, unknown>;
  readonly title: string;
  readonly objective: string;
  readonly requirements?: string;
  readonly criteria: readonly string[];
  readonly context_files?: readonly string[];
  /** A shell script for `## Steps`. */
  readonly steps?: string;
}

export interface PlanDraft {
  readonly id: string;
  /** Of its item; `checkpoint-wave-N` of a checkpoint. */
  readonly key: string;
  readonly kind: 'task' | 'checkpoint';
  /** 1-based, in plan.md. */
  readonly line: number;
  readonly wave?: number;
  /** Who works on it; `person` is asked at a checkpoint. */
  readonly agent: string;
  /** Texts of checks, gates by full name, paths. */
  readonly checks: readonly string[];
  readonly gates: readonly string[];
  readonly deliverables: readonly string[];
  /** Ids of other drafts, and of tasks that exist. */
  readonly depends_on: readonly string[];
  /** Tasks whose results it is given; those not in `depends_on` need not be done. */
  readonly results?: readonly string[];
  readonly contract: ContractWords;
}

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

export function given<K extends string, V>(key: K, value: V | undefined): { [k in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [k in K]?: V };
}

/** What became of an item of the file. */
export interface ExpandedItem {
  readonly item: PlanItem;
  readonly wave: number | undefined;
  /** Its tasks, in their order; none of a group and of what a person closed before it began. */
  readonly tasks: readonly string[];
  /** Closed by a person: no contract is made, and nobody waits for it. */
  readonly closed?: 'done' | 'dropped';
}
