/**
 * What a capability adds to the ledger (docs/reference/ledger.md). All texts are untrusted and may be of any
 * length: the ledger puts each on one line, escapes it, and cuts long lists. Pure.
 */
import type { DependencyState, TaskRead } from '../../task/core/model/task.ts';

/** The sections that capabilities fill, with their titles, in the order in which they are shown. */
export const LEDGER_PLACES = {
  goal: 'Goal',
  workers: 'Active Workers',
  decisions: 'Decisions',
  assumptions: 'Tracked Assumptions',
  questions: 'Open Questions',
  patterns: 'Patterns',
  anti_patterns: 'Anti-Patterns',
  handoff: 'Handoff',
} as const;

/** The live tasks as they are after the step, by id. */
export type LiveTasks = ReadonlyMap<string, TaskRead>;

export interface LedgerPart {
  readonly epics?: readonly Epic[];
  /** Epics that ended, in any order; `date` is YYYY-MM-DD or empty, `outcome` a few words. */
  readonly archived?: readonly Readonly<Record<'id' | 'title' | 'outcome' | 'date', string>>[];
  /** The entries of a section, the most important first. */
  readonly sections?: { readonly [place in keyof typeof LEDGER_PLACES]?: readonly string[] };
}

/** A goal that several tasks lead to. */
export interface Epic {
  /** The name of its file, or the id of a task. */
  readonly id: string;
  readonly title: string;
  readonly tasks: readonly EpicTask[];
}

export interface EpicTask extends Readonly<Record<'id' | 'title' | 'agent', string>> {
  readonly state: DependencyState;
}
