/**
 * What agents and people write, as data after a lenient reading (docs/reference/contract.md#what-counts).
 * `undefined` always means "not said in a way that can be read", and nothing unreadable ever counts as
 * success.
 */

export const RESULT_STATUSES = ['COMPLETE', 'FAILED', 'BLOCKED'] as const;
export const STATUS_FORM = 'Status: COMPLETE, Status: FAILED or Status: BLOCKED';
export const STATUS_WORDS = ['PENDING', 'IN_PROGRESS', ...RESULT_STATUSES] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

export const VERDICTS = ['APPROVED', 'NEEDS_WORK', 'REJECT'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const VERDICT_FORM = '- [x] APPROVED without other words, - [x] NEEDS_WORK or - [x] REJECT';

export interface TickedCriterion {
  /** 1-based position among the boxes of the section; 0 for a box elsewhere. */
  readonly number: number;
  /** 1-based line in the document. */
  readonly line: number;
  readonly text: string;
  readonly ticked: boolean;
  /** Text behind or below the criterion's; empty when there is none. */
  readonly evidence: string;
}

export interface ResultDocument {
  readonly status: ResultStatus | undefined;
  /** The id that the result names in its title or front matter, when it names one. */
  readonly task: string | undefined;
  readonly criteria: readonly TickedCriterion[];
  readonly deliverables: readonly string[];
  readonly notes: string;
  readonly required_resolution: string;
  /** Why it gave up; empty where nothing says so. */
  readonly said: string;
  readonly learnings: readonly string[];
  readonly assumptions: readonly string[];
  readonly decisions_needed: readonly string[];
  /** The lines of its status, which may not be readable. */
  readonly status_lines: readonly UnreadLine[];
}

export interface Question {
  readonly number: number;
  /** Without the boxes below it, and without what it quotes. */
  readonly text: string;
  /** 1-based line of the question. */
  readonly line: number;
  readonly has_slot: boolean;
  /** The agent asked it, and it is not in the file any more: nobody can answer it there. */
  readonly missing?: true;
  /** Empty when unanswered. */
  readonly answer: string;
  /** Answers that the agent proposes, a box each. */
  readonly options?: readonly string[];
  /** Words of the contract that it quotes behind `>`. */
  readonly quote?: string;
  /** All that the agent wrote but for the number and the quote, to be compared. */
  readonly said?: string;
  /** Words for it that are not taken as its answer. */
  readonly unread?: {
    readonly why: 'nothing' | 'aside' | 'contradicts' | 'section';
    readonly found: string;
  };
}

/** A question of one task. */
export interface Same extends Pick<Question, 'number' | 'quote'> {
  readonly id: string;
  /** Number of the newest attempt: a later one may ask something else under this number. */
  readonly attempt: number;
}

/** A question of the form over all tasks, answered once. */
export interface FormQuestion extends Pick<Question, 'text' | 'options'> {
  /** Tasks that ask it; several only before the work. */
  readonly of: readonly Same[];
  /** Asked before the work. */
  readonly before: boolean;
}

export interface QuestionsDocument {
  readonly questions: readonly Question[];
  readonly understood: string;
  readonly unclear: string;
}

/** A line, 1-based, that was meant to say a verdict or a status, and cannot be read. */
export interface UnreadLine {
  readonly line: number;
  readonly found: string;
}

export interface ReviewDocument {
  /** Exactly one verdict was given. None or two means undecided. */
  readonly verdict: Verdict | undefined;
  readonly ticked: readonly Verdict[];
  /** Boxes of verdicts that can be read, ticked or not. */
  readonly boxes: number;
  /** Why there is no verdict, where something was said. */
  readonly unread?: UnreadLine;
  /** Words behind NEEDS_WORK or REJECT, and what is under `## Findings`, else all but title, boxes and checks. */
  readonly findings: string;
}

export interface StatusDocument {
  readonly status: string | undefined;
  readonly current_step: string;
}

export interface BlockedDocument {
  /** The text in the `## Resolution` slot; empty when nothing was written there. */
  readonly resolution: string;
  /** The first paragraph of `## Why It Stopped`. */
  readonly why?: string;
}

/** Words for more than one ticked box. */
export function tickedWords(ticked: readonly string[]): string {
  const last = ticked.at(-1) ?? '';
  const all = ticked.length > 2 ? 'all' : 'both';
  return `${ticked.slice(0, -1).join(', ')} and ${last} are ${all} ticked`;
}

/** questions.md of a task that is decided by a ticked box. */
export interface DecisionDocument<W extends string = string> {
  /** Exactly one box is ticked. */
  readonly decision: W | undefined;
  readonly ticked: readonly W[];
  /** Boxes that can be read, ticked or not. */
  readonly boxes: number;
  /** Words of whoever decides: at the ticked box, under `## Notes` or a heading of their own. */
  readonly notes: string;
}

/** The notes of a result that the runner wrote itself: there is nothing to learn from it. */
export const RUNNERS_NOTES = 'All steps of the contract ran. The runner wrote this result.';
