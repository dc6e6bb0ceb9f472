/**
 * How an attempt ended that its agent's files alone do not decide: something came between, or what it
 * left cannot be used. Pure; each gives an outcome with its reason.
 */
import type { OutcomeCode } from '../../../task/core/attempts/outcome-codes.ts';
import type { ReviewOutcome, WorkOutcome } from '../../../task/core/attempts/record.ts';
import type { Judgement } from './judge.ts';

/** It is no try of the task. Of work and of review. */
export function interruption(
  code: OutcomeCode,
  reason: string,
): Judgement<WorkOutcome & ReviewOutcome> {
  return { outcome: 'interrupted', code, reason };
}

/** By a person's move: the task is not moved on from there. */
export function interruptionByHand(reason: string): Judgement<WorkOutcome> {
  return { outcome: 'interrupted', code: 'moved_by_hand', reason, by_hand: true };
}

/** Only a person can mend what ended it. */
export function blockage(code: OutcomeCode, reason: string): Judgement<WorkOutcome> {
  return { outcome: 'blocked', code, reason };
}

export function editedBeforeCall(): Judgement<WorkOutcome> {
  const reason = 'the contract was edited just before the agent was called';
  return { outcome: 'stale', code: 'contract_changed', reason };
}

/** The next call would meet the same, and only a person can mend it: it is no try of this task. */
export function withoutLogin(judged: Judgement<WorkOutcome>): Judgement<WorkOutcome> {
  return { ...judged, outcome: 'interrupted' };
}

/** Deliverables that were not put in their place, because somebody else wrote there. */
export function undelivered(
  judged: Judgement<WorkOutcome>,
  { paths, agent, task }: { paths: readonly string[]; agent: string; task: string },
): Judgement<WorkOutcome> {
  const reason =
    `${paths.join(', ')}: somebody else wrote there meanwhile, and it stays as it is; ` +
    `what ${agent} made is on its desk. To keep it: contracts abort ${task}; ` +
    `to have it written anew, move it away first`;
  return { ...judged, outcome: 'blocked', code: 'not_delivered', reason };
}

/** What was found in the tree when the call had ended; each is a path or a line. */
export interface Found {
  readonly violations?: readonly string[];
  /** Files with the marks of a merge conflict. */
  readonly unsettled?: readonly string[];
  /** Files that git cannot take. */
  readonly untaken?: readonly string[];
}

/** A person's move stands, whatever was done before it. */
export function ifAllowed(
  judged: Judgement<WorkOutcome>,
  { violations = [], unsettled = [], untaken = [] }: Found = {},
): Judgement<WorkOutcome> {
  const [first, ...more] = violations;
  if (unsettled.length > 0 && judged.outcome === 'complete') {
    const reason = `the conflict is not settled: git's marks stand in ${unsettled.join(', ')}`;
    return { outcome: 'failed', code: 'unsettled', reason };
  }
  if (first !== undefined && judged.by_hand !== true) {
    const reason = `${first}${andMore(more)}`;
    return { outcome: 'violated', code: 'beyond_permissions', reason };
  }
  const [file, ...others] = untaken;
  if (file === undefined || judged.outcome !== 'complete') return judged;
  const reason = `git cannot take all that it left: ${file}${andMore(others)}; it has to be a file that can be read, or be removed`;
  return { outcome: 'failed', code: 'git_cannot_take', reason };
}

function andMore(more: readonly string[]): string {
  return more.length === 0 ? '' : ` (and ${more.length} more)`;
}
