/**
 * How an attempt can end, by code: its outcome, and the sentence that people read. The engine makes each
 * outcome and each finding here; the words of `client_…` are in clients/core/client-end.ts.
 */
import { tickedWords, type UnreadLine } from '../../../task/core/model/documents.ts';
import type { OutcomeCode } from '../../../task/core/attempts/outcome-codes.ts';
import type { OutcomeName } from '../../../task/core/attempts/record.ts';
import type { Fault } from '../../../task/core/model/problem.ts';
import type { State } from '../../../task/core/model/state.ts';

export interface Judgement<Name extends OutcomeName> {
  readonly outcome: Name;
  readonly code: OutcomeCode;
  readonly reason: string;
  /** A person's move ended it: wherever the task is by now, it is not moved on from there. */
  readonly by_hand?: true;
  /** Notices that do not count against the agent. */
  readonly noticed?: readonly string[];
  /** Nothing was handed in, or not in time. */
  readonly no_result?: true;
  /** The client reported its end this way. */
  readonly from_client?: true;
}

/** Codes whose words are made elsewhere, or were recorded, also by earlier versions. */
type Elsewhere = `client_${string}` | 'questions_lost' | 'not_delivered' | 'recorded';
export type FindingCode =
  'check_failed' | 'deliverable_missing' | 'criterion_open' | 'result_incomplete';
export type EngineCode = Exclude<OutcomeCode, Elsewhere | FindingCode>;

const REFUSALS_MAX = 20;

/** Values in the sentences; lists have a path or a line each. */
interface Fields {
  /** undefined where the folder is gone. */
  readonly to: State | undefined;
  readonly when: string;
  readonly error?: string | undefined;
  readonly lines: readonly string[];
  readonly count: number;
  readonly has_result: boolean;
  readonly decision: string;
  readonly ticked: readonly string[];
  readonly ms: number;
  readonly how: string;
  readonly code: number;
  readonly why: string;
  readonly task: string;
  readonly text: string;
  readonly names: readonly string[];
  readonly files: readonly string[];
  readonly proves_nothing?: boolean;
  readonly by: string;
  readonly check: string;
  readonly reason: string;
  readonly path: string;
  readonly number: number;
  /** The line of result.md where it is not ticked, or denied. */
  /** The file of that line, where it is not the result. */
  readonly box_of?: string;
  readonly where: number | undefined;
  readonly is_read: boolean;
  readonly agent: string;
  readonly problems: readonly string[];
  readonly gate: string;
  readonly violations: readonly string[];
  /** The place and text of a verdict that cannot be read. */
  readonly unread: string | undefined;
}

type Of<K extends keyof Fields> = Pick<Fields, K>;

export const OUTCOMES = {
  moved_by_hand: [
    'interrupted',
    ({ to, when }: Of<'to' | 'when'>) =>
      `${to === undefined ? 'removed' : `moved to ${to}`} ${when}`,
  ],
  stopped: ['interrupted', () => 'stopped before it ended'],
  not_started: [
    'interrupted',
    ({ error = 'unknown error' }: Of<'error'>) => `could not be started: ${error}`,
  ],
  fault: ['interrupted', ({ message }: Error) => message],
  contract_unreadable: ['interrupted', () => 'the contract cannot be read'],
  contract_changed: ['stale', ({ when }: Of<'when'>) => `the contract was edited ${when}`],
  may_have_run: [
    'blocked',
    () => 'runner and agent died together; it may have run in part (rerun: ask)',
  ],
  folder_taken: ['blocked', ({ message }: Error) => message],
  merge_conflict: ['blocked', ({ message }: Error) => message],
  not_settled: [
    'blocked',
    ({ message, fix }: Fault) =>
      `its files could not be committed: ${message}. They are still in its worktree. ${fix.replace(/,? then (?:contracts )?step.*/, '')}, then retry: its agent is not called again for them`,
  ],
  beyond_permissions: [
    'violated',
    ({ lines }: Of<'lines'>) => `outside its permissions: ${summary(lines)}`,
  ],

  questions: [
    'questions',
    ({ count, has_result }: Of<'count' | 'has_result'>) =>
      `asks ${count === 1 ? 'a question' : `${count} questions`}${has_result ? '; the result it also wrote is kept, not judged' : ''}`,
  ],
  decision: ['questions', ({ decision }: Of<'decision'>) => `says ${decision}`],
  undecided: [
    'failed',
    ({ ticked }: Of<'ticked'>) =>
      `decided nothing: ${ticked.length === 0 ? 'no box is ticked' : tickedWords(ticked)} in questions.md`,
  ],

  timed_out: ['timed_out', ({ ms }: Of<'ms'>) => `stopped after ${seconds(ms)}`],
  stalled: [
    'stalled',
    ({ ms }: Of<'ms'>) => `stopped: no output, status or changed file for ${seconds(ms)}`,
  ],
  machine_lost: ['crashed', ({ why }: Of<'why'>) => why],
  queue_lost: ['interrupted', ({ why }: Of<'why'>) => why],
  worker_refused: ['failed', ({ why }: Of<'why'>) => why],
  output_limit: ['failed', () => 'printed more than the output limit'],
  signal: ['crashed', ({ how }: Of<'how'>) => `${how}, no result`],
  exit_code: ['failed', ({ code }: Of<'code'>) => `exit ${code}, no result`],
  no_result: ['failed', () => 'no result'],
  result_unreadable: ['failed', ({ why }: Of<'why'>) => `result.md cannot be read: ${why}`],
  other_task: ['failed', ({ task }: Of<'task'>) => `result.md is of another task, ${task}`],
  no_status: ['failed', noStatus],

  complete: ['complete', () => 'says it is complete'],
  unchanged: ['complete', () => 'nothing was changed; says it is complete'],
  failed: ['failed', ({ text }: Of<'text'>) => firstLine(text) || 'says it failed'],
  blocked: ['blocked', ({ text }: Of<'text'>) => firstLine(text) || 'says it is blocked'],
  delegated: ['delegated', ({ names }: Of<'names'>) => `gives work to others: ${names.join(', ')}`],
  no_child: ['failed', noChild],
  unsettled: [
    'failed',
    ({ files }: Of<'files'>) =>
      `the conflict is not settled: git's marks are still in ${files.join(', ')}`,
  ],
  git_cannot_take: [
    'failed',
    ({ lines }: Of<'lines'>) =>
      `git cannot take all that it left: ${summary(lines)}; make it a file that can be read, outside other repositories, or remove it`,
  ],

  verified: [
    'approved',
    ({ proves_nothing }: Of<'proves_nothing'>) =>
      `verification passed${proves_nothing ? ', as it did before the work: it proves nothing new' : ''}`,
  ],
  approved: ['approved', ({ by }: Of<'by' | 'text'>) => `approved by ${by}`],
  needs_work: [
    'needs_work',
    ({ by, text }: Of<'by' | 'text'>) => firstLine(text) || `${by} says it needs work`,
  ],
  reject: ['reject', ({ by, text }: Of<'by' | 'text'>) => firstLine(text) || `rejected by ${by}`],
  awaits_verdict: ['awaits_person', () => 'verification passed; waits for a verdict'],
  approval_lapsed: [
    'interrupted',
    ({ files }: Of<'files'>) =>
      `${summary([files.slice(0, 5).join(', '), ...files.slice(5)])} changed after the approval, which no longer counts`,
  ],
  no_verdict: ['interrupted', noVerdict],

  no_questions: ['asked', () => 'says it has no questions'],
  no_word: ['interrupted', () => 'wrote neither questions nor that it has none'],
  not_read_only: [
    'interrupted',
    ({ lines }: Of<'lines'>) =>
      `the round is void, as it may only read: ${summary(lines)}; the changes stay`,
  ],
  round_cut_short: ['interrupted', () => 'its runner ended before it had answered'],
} satisfies { readonly [C in EngineCode]: readonly [OutcomeName, (fields: never) => string] };

type Table = typeof OUTCOMES;
type Named<C extends EngineCode> = Table[C][0];

/** Codes whose sentence is always the same need no fields. */
export function ended<C extends EngineCode>(
  code: C,
  ...fields: Parameters<Table[C][1]>
): Judgement<Named<C>> {
  const [outcome, words] = OUTCOMES[code] as readonly [Named<C>, (...all: typeof fields) => string];
  return { outcome, code, reason: words(...fields) };
}

export interface Missing {
  readonly code: FindingCode;
  readonly words: string;
}

export const FINDINGS = {
  check_failed: ({ check, reason }: Of<'check' | 'reason'>) =>
    `check \`${check}\` failed: ${reason}`,
  deliverable_missing: ({ path, why }: Of<'path' | 'why'>) => `deliverable ${path} ${why}`,
  criterion_open: ({
    number,
    text,
    where,
    box_of = 'result.md',
  }: Of<'number' | 'text' | 'where' | 'box_of'>) =>
    `criterion ${number} ${where === undefined ? 'has no box in result.md, under any heading' : `is not ticked, or is denied, in line ${where} of ${box_of}`}: ${text}`,
  result_incomplete: ({ is_read }: Of<'is_read'>) =>
    `result.md ${is_read ? 'does not say COMPLETE' : 'cannot be read'}`,
} satisfies { readonly [C in FindingCode]: (fields: never) => string };

export function finding<C extends FindingCode>(
  code: C,
  fields: Parameters<(typeof FINDINGS)[C]>[0],
): Missing {
  const words = FINDINGS[code] as (all: typeof fields) => string;
  return { code, words: words(fields) };
}

function noChild({ problems }: Of<'problems'>): string {
  const more = problems.length - REFUSALS_MAX;
  const shown = problems.slice(0, REFUSALS_MAX).join('; ');
  return `no child was made: ${shown}${more > 0 ? `; and ${more} more` : ''}`;
}

function noStatus({ unread }: { readonly unread: readonly UnreadLine[] }): string {
  const all = unread.slice(0, 2).map((one) => `line ${one.line} has ${JSON.stringify(one.found)}`);
  const found = all.length === 0 ? 'no status' : `no readable status: ${all.join(', ')}`;
  return `result.md has ${found}; expected COMPLETE, FAILED or BLOCKED`;
}

interface NoVerdict extends Of<'gate' | 'violations' | 'unread'> {
  readonly why: string | undefined;
}

function noVerdict({ gate, violations, unread, why }: NoVerdict): string {
  if (violations.length > 0) {
    return `${gate} went outside its permissions, so its verdict does not count: ${summary(violations)}`;
  }
  if (unread !== undefined) return `${gate} wrote a review that gives no verdict: ${unread}`;
  return `${gate} ended without a verdict${why === undefined ? '' : `: ${why}`}`;
}

/** The first one, and how many more there are. */
export function summary([first = '', ...more]: readonly string[]): string {
  return `${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
}

function seconds(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 100) / 10} s`;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  const bare = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
  return bare.length > 300 ? `${bare.slice(0, 299)}…` : bare;
}
