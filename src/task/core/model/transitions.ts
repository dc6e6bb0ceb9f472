/**
 * The transition table, as data: the only place that says which move follows from what, but for the
 * rows that a kind of task has of its own (task.ts). decide() and the engine look moves up here;
 * the table of docs/concepts.md and `contracts help states` are printed from it. A pair that is not in the
 * table is never made by the runner; a person's `mv` needs none.
 */
import { LIVE_STATES, type State } from './state.ts';
import { FAILED } from '../attempts/outcome-codes.ts';
import type { OutcomeName } from '../attempts/record.ts';

export type Trigger =
  | OutcomeName
  | 'confirmed'
  | 'claimed'
  | 'dependency_aborted'
  | 'unconfirmed'
  | 'answered'
  | 'answered_draft'
  | 'resolved'
  | 'abort'
  | 'reopen'
  | 'retry'
  | 'merge_conflict';

/** Retries, question rounds or send-backs that are left; `any` where it does not matter. */
export type Left = 'left' | 'none_left' | 'any';

export interface Transition<T extends string = string> {
  readonly from: State;
  readonly trigger: T;
  readonly left: Left;
  readonly to: State;
  readonly by: 'runner' | 'person';
  /** The words of the table that people read. Rows with equal words are printed as one. */
  readonly when: string;
}

type Row = Pick<Transition, 'to' | 'when'> & Partial<Pick<Transition, 'left' | 'by'>>;

/** By the runner, whatever is left, where nothing else is said. */
export function rows<const T extends string>(
  from: State | readonly State[],
  triggers: readonly T[],
  row: Row,
): readonly Transition<T>[] {
  return [from]
    .flat()
    .flatMap((one) =>
      triggers.map((trigger) => ({ from: one, trigger, left: 'any', by: 'runner', ...row })),
    );
}

const FORWARD: readonly Transition<Trigger>[] = [
  ...rows('draft', ['confirmed'], {
    to: 'ready',
    by: 'person',
    when: 'confirmed: `contracts confirm`, or a person moves the folder',
  }),
  ...rows('ready', ['claimed'], {
    to: 'in_progress',
    when: 'dependencies done, children ended or blocked, pre-flight passes, a slot is free',
  }),
  ...rows(['draft', 'ready'], ['questions'], {
    to: 'questions',
    when: '`contracts ask`: its agent has questions before the work',
  }),
  ...rows('ready', ['dependency_aborted'], { to: 'blocked', when: 'a dependency is aborted' }),
  ...rows('in_progress', ['questions'], {
    left: 'left',
    to: 'questions',
    when: '`questions`, a round left',
  }),
  ...rows('in_progress', ['complete'], { to: 'review', when: '`complete`' }),
  ...rows('in_progress', FAILED, {
    left: 'left',
    to: 'ready',
    when: '`failed`, `timed_out`, `stalled`, `crashed` or `violated`, a retry left',
  }),
  ...rows('in_progress', ['stale', 'interrupted', 'delegated'], {
    to: 'ready',
    when: '`stale`, `interrupted` or `delegated`',
  }),
  ...rows('in_progress', [...FAILED, 'questions'], {
    left: 'none_left',
    to: 'blocked',
    when: 'the failures with no retry left, `questions` with no round left, or `blocked`',
  }),
  ...rows('in_progress', ['blocked'], {
    to: 'blocked',
    when: 'the failures with no retry left, `questions` with no round left, or `blocked`',
  }),
  ...rows(['ready', 'in_progress', 'review'], ['unconfirmed'], {
    to: 'questions',
    when: 'the contract changed while an agent ran that could write it: a person is asked',
  }),
  ...rows('questions', ['answered'], { to: 'ready', when: 'every question answered' }),
  ...rows('questions', ['answered_draft'], {
    to: 'draft',
    when: 'every question about a draft answered',
  }),
  ...rows('review', ['approved'], {
    to: 'done',
    when: 'verification passed, and there is no gate or every gate said `APPROVED`',
  }),
  ...rows('review', ['unverified', 'needs_work'], {
    left: 'left',
    to: 'ready',
    when: '`unverified` or `NEEDS_WORK`, a send-back left',
  }),
  ...rows('review', ['stale'], {
    to: 'ready',
    when: '`stale`: the contract was edited since the work was claimed',
  }),
  ...rows('review', ['unverified', 'needs_work'], {
    left: 'none_left',
    to: 'blocked',
    when: '`unverified` or `NEEDS_WORK`, none left',
  }),
  ...rows('review', ['reject'], { to: 'aborted', when: '`REJECT`' }),
  ...rows('blocked', ['resolved'], {
    to: 'ready',
    when: 'a resolution is written: `contracts retry ID "…"`, or the slot in `blocked.md`',
  }),
];

const BY_VERB: readonly Transition<Trigger>[] = [
  ...rows('blocked', ['retry'], {
    to: 'ready',
    by: 'person',
    when: '`contracts retry`: a resolution without a comment',
  }),
  ...rows('done', ['merge_conflict'], {
    to: 'blocked',
    by: 'person',
    when: '`contracts merge`: it is in conflict with what it is merged into',
  }),
  ...rows(['done', 'aborted'], ['reopen'], {
    to: 'ready',
    by: 'person',
    when: '`contracts retry ID --again`',
  }),
  ...rows([...LIVE_STATES, 'done'], ['abort'], {
    to: 'aborted',
    by: 'person',
    when: '`contracts abort`; a running agent is stopped',
  }),
];

/** The whole table, with the rows of kinds between those of the runner and those of verbs. */
export function tableWith(own: readonly Transition[]): readonly Transition[] {
  return [...FORWARD, ...own, ...BY_VERB];
}

export const TRANSITIONS: readonly Transition<Trigger>[] = [...FORWARD, ...BY_VERB];

export function triggersOf(table: readonly Transition[]): readonly string[] {
  return [...new Set([...table.map((row) => row.trigger), 'awaits_person'])];
}

/** The state that follows, or undefined when the task stays where it is. `own`: rows of its kind. */
export function transition(
  from: State,
  trigger: string,
  left: 'left' | 'none_left' = 'left',
  own: readonly Transition[] = [],
): State | undefined {
  const fits = (row: Transition): boolean =>
    row.from === from && row.trigger === trigger && (row.left === 'any' || row.left === left);
  return (own.find(fits) ?? TRANSITIONS.find(fits))?.to;
}

/** True if an outcome leads there, whatever is left. */
export function mayLeadTo(from: State, trigger: Trigger, to: State): boolean {
  return TRANSITIONS.some((row) => row.from === from && row.trigger === trigger && row.to === to);
}

export interface TableRow extends Pick<Transition, 'when' | 'to' | 'by'> {
  readonly from: readonly State[];
}

/** The table as people read it: rows of equal words and target become one. */
export function tableRows(table: readonly Transition[]): readonly TableRow[] {
  const merged = new Map<string, TableRow>();
  for (const { from, when, to, by } of table) {
    const key = `${by} ${when} ${to}`;
    const all = [...new Set([...(merged.get(key)?.from ?? []), from])];
    merged.set(key, { from: all, when, to, by });
  }
  return [...merged.values()];
}
