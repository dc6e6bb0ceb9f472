/** How a round of questions ended: a pure function, as for work (judge.ts). Silence is no answer. */
import type { ClientEnd, Ending } from '../../../task/core/attempts/client-report.ts';
import type { AskOutcome } from '../../../task/core/attempts/record.ts';
import type { State } from '../../../task/core/model/state.ts';
import { ended, type Judgement } from '../words/outcomes.ts';
import { endedBadly, endedElsewhere } from './judge.ts';

/** More of them are not asked in one round. */
export const QUESTIONS_MAX = 3;

export interface AskEvidence {
  /** The state to which a person has moved the folder since. */
  readonly moved_to: State | undefined;
  readonly contract_changed: boolean;
  readonly ending: Ending;
  /** Changes although it may only read, a line each. */
  readonly changed: readonly string[];
  /** Count of its questions. */
  readonly questions: number;
  readonly says_none: boolean;
  /** Why a client handed in nothing, where it reports that. */
  readonly nothing?: ClientEnd | undefined;
  readonly timeout_ms: number;
  readonly stall_ms: number;
}

export function judgeAsk(evidence: AskEvidence): Judgement<AskOutcome> {
  const { moved_to: to, ending, changed, questions: count, says_none, nothing } = evidence;
  if (to !== undefined)
    return { ...ended('moved_by_hand', { to, when: 'while it ran' }), by_hand: true };
  if (ending.reason === 'cancelled') return ended('stopped');
  if (ending.reason === 'failed_to_start') return ended('not_started', ending);
  if (changed.length > 0) return ended('not_read_only', { lines: changed });
  if (evidence.contract_changed)
    return { ...ended('contract_changed', { when: 'while it was asked' }), outcome: 'interrupted' };
  if (count > 0) return ended('questions', { count, has_result: false });
  const isOver = ending.reason === 'exited' && ending.code === 0;
  if (isOver && says_none) return ended('no_questions');
  const why = endedElsewhere(ending) ?? nothing ?? endedBadly(evidence);
  if (why === undefined) return ended('no_word');
  return { ...why, outcome: 'interrupted', no_result: true };
}

/** Changes in the task's own folder, a line each: by file, its mark before and after. */
export function changedIn(before: Places, after: Places): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  const isOther = (name: string): boolean => before.get(name) !== after.get(name);
  return [...names].filter(isOther).map((name) => `${name} of the task was changed`);
}

type Places = ReadonlyMap<string, string>;

/**
 * Moves of other tasks while it was asked, a line each: by id, the state before and after. Other rounds move theirs to
 * questions. A task that is in no list afterwards has ended, or the list was full.
 */
export function movesBetween(before: Places, after: Places): readonly string[] {
  return [...before].flatMap(([id, was]) => {
    const now = after.get(id) ?? was;
    return now === was || now === 'questions' ? [] : [`${id} was moved from ${was} to ${now}`];
  });
}
