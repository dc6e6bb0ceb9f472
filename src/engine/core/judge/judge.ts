/**
 * How an attempt ended: pure functions from the desk, the process and what the runner saw to one outcome
 * (docs/decisions/0005-an-agents-word-is-not-enough.md). Nothing unreadable ever counts as success.
 */
import type {
  DecisionDocument,
  QuestionsDocument,
  ResultDocument,
  Verdict,
} from '../../../task/core/model/documents.ts';
import { FAILURES, SEND_BACKS, type Counts } from '../../../task/core/attempts/counters.ts';
import type { ClientEnd, Ending } from '../../../task/core/attempts/client-report.ts';
import type { Limits } from '../../../task/core/model/policy.ts';
import type {
  OutcomeName,
  ReviewOutcome,
  WorkOutcome,
} from '../../../task/core/attempts/record.ts';
import type { State } from '../../../task/core/model/state.ts';
import { transition } from '../../../task/core/model/transitions.ts';
import { ended, summary, type Judgement, type Missing } from '../words/outcomes.ts';

export interface WorkEvidence {
  readonly task: string;
  readonly contract_changed: boolean;
  /** The state to which a person has moved the folder since. */
  readonly moved_to: State | undefined;
  /** undefined for people and hosts, where no process runs. */
  readonly ending: Ending | undefined;
  readonly questions: QuestionsDocument | undefined;
  readonly result: ResultDocument | undefined;
  /** Why a result.md that is there could not be read: a link, too large, not UTF-8. */
  readonly result_refused?: string;
  /** Only of a checkpoint: its boxes. */
  readonly decision?: DecisionDocument | undefined;
  readonly questions_refused?: string;
  /** Contracts for others on the desk of an agent that may delegate. */
  readonly children?: ChildrenEvidence | undefined;
  readonly timeout_ms: number;
  readonly stall_ms?: number;
  /** Changes that it provably made outside its permissions, a line each. */
  readonly violations?: readonly string[];
  /** Why a client handed in nothing, where it reports that. */
  readonly nothing?: ClientEnd;
}

export interface ChildrenEvidence {
  readonly names: readonly string[];
  /** Why none of them is made; empty: all can be. */
  readonly problems: readonly string[];
}

export function judgeWork(evidence: WorkEvidence): Judgement<WorkOutcome> {
  const { ending, questions } = evidence;
  if (evidence.moved_to !== undefined) {
    // No process ran for a person or a host.
    const when = ending === undefined ? 'while it was open' : 'while it ran';
    return { ...ended('moved_by_hand', { to: evidence.moved_to, when }), by_hand: true };
  }
  if (ending?.reason === 'cancelled') return ended('stopped');
  if (ending?.reason === 'failed_to_start') return ended('not_started', ending);
  const elsewhere = ending && endedElsewhere(ending);
  if (elsewhere !== undefined) return elsewhere;
  const { violations = [] } = evidence;
  if (violations.length > 0) return ended('beyond_permissions', { lines: violations });
  if (evidence.contract_changed) {
    return ended('contract_changed', { when: 'while the agent worked' });
  }
  if (questions !== undefined && questions.questions.length > 0) {
    // A form that was not filled in is no result.
    const has_result = evidence.result?.status !== undefined;
    return ended('questions', { count: questions.questions.length, has_result });
  }
  const judged =
    evidence.decision === undefined
      ? withoutQuestions(evidence)
      : withDecision(evidence, evidence.decision);
  if (evidence.questions_refused === undefined) return judged;
  // It cannot be known what was asked, so it asks nothing; that the file is there must be reported.
  const why = `questions.md cannot be read: ${evidence.questions_refused}`;
  return { ...judged, reason: `${judged.reason}; ${why}` };
}

/** Nothing came of it that could be judged: no worker's answer was taken. */
export function endedElsewhere({
  reason,
  error: why = '',
}: Ending): Judgement<WorkOutcome> | undefined {
  switch (reason) {
    case 'machine_lost':
    case 'queue_lost':
      return { ...ended(reason, { why }), no_result: true };
    case 'refused':
      return { ...ended('worker_refused', { why }), no_result: true };
    default:
      return undefined;
  }
}

/** Only a ticked box decides a checkpoint, and no text beside it. */
function withDecision(
  evidence: WorkEvidence,
  { decision, ticked }: DecisionDocument,
): Judgement<WorkOutcome> {
  if (decision !== undefined) return ended('decision', { decision });
  const judged = withoutQuestions(evidence);
  const silent = judged.outcome === 'complete' || judged.code === 'no_result';
  return silent ? ended('undecided', { ticked }) : judged;
}

function withoutQuestions(evidence: WorkEvidence): Judgement<WorkOutcome> {
  const { ending, result } = evidence;
  switch (ending?.reason) {
    case 'timed_out':
      return { ...ended('timed_out', { ms: evidence.timeout_ms }), no_result: true };
    case 'stalled':
      return { ...ended('stalled', { ms: evidence.stall_ms ?? 0 }), no_result: true };
    case 'output_limit':
      return ended('output_limit');
  }
  const why = evidence.result_refused;
  if (why !== undefined) return ended('result_unreadable', { why });
  const { children } = evidence;
  if (result !== undefined && (children === undefined || result.status !== undefined)) {
    return withResult(result, evidence.task);
  }
  if (children !== undefined && isCleanEnd(evidence)) {
    const { names, problems } = children;
    return problems.length === 0 ? ended('delegated', { names }) : ended('no_child', { problems });
  }
  const { nothing } = evidence;
  if (nothing === undefined) return { ...withoutResult(ending), no_result: true };
  const { outcome, code, reason } = nothing;
  return { outcome, code, reason, no_result: true, from_client: true };
}

/** False for a call that was cut short: what it left may be half of what was meant. */
function isCleanEnd({ ending, nothing }: WorkEvidence): boolean {
  if (ending !== undefined && ending.code !== 0 && nothing?.recovered !== true) return false;
  return nothing === undefined || (nothing.outcome === 'failed' && nothing.error === undefined);
}

/** How a call went wrong by itself; undefined where it came to its end. */
export function endedBadly({
  ending,
  timeout_ms: ms,
  stall_ms = 0,
}: Pick<WorkEvidence, 'timeout_ms' | 'stall_ms'> & { readonly ending: Ending }) {
  const elsewhere = endedElsewhere(ending);
  if (elsewhere !== undefined) return elsewhere;
  if (ending.reason === 'timed_out') return ended('timed_out', { ms });
  if (ending.reason === 'stalled') return ended('stalled', { ms: stall_ms });
  if (ending.reason === 'output_limit') return ended('output_limit');
  return ending.code === 0 ? undefined : withoutResult(ending);
}

function withoutResult(ending: Ending | undefined): Judgement<WorkOutcome> {
  if (ending === undefined || ending.code === 0) return ended('no_result');
  const { signal, code } = ending;
  if (signal !== null) return ended('signal', { how: `killed by ${signal}` });
  if (code === null) return ended('signal', { how: 'ended without a trace' });
  return code > 128 && code < 160
    ? ended('signal', { how: `ended by signal ${code - 128}` })
    : ended('exit_code', { code });
}

function withResult(result: ResultDocument, of: string): Judgement<WorkOutcome> {
  const { task = of, status, said } = result;
  if (task !== of) return ended('other_task', { task });
  switch (status) {
    case 'COMPLETE':
      return ended('complete');
    case 'FAILED':
      return ended('failed', { text: said });
    case 'BLOCKED':
      return ended('blocked', { text: said });
    case undefined:
      return ended('no_status', { unread: result.status_lines });
  }
}

export interface ReviewEvidence extends Pick<WorkEvidence, 'contract_changed' | 'moved_to'> {
  readonly cancelled: boolean;
  /** From unmet(); an empty list means that verification passed. */
  readonly unmet: readonly Missing[];
  /** Every check passed before the work, too, and no file was to be delivered. */
  readonly proves_nothing?: boolean;
  /** A check failed as it did before, and another attempt can only end the same way. */
  readonly same_again?: boolean;
  /** The gate asked in this attempt, empty when none is left to ask. */
  readonly gate: string;
  readonly asked: 'nobody' | 'person' | 'agent';
  readonly verdict: Verdict | undefined;
  readonly findings: string;
  /** How many reviews since the work ended without a verdict, this one not counted. */
  readonly without_verdict: number;
  readonly without_verdict_max: number;
  /** Changes that the reviewer provably made, a line each. */
  readonly violations?: readonly string[] | undefined;
  /** The place and text of a verdict that cannot be read. */
  readonly unread?: string | undefined;
  /** Why a client ended without a verdict, where it reports that. */
  readonly nothing?: ClientEnd;
}

export interface ReviewJudgement extends Judgement<ReviewOutcome> {
  readonly no_verdict?: true;
  readonly same_again?: true;
}

export function judgeReview(evidence: ReviewEvidence): ReviewJudgement {
  const { moved_to, violations = [], nothing } = evidence;
  if (moved_to !== undefined) {
    return ended('moved_by_hand', { to: moved_to, when: 'during the review' });
  }
  if (evidence.cancelled) return ended('stopped');
  if (evidence.contract_changed) {
    return ended('contract_changed', { when: 'after the work was claimed' });
  }
  const [first] = evidence.unmet;
  if (first !== undefined) {
    const reason = summary(evidence.unmet.map(({ words }) => words));
    const again = evidence.same_again === true ? { same_again: true as const } : undefined;
    return { outcome: 'unverified', code: first.code, reason, ...again };
  }
  if (evidence.asked === 'nobody') return ended('verified', evidence);
  if (violations.length > 0) return withoutVerdict(evidence);
  const by = evidence.asked === 'person' ? 'a person' : evidence.gate;
  const review = { by, text: evidence.findings };
  if (evidence.verdict !== undefined) return ended(VERDICTS[evidence.verdict], review);
  if (evidence.asked === 'person') return ended('awaits_verdict');
  // The reviewer was never asked.
  if (nothing?.outcome === 'interrupted') {
    const { code, reason } = nothing;
    return { outcome: 'interrupted', code, reason: `${evidence.gate}: ${reason}` };
  }
  return withoutVerdict(evidence);
}

const VERDICTS = { APPROVED: 'approved', NEEDS_WORK: 'needs_work', REJECT: 'reject' } as const;

function withoutVerdict(evidence: ReviewEvidence): ReviewJudgement {
  const { gate, violations = [], unread, nothing, without_verdict: before } = evidence;
  const isLast = nothing?.outcome === 'blocked' || before >= evidence.without_verdict_max;
  return {
    ...ended('no_verdict', { gate, violations, unread, why: nothing?.reason }),
    outcome: isLast ? 'awaits_person' : 'interrupted',
    no_verdict: true,
  };
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
