/** How a round of questions ended: a pure function, as for work (judge.ts). Silence is no answer. */
import type { ClientEnd, Ending } from '../../../task/core/attempts/client-report.ts';
import type { AskOutcome } from '../../../task/core/attempts/record.ts';
import { homeOf } from '../../../task/core/attempts/open-attempt.ts';
import type { State } from '../../../task/core/model/state.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { mayLeadTo } from '../../../task/core/model/transitions.ts';
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
  /** Why its questions.md is not read. */
  readonly refused?: string | undefined;
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
  const unread = evidence.refused && `questions.md cannot be read: ${evidence.refused}`;
  if (why === undefined) {
    const silent = ended('no_word');
    return unread ? { ...silent, reason: unread } : silent;
  }
  return { ...why, outcome: 'interrupted', no_result: true };
}

type Places = ReadonlyMap<string, string>;

/** A task that stands elsewhere than before. */
export interface Moved {
  readonly id: string;
  readonly from: string;
  /** undefined where it is in no list any more. */
  readonly to: string | undefined;
}

/** Moves of other tasks while it was asked: by id, the state before and after. */
export function movesBetween(before: Places, after: Places): readonly Moved[] {
  return [...before].flatMap(([id, from]) => {
    const to = after.get(id);
    return to === from ? [] : [{ id, from, to }];
  });
}

/** True where a task stands where a runner left it: its newest attempt began or ended since, or leads there. */
export function isByRunner({ attempts, state }: TaskRead, since: string): boolean {
  const last = attempts.at(-1);
  if (last === undefined) return false;
  const { owner, outcome } = last;
  const isSince = (at?: string): boolean => at !== undefined && Date.parse(at) >= Date.parse(since);
  if (isSince(owner?.claimed) || isSince(outcome?.at)) return true;
  return outcome !== undefined && mayLeadTo(homeOf(last), outcome.outcome, state);
}
