/**
 * How an attempt ended: pure functions from what lies on the desk, what the process did and what
 * the runner itself saw, to one outcome with a reason in words
 * (docs/decisions/0005-an-agents-word-is-not-enough.md). An agent's word is never enough, and nothing
 * unreadable ever counts as success.
 */
import {
  tickedWords,
  type DecisionDocument,
  type QuestionsDocument,
  type ResultDocument,
  type Verdict,
} from '../../../task/core/model/documents.ts';
import { FAILURES, SEND_BACKS, type Counts } from '../../../task/core/attempts/counters.ts';
import type { ClientEnd, Ending } from '../../../task/core/attempts/client-report.ts';
import type { Limits } from '../../../task/core/model/policy.ts';
import type { OutcomeCode } from '../../../task/core/attempts/outcome-codes.ts';
import type { Missing } from './unmet.ts';
import type {
  OutcomeName,
  ReviewOutcome,
  WorkOutcome,
} from '../../../task/core/attempts/record.ts';
import type { State } from '../../../task/core/model/state.ts';
import { transition } from '../../../task/core/model/transitions.ts';

export interface WorkEvidence {
  readonly task: string;
  readonly contract_changed: boolean;
  /** Where a person put the folder meanwhile, when it is not where the attempt left it. */
  readonly moved_to: State | undefined;
  /** undefined for people and hosts, whom no process stands for. */
  readonly ending: Ending | undefined;
  readonly questions: QuestionsDocument | undefined;
  readonly result: ResultDocument | undefined;
  /** Why a result.md that is there could not be read: a link, too large, not UTF-8. */
  readonly result_refused?: string;
  /** Of a checkpoint alone: what its boxes say. */
  readonly decision?: DecisionDocument | undefined;
  /** The same of a questions.md. */
  readonly questions_refused?: string;
  /** Contracts for others on the desk of who may give work to them. */
  readonly children?: ChildrenEvidence | undefined;
  readonly timeout_ms: number;
  readonly stall_ms?: number;
  /** What it provably did outside its permissions, a line each. */
  readonly violations?: readonly string[];
  /** Of a client that told why: what there is to say where it handed in nothing. */
  readonly nothing?: ClientEnd;
}

export interface ChildrenEvidence {
  readonly names: readonly string[];
  /** Why none of them is made; empty: all can be. */
  readonly problems: readonly string[];
}

export interface Judgement<Name extends OutcomeName> {
  readonly outcome: Name;
  readonly code: OutcomeCode;
  readonly reason: string;
  /** A person's move ended it: wherever the task stands by now, it is not moved on from there. */
  readonly by_hand?: true;
  /** What is told of it besides, and held against nobody. */
  readonly noticed?: readonly string[];
  /** Nothing was handed in, or not in time. */
  readonly no_result?: true;
  /** It is what the client told of its end. */
  readonly from_client?: true;
  /** Files that it handed in and that were put in their places. */
  readonly delivered?: readonly string[];
}

function as<Name extends OutcomeName>(
  outcome: Name,
  code: OutcomeCode,
  reason: string,
): Judgement<Name> {
  return { outcome, code, reason };
}

export function judgeWork(evidence: WorkEvidence): Judgement<WorkOutcome> {
  const { ending, questions } = evidence;
  if (evidence.moved_to !== undefined) {
    // Nobody ran for a person or a host.
    const when = ending === undefined ? 'while it was open' : 'while it ran';
    const reason = `moved to ${evidence.moved_to} ${when}`;
    return { outcome: 'interrupted', code: 'moved_by_hand', reason, by_hand: true };
  }
  if (ending?.reason === 'cancelled')
    return as('interrupted', 'stopped', 'stopped before it ended');
  if (ending?.reason === 'failed_to_start') {
    return as(
      'interrupted',
      'not_started',
      `could not be started: ${ending.error ?? 'unknown error'}`,
    );
  }
  const { violations = [] } = evidence;
  if (violations.length > 0)
    return as('violated', 'beyond_permissions', `outside its permissions: ${summary(violations)}`);
  if (evidence.contract_changed) {
    return as('stale', 'contract_changed', 'the contract was edited while the agent worked');
  }
  if (questions !== undefined && questions.questions.length > 0) {
    // A form that was not filled in says nothing.
    const both =
      evidence.result?.status === undefined ? '' : '; the result it also wrote is kept, not judged';
    const n = questions.questions.length;
    return as('questions', 'questions', `asks ${n === 1 ? 'a question' : `${n} questions`}${both}`);
  }
  const judged =
    evidence.decision === undefined
      ? withoutQuestions(evidence)
      : withDecision(evidence, evidence.decision);
  if (evidence.questions_refused === undefined) return judged;
  // What was asked nobody knows, so it asks nothing; that it is there must be said all the same.
  const why = `questions.md cannot be read: ${evidence.questions_refused}`;
  return { ...judged, reason: `${judged.reason}; ${why}` };
}

/** It is done by a ticked box, and nothing that it says besides makes up for that. */
function withDecision(
  evidence: WorkEvidence,
  { decision, ticked }: DecisionDocument,
): Judgement<WorkOutcome> {
  if (decision !== undefined) return as('questions', 'decision', `says ${decision}`);
  const judged = withoutQuestions(evidence);
  const silent = judged.outcome === 'complete' || judged.code === 'no_result';
  if (!silent) return judged;
  const which = ticked.length === 0 ? 'no box is ticked' : tickedWords(ticked);
  return as('failed', 'undecided', `decided nothing: ${which} in questions.md`);
}

function withoutQuestions(evidence: WorkEvidence): Judgement<WorkOutcome> {
  const { ending, result } = evidence;
  if (ending?.reason === 'timed_out') {
    const reason = `stopped after ${seconds(evidence.timeout_ms)}`;
    return { ...as('timed_out', 'timed_out', reason), no_result: true };
  }
  if (ending?.reason === 'stalled') {
    const since = seconds(evidence.stall_ms ?? 0);
    const reason = `stopped: no output, status or changed file for ${since}`;
    return { ...as('stalled', 'stalled', reason), no_result: true };
  }
  if (ending?.reason === 'output_limit')
    return as('failed', 'output_limit', 'printed more than the output limit');
  if (evidence.result_refused !== undefined) {
    return as(
      'failed',
      'result_unreadable',
      `result.md cannot be read: ${evidence.result_refused}`,
    );
  }
  const { children } = evidence;
  if (result !== undefined && (children === undefined || result.status !== undefined)) {
    return withResult(result, evidence.task);
  }
  if (children !== undefined && isCleanEnd(evidence)) return withChildren(children);
  const { nothing } = evidence;
  if (nothing === undefined) return { ...withoutResult(ending), no_result: true };
  const { outcome, code, reason } = nothing;
  return { outcome, code, reason, no_result: true, from_client: true };
}

/** What was cut short may be half of what was meant. */
function isCleanEnd({ ending, nothing }: WorkEvidence): boolean {
  if (ending !== undefined && ending.code !== 0) return false;
  return nothing === undefined || (nothing.outcome === 'failed' && nothing.error === undefined);
}

const REFUSALS_TOLD_MAX = 20;

function withChildren({ names, problems }: ChildrenEvidence): Judgement<WorkOutcome> {
  if (problems.length === 0)
    return as('delegated', 'delegated', `gives work to others: ${names.join(', ')}`);
  const told = problems.slice(0, REFUSALS_TOLD_MAX).join('; ');
  const more = problems.length - REFUSALS_TOLD_MAX;
  return as(
    'failed',
    'no_child',
    `no child was made: ${told}${more > 0 ? `; and ${more} more` : ''}`,
  );
}

function withoutResult(ending: Ending | undefined): Judgement<WorkOutcome> {
  if (ending === undefined) return as('failed', 'no_result', 'no result');
  if (ending.signal !== null)
    return as('crashed', 'signal', `killed by ${ending.signal}, no result`);
  if (ending.code === null) return as('crashed', 'signal', 'ended without a trace, no result');
  if (ending.code > 128 && ending.code < 160) {
    return as('crashed', 'signal', `ended by signal ${ending.code - 128}, no result`);
  }
  return ending.code === 0
    ? as('failed', 'no_result', 'no result')
    : as('failed', 'exit_code', `exit ${ending.code}, no result`);
}

function withResult(result: ResultDocument, task: string): Judgement<WorkOutcome> {
  if (result.task !== undefined && result.task !== task) {
    return as('failed', 'other_task', `result.md is of another task, ${result.task}`);
  }
  switch (result.status) {
    case 'COMPLETE':
      return as('complete', 'complete', 'says it is complete');
    case 'FAILED':
      return as(
        'failed',
        'failed',
        firstLine(result.attempted_approaches || result.notes) || 'says it failed',
      );
    case 'BLOCKED':
      return as(
        'blocked',
        'blocked',
        firstLine(result.required_resolution || result.notes) || 'says it is blocked',
      );
    case undefined:
      return as('failed', 'no_status', 'result.md has no status that can be read');
  }
}

export interface ReviewEvidence {
  readonly contract_changed: boolean;
  readonly moved_to: State | undefined;
  readonly cancelled: boolean;
  /** From unmet(); an empty list means that verification passed. */
  readonly unmet: readonly Missing[];
  /** The gate asked in this attempt, empty when none is left to ask. */
  readonly gate: string;
  /** By whom the verdict is given: a person's boxes, or an agent that was called. */
  readonly asked: 'nobody' | 'person' | 'agent';
  readonly verdict: Verdict | undefined;
  readonly findings: string;
  /** How many reviews since the work ended without a verdict, this one not counted. */
  readonly without_verdict: number;
  readonly without_verdict_max: number;
  /** What the reviewer provably did beyond looking, a line each. */
  readonly violations?: readonly string[] | undefined;
  /** Where the review is whose verdict cannot be read, and the text there. */
  readonly unread?: string | undefined;
  /** Of a client that told why it ended without one. */
  readonly nothing?: ClientEnd;
}

export interface ReviewJudgement extends Judgement<ReviewOutcome> {
  readonly no_verdict?: true;
}

export function judgeReview(evidence: ReviewEvidence): ReviewJudgement {
  if (evidence.moved_to !== undefined) {
    return as('interrupted', 'moved_by_hand', `moved to ${evidence.moved_to} during the review`);
  }
  if (evidence.cancelled) return as('interrupted', 'stopped', 'stopped before it ended');
  if (evidence.contract_changed) {
    return as('stale', 'contract_changed', 'the contract was edited after the work was claimed');
  }
  const [first] = evidence.unmet;
  if (first !== undefined) {
    return as('unverified', first.code, summary(evidence.unmet.map(({ words }) => words)));
  }
  if (evidence.asked === 'nobody') return as('approved', 'verified', 'verification passed');
  const { violations = [] } = evidence;
  if (violations.length > 0) {
    const why = `went outside its permissions, so its verdict does not count: ${summary(violations)}`;
    return withoutVerdict(evidence, why);
  }
  const by = evidence.asked === 'person' ? 'a person' : evidence.gate;
  switch (evidence.verdict) {
    case 'APPROVED':
      return as('approved', 'approved', `approved by ${by}`);
    case 'NEEDS_WORK':
      return as(
        'needs_work',
        'needs_work',
        firstLine(evidence.findings) || `${by} says it needs work`,
      );
    case 'REJECT':
      return as('reject', 'reject', firstLine(evidence.findings) || `rejected by ${by}`);
    case undefined:
      if (evidence.asked === 'person') {
        return as('awaits_person', 'awaits_verdict', 'verification passed; waits for a verdict');
      }
      // The reviewer was never asked.
      if (evidence.nothing?.outcome === 'interrupted') {
        const { code, reason } = evidence.nothing;
        return as('interrupted', code, `${evidence.gate}: ${reason}`);
      }
      return withoutVerdict(evidence);
  }
}

function withoutVerdict(evidence: ReviewEvidence, why = whyNoVerdict(evidence)): ReviewJudgement {
  const reason = `${evidence.gate} ${why}`;
  const outcome =
    evidence.nothing?.outcome === 'blocked' ||
    evidence.without_verdict >= evidence.without_verdict_max
      ? 'awaits_person'
      : 'interrupted';
  return { outcome, code: 'no_verdict', reason, no_verdict: true };
}

function whyNoVerdict({ nothing, unread }: ReviewEvidence): string {
  if (unread !== undefined) return `wrote a review without a readable verdict: ${unread}`;
  return `ended without a verdict${nothing === undefined ? '' : `: ${nothing.reason}`}`;
}

/**
 * Where the task goes after an outcome, with the counts that include it; undefined when it stays.
 * `gates_left` holds an approved task in review until every gate has spoken.
 */
export function nextState(
  from: State,
  outcome: OutcomeName,
  counts: Counts,
  limits: Limits,
  gates_left: number,
): State | undefined {
  if (outcome === 'approved' && gates_left > 0) return undefined;
  return transition(from, outcome, isLeft(outcome, counts, limits) ? 'left' : 'none_left');
}

function isLeft(outcome: OutcomeName, counts: Counts, limits: Limits): boolean {
  if (FAILURES.has(outcome)) return counts.failures <= limits.retries_max;
  if (outcome === 'questions') return counts.question_rounds <= limits.questions_max;
  if (SEND_BACKS.has(outcome)) return counts.send_backs <= limits.reviews_max;
  return true;
}

/** The first finding, and how many more there are; all of them stand in review.md. */
function summary(findings: readonly string[]): string {
  const more = findings.length - 1;
  return `${findings[0] ?? ''}${more > 0 ? ` (and ${more} more)` : ''}`;
}

function seconds(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 100) / 10} s`;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  const bare = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
  return bare.length > 300 ? `${bare.slice(0, 299)}…` : bare;
}
