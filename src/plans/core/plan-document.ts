/** A plan as data (docs/reference/plans.md). Shapes only. */
import type { Problem } from '../../task/core/model/problem.ts';

/** `[X]` means done, too. Any other mark counts as open and gives a warning. */
export const BOX_MEANINGS = ['open', 'done', 'working', 'dropped'] as const;
export type BoxMeaning = (typeof BOX_MEANINGS)[number];

export const BOX_MARKS: Readonly<Record<BoxMeaning, string>> = {
  open: ' ',
  done: 'x',
  working: '~',
  dropped: '-',
};

export function isClosed(meaning: BoxMeaning): meaning is 'done' | 'dropped' {
  return meaning === 'done' || meaning === 'dropped';
}

export interface PlanBox {
  /** In plan.md, from 1. */
  readonly line: number;
  /** Place of the mark in the whole text, in UTF-16 units. */
  readonly offset: number;
  readonly meaning: BoxMeaning;
}

export interface PlanCriterion {
  readonly text: string;
  readonly box: PlanBox;
}

/** Keys of a contract that an item, or a heading for its items, sets as they are. */
export const CONTRACT_KEYS = [
  'phase',
  'timeout',
  'isolation',
  'retries_max',
  'questions_max',
  'reviews_max',
  'priority',
  'complexity',
] as const;
export type ContractKey = (typeof CONTRACT_KEYS)[number];

/** A group has only items below it, and its box follows theirs. */
export type PlanItemKind = 'task' | 'group';

export interface PlanItem {
  /** Unique in the plan; stays the same while the title or id of the item stays. */
  readonly key: string;
  /** From 1, among all tasks and groups. */
  readonly number: number;
  /** The number before the title: `3`, `2.1`, `T004`. */
  readonly label?: string;
  readonly kind: PlanItemKind;
  readonly title: string;
  readonly box: PlanBox;
  /** Key of the item that it is nested in. */
  readonly within?: string;
  /** undefined only in a plan without waves. */
  readonly wave?: number;
  /** The nearest first, without the title of the plan. */
  readonly headings?: readonly string[];
  readonly squad?: string;
  readonly type?: string;
  readonly keys: Readonly<Partial<Record<ContractKey, string>>>;
  /** Without `@`. They work one after the other. */
  readonly executors: readonly string[];
  readonly reviewers: readonly string[];
  /** As written, one entry each: `tests`, `@qa`, `run: npm test`. */
  readonly verify: readonly string[];
  /** As written; includes those of its group. */
  readonly depends: readonly string[];
  /** Like `depends`, for results that the brief contains; those items need not be done. */
  readonly context_from: readonly string[];
  readonly category?: string;
  readonly skills: readonly string[];
  readonly tags: readonly string[];
  readonly deliverables: readonly string[];
  readonly context_files: readonly string[];
  /** Paths in backticks in its title and text, without references. */
  readonly paths: readonly string[];
  readonly write?: readonly string[];
  readonly criteria: readonly PlanCriterion[];
  /** Rest of the lines below it, without their indentation. */
  readonly text: string;
  /** Text directly below its headings, the outermost first. */
  readonly section_text?: string;
}

export interface PlanWave {
  /** Sorted; numbers may be missing. */
  readonly number: number;
  readonly title: string;
  readonly line: number;
  /** Words about what its checkpoint is to look at. */
  readonly checkpoint?: string;
}

export function waveTitle(waves: readonly Pick<PlanWave, 'number' | 'title'>[], wave: number) {
  const title = waves.find(({ number }) => number === wave)?.title.trim() ?? '';
  if (title === '') return `Wave ${wave}`;
  return /^wave\b/i.test(title) ? title : `Wave ${wave}: ${title}`;
}

export interface PlanDocument {
  readonly title: string;
  readonly squad?: string;
  /** Workflow of its contracts; default: plan. */
  readonly workflow?: string;
  /** By name, the value of each. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly contract_type?: string;
  /** `auto`, `interactive` (a person), or an agent. */
  readonly checkpoint?: string;
  readonly one_at_a_time?: boolean;
  /** Agents are asked for their questions when it starts; the settings decide where it is left out. */
  readonly ask?: 'before' | 'off';
  /** From 1. */
  readonly said_on?: Readonly<Partial<Record<'squad' | 'contract_type' | 'checkpoint', number>>>;
  /** The text before the first box, without the keys above. */
  readonly objective: string;
  readonly waves: readonly PlanWave[];
  readonly items: readonly PlanItem[];
  /** Criteria of the plan as a whole; people tick them. */
  readonly criteria: readonly PlanCriterion[];
  /** In the order of the file; boxes in code and comments do not count. */
  readonly boxes: readonly PlanBox[];
  readonly warnings: readonly Problem[];
}

/** The name of the folder `.contracts/plans/<name>/`. */
export const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;
