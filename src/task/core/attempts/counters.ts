/**
 * Counters are never stored: they are counted from the outcomes since the task was last resolved,
 * approved or rejected (docs/reference/attempts.md#limits). Lost attempts count for nothing; what a recovery took
 * over from one is in the recovering attempt.
 */
import { FAILED } from './outcome-codes.ts';
import type { Attempt, OutcomeName, OutcomeRecord } from './record.ts';

export const FAILURES: ReadonlySet<OutcomeName> = new Set(FAILED);
export const SEND_BACKS: ReadonlySet<OutcomeName> = new Set(['needs_work', 'unverified']);

export interface Counts {
  readonly failures: number;
  readonly question_rounds: number;
  readonly send_backs: number;
}

/** Number of the attempt after which counting starts; 0 when from the beginning. */
export function countingFrom(attempts: readonly Attempt[], resolved: boolean): number {
  let from = 0;
  for (const attempt of attempts) {
    const name = attempt.lost ? undefined : attempt.outcome?.outcome;
    // Its blocked.md is the one that was resolved before it was claimed.
    if (attempt.blocked) from = Math.max(from, attempt.number - 1);
    if (attempt.anew || name === 'reject') from = Math.max(from, attempt.number);
    if (name === 'approved' && endsApproval(attempts, attempt.number)) {
      from = Math.max(from, attempt.number);
    }
  }
  const highest = attempts.at(-1)?.number ?? 0;
  return resolved ? highest : from;
}

/** Like it for a round of work: a resolution continues the same one. */
export function roundStart(attempts: readonly Attempt[]): number {
  return countingFrom(
    attempts.map((attempt) => ({ ...attempt, blocked: false })),
    false,
  );
}

/**
 * An approval closed the task when the next committed attempt, if any, is work again, or a review
 * that had no gate left to ask: somebody took it out of done.
 */
function endsApproval(attempts: readonly Attempt[], number: number): boolean {
  const next = attempts.find(
    (attempt) => attempt.number > number && !attempt.lost && attempt.outcome !== undefined,
  );
  return next === undefined || next.kind === 'work' || next.outcome?.gate === undefined;
}

/** `resolved`: a blocked.md lies in a task that left blocked, so everything before is forgiven. */
export function count(attempts: readonly Attempt[], resolved: boolean): Counts {
  const from = countingFrom(attempts, resolved);
  const names = attempts
    .filter(({ number, lost, kind }) => number > from && !lost && kind !== 'ask')
    .map((attempt) => attempt.outcome?.outcome);
  const among = (set: ReadonlySet<OutcomeName>): number =>
    names.filter((name) => name !== undefined && set.has(name)).length;
  return {
    failures: among(FAILURES),
    question_rounds: names.filter((name) => name === 'questions').length,
    send_backs: among(SEND_BACKS),
  };
}

type Numbered = Pick<Attempt, 'number' | 'kind'>;

/** Place of an attempt among the tries, or the reviews, of its task: from 1, without lost ones. */
export function nthOf(attempts: readonly Attempt[], { number, kind }: Numbered): number {
  const before = (one: Attempt): boolean =>
    one.number < number && one.kind === kind && !one.lost && one.outcome !== undefined;
  return attempts.filter(before).length + 1;
}

/** `try 2`, `review 1`. */
export function tryName(attempts: readonly Attempt[], one: Numbered): string {
  return `${KIND_WORDS[one.kind]} ${nthOf(attempts, one)}`;
}

/** An agent, and its machine where that is not this one. */
export function whoAt(agent: string, machine = ''): string {
  return machine === '' ? agent : `${agent} on ${machine}`;
}

export const KIND_WORDS = { work: 'try', review: 'review', ask: 'round' } as const;

/** The newest attempt of a kind that ended and was not lost. */
export function lastEnded(
  attempts: readonly Attempt[],
  kind: Attempt['kind'],
): Attempt | undefined {
  return attempts.findLast(
    (attempt) => attempt.kind === kind && !attempt.lost && attempt.outcome !== undefined,
  );
}

/** The newest attempt whose questions.md may lie at the top: work, or a round of questions. */
export function lastAsker(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.findLast(({ kind, lost, outcome }) => kind !== 'review' && !lost && outcome);
}

/** The review that found files changed after an approval, where no work came after it. */
export function lapsedReview(attempts: readonly Attempt[]): Attempt | undefined {
  const last = attempts.findLast(({ lost, outcome }) => !lost && outcome?.code === LAPSED);
  return last && last.number > (lastEnded(attempts, 'work')?.number ?? 0) ? last : undefined;
}

/** The attempt after which approvals count: the last work, or what had all gates asked again. */
export function approvalsFrom(attempts: readonly Attempt[]): number {
  const anew = attempts.findLast((attempt) => attempt.anew);
  const all = [lastEnded(attempts, 'work'), anew, lapsedReview(attempts)];
  return Math.max(...all.map((one) => one?.number ?? 0));
}

const LAPSED = 'approval_lapsed';
const hasRead = ({ outcome, code }: OutcomeRecord) => outcome !== 'interrupted' || code === LAPSED;

/** The review since the last work that waits for a person. An interrupted one has read nothing. */
export function awaitedReview(attempts: readonly Attempt[]): Attempt | undefined {
  const last = attempts.findLast(
    ({ kind, lost, outcome }) =>
      !lost && outcome !== undefined && (kind === 'work' || hasRead(outcome)),
  );
  return last?.outcome?.outcome === 'awaits_person' ? last : undefined;
}

/**
 * The client's session to resume: the last one, for the first two tries after a failure; the third
 * starts fresh with every earlier outcome in its brief (docs/clients.md#clients-of-models). A session belongs to
 * the adapter that reported it: another one knows nothing of it. It is saved with the model's first answer.
 */
export function sessionToResume(
  attempts: readonly Attempt[],
  resolved: boolean,
  adapter: string,
): string | undefined {
  if (count(attempts, resolved).failures >= 3) return undefined;
  const last = lastEnded(attempts, 'work')?.outcome;
  if (last?.adapter !== adapter || last.error === 'session') return undefined;
  const isSaved = attempts.some(
    ({ lost, outcome }) =>
      !lost && outcome !== undefined && outcome.session === last.session && isAnswered(outcome),
  );
  return isSaved ? last.session : undefined;
}

function isAnswered({ error, output_tokens }: OutcomeRecord): boolean {
  return (error !== 'model' && error !== 'outage') || (output_tokens ?? 0) > 0;
}

/** Drops questions that cannot be answered any more. */
export function withLostQuestions(attempt: Attempt, outcome: OutcomeRecord): Attempt {
  const reason = `attempt ${attempt.number} asked, and its questions are lost: it counts as interrupted`;
  const lost = { outcome: 'interrupted', code: 'questions_lost', reason } as const;
  return { ...attempt, outcome: { ...outcome, ...lost }, unasked: true };
}

/** Words for a verdict after which no send-back is left. `before`: how many there were. */
export function sentBackTooOften(before: number, last: string): string {
  const used = before === 1 ? 'the 1 send-back is' : `the ${before} send-backs are`;
  const why = before < 1 ? 'no send-back is allowed' : `${used} used up`;
  return `${why} (reviews_max), and it needs work: "${last}"`;
}
