/**
 * How a state, an outcome and a check are shown, the same at a terminal, on a page and in a report: a sign and a
 * colour. The colour never carries a meaning that the sign or the word beside it does not.
 */
import type { OutcomeName } from '../attempts/record.ts';
import type { State } from './state.ts';

/** Colours by the names that terminals have for them; a page has its own shade of each. */
export type Colour = 'dim' | 'cyan' | 'blue' | 'magenta' | 'yellow' | 'red' | 'green';

export interface Mark {
  /** One cell wide. */
  readonly sign: string;
  readonly colour: Colour;
}

const mark = (sign: string, colour: Colour): Mark => ({ sign, colour });

/** A task that waits for the person who looks. */
export const YOURS: Mark = mark('!', 'yellow');
export const PASSED: Mark = mark('✓', 'green');
export const FAILED: Mark = mark('✗', 'red');

export const STATE_MARKS: Readonly<Record<State, Mark>> = {
  draft: mark('·', 'dim'),
  ready: mark('○', 'cyan'),
  in_progress: mark('●', 'blue'),
  questions: mark('?', 'magenta'),
  review: mark('◆', 'yellow'),
  blocked: mark('✗', 'red'),
  done: mark('✓', 'green'),
  aborted: mark('–', 'dim'),
};

export const OUTCOME_MARKS: Readonly<Record<OutcomeName, Mark>> = {
  complete: PASSED,
  approved: PASSED,
  questions: STATE_MARKS.questions,
  awaits_person: STATE_MARKS.review,
  delegated: STATE_MARKS.in_progress,
  interrupted: STATE_MARKS.aborted,
  stale: STATE_MARKS.aborted,
  asked: PASSED,
  needs_work: mark('↺', 'yellow'),
  unverified: FAILED,
  reject: FAILED,
  failed: FAILED,
  blocked: FAILED,
  timed_out: FAILED,
  stalled: FAILED,
  crashed: FAILED,
  violated: FAILED,
};
