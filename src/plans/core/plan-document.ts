/**
 * A plan as it is once its Markdown was read (docs/reference/plans.md): boxes in order, each with what is
 * said of it. Shapes alone: plans/text/plan.ts reads and edits, plans/core/expand.ts makes contracts of
 * it.
 */
import type { Problem } from '../../task/core/model/problem.ts';

/**
 * What the mark in a box says: `[ ]` open, `[x]` `[X]` done, `[~]` at work, `[-]` given up. Any other
 * single character is read as open, and reported.
 */
export const BOX_MEANINGS = ['open', 'done', 'working', 'dropped'] as const;
export type BoxMeaning = (typeof BOX_MEANINGS)[number];

export const BOX_MARKS: Readonly<Record<BoxMeaning, string>> = {
  open: ' ',
  done: 'x',
  working: '~',
  dropped: '-',
};

/** Done or given up. */
export function isClosed(meaning: BoxMeaning): meaning is 'done' | 'dropped' {
  return meaning === 'done' || meaning === 'dropped';
}

export interface PlanBox {
  /** 1-based line in plan.md. */
  readonly line: number;
  /** Where the mark is in the whole text, in UTF-16 units; it is one character long. */
  readonly offset: number;
  readonly meaning: BoxMeaning;
}

/** A box that is no work of its own: what the work is measured by. */
export interface PlanCriterion {
  readonly text: string;
  readonly box: PlanBox;
}

/**
 * - task: becomes a contract
 * - group: has no words of its own but a title, and tasks below it; its box follows theirs
 */
export type PlanItemKind = 'task' | 'group';

export interface PlanItem {
  /** Stable while its title (or the id that it names) stays; unique in its plan. */
  readonly key: string;
  /** 1-based, among all tasks and groups, in the order of the file. */
  readonly number: number;
  /** The number that is written before its title: `3`, `2.1`, `T004`. */
  readonly label?: string;
  readonly kind: PlanItemKind;
  readonly title: string;
  readonly box: PlanBox;
  /** Key of the item that it is nested in. */
  readonly within?: string;
  /** Number of the wave that it belongs to; undefined only in a plan without waves. */
  readonly wave?: number;
  /** The titles of those that it is below, the nearest first; not that of the plan. */
  readonly headings?: readonly string[];
  readonly squad?: string;
  readonly type?: string;
  /** Without the `@`, in the order of the file. The first does the work, each further one its own part. */
  readonly executors: readonly string[];
  readonly reviewers: readonly string[];
  /** As written, one entry each: `tests`, `@qa`, `run: npm test`. */
  readonly verify: readonly string[];
  /** As written: a number, a key, a title, a heading, an id of a task, `wave 2`, `all`. Those of its group as well. */
  readonly depends: readonly string[];
  /** The same for items whose results it is given, and that need not be done. */
  readonly context_from: readonly string[];
  readonly category?: string;
  readonly skills: readonly string[];
  readonly deliverables: readonly string[];
  readonly context_files: readonly string[];
  /** Paths that its title and text name in backticks, references left out. */
  readonly paths: readonly string[];
  readonly write?: readonly string[];
  /** Nested boxes that are no items of their own. */
  readonly criteria: readonly PlanCriterion[];
  /** What is below it and is nothing of the above, without its indentation. */
  readonly text: string;
  /** Text directly below the headings that it is below, with their titles, the outermost first. */
  readonly section_text?: string;
}

export interface PlanWave {
  /** As written; the waves of a plan are in the order of their numbers, which may have gaps. */
  readonly number: number;
  readonly title: string;
  readonly line: number;
}

/** With its number. */
export function waveTitle(
  waves: readonly Pick<PlanWave, 'number' | 'title'>[],
  wave: number,
): string {
  const title = waves.find(({ number }) => number === wave)?.title.trim() ?? '';
  if (title === '') return `Wave ${wave}`;
  return /^wave\b/i.test(title) ? title : `Wave ${wave}: ${title}`;
}

export interface PlanDocument {
  readonly title: string;
  readonly squad?: string;
  readonly contract_type?: string;
  /** Who is asked between waves: `auto` is nobody, `interactive` a person, or an agent by name. */
  readonly checkpoint?: string;
  /** Of this plan one task is worked on at a time. */
  readonly one_at_a_time?: boolean;
  /** 1-based, where the plan says each of these of itself. */
  readonly said_on?: Readonly<Partial<Record<'squad' | 'contract_type' | 'checkpoint', number>>>;
  /** What comes before the first box, without the keys above. */
  readonly objective: string;
  readonly waves: readonly PlanWave[];
  readonly items: readonly PlanItem[];
  /** Boxes under headings such as `Definition of Done`: of the plan as a whole, ticked by people. */
  readonly criteria: readonly PlanCriterion[];
  /** Every box of the file in order, those of criteria too; those in fences and comments are none. */
  readonly boxes: readonly PlanBox[];
  /** Marks and keys that we do not know, what only looks like a box, two items of one title. */
  readonly warnings: readonly Problem[];
}

/** The name of a plan's folder: `.contracts/plans/<name>/plan.md`. */
export const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;
