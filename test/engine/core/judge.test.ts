/**
 * How attempts end, as tables: judgeWork, judgeReview, what is unmet, and where a task goes then.
 * An agent's word is never enough, and what comes first in the design wins.
 */
import { describe, expect, test } from 'vitest';
import type { Ending } from '../../../src/task/core/attempts/client-report.ts';
import type { ResultDocument, TickedCriterion } from '../../../src/task/core/model/documents.ts';
import {
  judgeReview,
  judgeWork,
  nextState,
  type ReviewEvidence,
  type WorkEvidence,
} from '../../../src/engine/core/judge/judge.ts';
import {
  unmet,
  unmetCriteria,
  type DeliverableSeen,
} from '../../../src/engine/core/judge/unmet.ts';
import type { OutcomeCode } from '../../../src/task/core/attempts/outcome-codes.ts';
import type { OutcomeName, Receipt } from '../../../src/task/core/attempts/record.ts';
import type { State } from '../../../src/task/core/model/state.ts';
import { makeContract } from './make.ts';

const exited = (code: number): Ending => ({ reason: 'exited', code, signal: null });

function result(input: Partial<ResultDocument> = {}): ResultDocument {
  return {
    status: 'COMPLETE',
    task: undefined,
    criteria: [],
    deliverables: [],
    notes: '',
    required_resolution: '',
    said: '',
    learnings: [],
    assumptions: [],
    decisions_needed: [],
    status_lines: [],
    ...input,
  };
}

const asked = (n: number) => ({
  questions: Array.from({ length: n }, (_, i) => ({
    number: i + 1,
    text: 'which?',
    line: 1,
    has_slot: false,
    answer: '',
  })),
  understood: '',
  unclear: '',
});

describe('judgeWork', () => {
  const plain: WorkEvidence = {
    task: 'a',
    contract_changed: false,
    moved_to: undefined,
    ending: exited(0),
    questions: undefined,
    result: undefined,
    timeout_ms: 90_000,
  };
  const signal: Ending = { reason: 'exited', code: null, signal: 'SIGKILL' };
  const ended = (reason: Ending['reason']): Ending => ({ reason, code: null, signal: null });
  const table: readonly [string, Partial<WorkEvidence>, string, OutcomeCode][] = [
    ['exit 0 and nothing written', {}, 'failed', 'no_result'],
    ['exit 1 and nothing written', { ending: exited(1) }, 'failed', 'exit_code'],
    ['exit 137', { ending: exited(137) }, 'crashed', 'signal'],
    ['exit 160 is no signal', { ending: exited(160) }, 'failed', 'exit_code'],
    ['exit 128 is no signal', { ending: exited(128) }, 'failed', 'exit_code'],
    ['a signal', { ending: signal }, 'crashed', 'signal'],
    ['an end without a trace', { ending: ended('unknown') }, 'crashed', 'signal'],
    ['a person who handed in nothing', { ending: undefined }, 'failed', 'no_result'],
    ['complete', { result: result() }, 'complete', 'complete'],
    ['complete with exit 1', { ending: exited(1), result: result() }, 'complete', 'complete'],
    ['complete of this very task', { result: result({ task: 'a' }) }, 'complete', 'complete'],
    ['complete of another task', { result: result({ task: 'b' }) }, 'failed', 'other_task'],
    ['an unreadable status', { result: result({ status: undefined }) }, 'failed', 'no_status'],
    [
      'says it failed',
      { result: result({ status: 'FAILED', said: 'tried glue' }) },
      'failed',
      'failed',
    ],
    ['says it failed, no words', { result: result({ status: 'FAILED' }) }, 'failed', 'failed'],
    [
      'says it is blocked',
      { result: result({ status: 'BLOCKED', said: 'a key' }) },
      'blocked',
      'blocked',
    ],
    ['blocked, no words', { result: result({ status: 'BLOCKED' }) }, 'blocked', 'blocked'],
    ['one question', { questions: asked(1) }, 'questions', 'questions'],
    ['two questions', { questions: asked(2) }, 'questions', 'questions'],
    ['a questions.md without any', { questions: asked(0) }, 'failed', 'no_result'],
    [
      'a questions.md that cannot be read',
      { questions_refused: 'it is larger' },
      'failed',
      'no_result',
    ],
    [
      'a questions.md that cannot be read, beside a result',
      { questions_refused: 'it is larger', result: result() },
      'complete',
      'complete',
    ],
    [
      'too slow, and a questions.md that cannot be read',
      { questions_refused: 'it is a folder', ending: ended('timed_out') },
      'timed_out',
      'timed_out',
    ],
    [
      'questions and result: the questions win',
      { questions: asked(1), result: result() },
      'questions',
      'questions',
    ],
    ['too slow', { ending: ended('timed_out') }, 'timed_out', 'timed_out'],
    [
      'too slow, in minutes',
      { ending: ended('timed_out'), timeout_ms: 600_000 },
      'timed_out',
      'timed_out',
    ],
    [
      'too slow with a result: the time counts',
      { ending: ended('timed_out'), result: result() },
      'timed_out',
      'timed_out',
    ],
    [
      'too slow with questions: they are kept',
      { ending: ended('timed_out'), questions: asked(1) },
      'questions',
      'questions',
    ],
    [
      'too much output',
      { ending: ended('output_limit'), result: result() },
      'failed',
      'output_limit',
    ],
    ['cancelled', { ending: ended('cancelled'), result: result() }, 'interrupted', 'stopped'],
    [
      'never started',
      { ending: { ...ended('failed_to_start'), error: 'EAGAIN' } },
      'interrupted',
      'not_started',
    ],
    [
      'an edited contract',
      { contract_changed: true, result: result() },
      'stale',
      'contract_changed',
    ],
    [
      'an edited contract with questions',
      { contract_changed: true, questions: asked(1) },
      'stale',
      'contract_changed',
    ],
    [
      'a folder moved by hand, before all else',
      { moved_to: 'done', contract_changed: true, questions: asked(1), result: result() },
      'interrupted',
      'moved_by_hand',
    ],
  ];
  test.each(table)('%s', (_name, evidence, outcome, code) => {
    const judged = judgeWork({ ...plain, ...evidence });
    expect(judged).toMatchObject({ outcome, code });
  });

  test.each<[string, Partial<WorkEvidence>]>([
    ['nothing else', {}],
    ['a result', { result: result() }],
    ['no time left', { ending: ended('timed_out') }],
  ])('a questions.md that cannot be read is named, beside %s', (_name, evidence) => {
    const without = judgeWork({ ...plain, ...evidence });
    const judged = judgeWork({ ...plain, ...evidence, questions_refused: 'it is larger' });
    const why = 'questions.md cannot be read: it is larger';
    expect(judged.reason).toBe(`${without.reason}; ${why}`);
  });

  test('a reason is one line of at most 300 characters', () => {
    const long = result({ status: 'FAILED', said: `${'x'.repeat(500)}\nsecond` });
    expect(judgeWork({ ...plain, result: long }).reason).toBe(`${'x'.repeat(299)}…`);
  });
});

describe('unmetCriteria', () => {
  const said = (text: string, ticked = true, number = 1): TickedCriterion => ({
    number,
    line: number,
    text,
    ticked,
    evidence: '',
  });
  const table: readonly [
    string,
    readonly string[],
    readonly TickedCriterion[],
    readonly RegExp[],
  ][] = [
    ['all ticked by text', ['A', 'B'], [said('B'), said('A', true, 2)], []],
    [
      'one not ticked',
      ['A', 'B'],
      [said('A'), said('B', false, 2)],
      [/2 is not ticked, or is denied, in line 2 of result.md: B/],
    ],
    ['one not there', ['A', 'B'], [said('A')], [/2 has no box in result.md, under any heading: B/]],
    ['none there', ['A'], [], [/1 has no box in result.md, under any heading/]],
    ['case, emphasis and a full stop', ['**It** `works`.'], [said('it  works')], []],
    [
      'reworded, found by number',
      ['The login works', 'B'],
      [said('Login now works for everybody'), said('B', true, 2)],
      [],
    ],
    ['named by its number', ['A', 'B'], [said('Criterion 1: yes'), said('#2', true, 2)], []],
    [
      'reworded and not ticked',
      ['The login works'],
      [said('Login works', false)],
      [/is not ticked, or is denied, in line 1 /],
    ],
    [
      'a tick behind other words is none',
      ['all tests pass', 'nothing was deleted'],
      [said('I looked at the code'), said('I had a nice day', true, 2)],
      [
        /1 has no box in result.md, under any heading/,
        /2 has no box in result.md, under any heading/,
      ],
    ],
    ...(
      [
        ['tests pass on Linux and macOS', 'tests pass on Linux'],
        ['latency is under 100 ms', 'latency is under 900 ms'],
        ['the text is friendly', 'the text is rude'],
        ['all pages are translated', 'some pages are translated'],
        ['12 pages are translated', '3 of 12 pages are translated'],
        ['every link works', 'every link was removed'],
        ['it is this', 'I had a nice day'],
      ] as const
    ).map(([wanted, there]): (typeof table)[number] => [
      `a tick that says less or another thing is none: ${there}`,
      [wanted],
      [said(there)],
      [/1 has no box in result.md, under any heading/],
    ]),
    [
      'a number that the text begins with is not its own',
      ['A', 'B', 'all 12 pages are there'],
      [said('A'), said('B', true, 2), said('3 of 12 pages are there', true, 3)],
      [/3 has no box/],
    ],
    [
      'a part of it is none',
      ['all tests pass'],
      [said('all tests pass, mostly')],
      [/1 is not ticked, or is denied/],
    ],
    [
      'another criterion at that number does not stand in',
      ['A', 'B'],
      [said('B'), said('B', true, 2)],
      [/1 has no box in result.md, under any heading: A/],
    ],
    ['with evidence on the same line', ['It works'], [said('It works because of glue')], []],
    [
      'two that begin alike are not guessed between',
      ['It', 'x', 'y'],
      [said('It a', true, 1), said('It b', false, 2), said('y', true, 3), said('x', true, 4)],
      [],
    ],
    ['a contract without criteria', [], [said('A')], []],
  ];
  test.each(table)('%s', (_name, criteria, there, expected) => {
    const found = unmetCriteria(makeContract({ criteria }), result({ criteria: there }));
    expect(found.length, found.join('; ')).toBe(expected.length);
    for (const [i, words] of expected.entries()) expect(found[i]?.words).toMatch(words);
  });
});

describe('unmet', () => {
  const good: DeliverableSeen = { path: 'a.txt', hash: 'h2', bytes: 5, before: 'h1' };
  const passed: Receipt = {
    check: 'run: true',
    passed: true,
    exit_code: 0,
    at: '',
    ms: 1,
    reason: 'passed',
    output: '',
  };
  const table: readonly [
    string,
    readonly DeliverableSeen[],
    readonly Receipt[],
    readonly RegExp[],
  ][] = [
    ['nothing when changed and passed', [good], [passed], []],
    ['nothing when new', [{ ...good, before: undefined }], [], []],
    ['absent', [{ ...good, hash: undefined, bytes: 0 }], [], [/a.txt is not there/]],
    [
      'absent before and now',
      [{ ...good, hash: undefined, bytes: 0, before: undefined }],
      [],
      [/not there/],
    ],
    ['empty', [{ ...good, bytes: 0 }], [], [/is empty/]],
    ['older than the claim', [{ ...good, hash: 'h1' }], [], [/has not changed since/]],
    ['refused', [{ ...good, refused: 'it is a link' }], [], [/refused: it is a link/]],
    [
      'a check that failed',
      [good],
      [passed, { ...passed, passed: false, reason: 'exit 1' }],
      [/check `run: true` failed: exit 1/],
    ],
    [
      'all at once, in order',
      [{ ...good, bytes: 0 }],
      [{ ...passed, passed: false }],
      [/failed/, /is empty/],
    ],
  ];
  test.each(table)('%s', (_name, deliverables, receipts, expected) => {
    const contract = makeContract({ criteria: [] });
    const found = unmet(contract, result(), deliverables, receipts);
    expect(found.length, found.join('; ')).toBe(expected.length);
    for (const [i, words] of expected.entries()) expect(found[i]?.words).toMatch(words);
  });
});

test('work that was given to others counts after exit 1 of a client whose last event was well', () => {
  const evidence: WorkEvidence = {
    task: 'a',
    contract_changed: false,
    moved_to: undefined,
    ending: exited(1),
    questions: undefined,
    result: undefined,
    timeout_ms: 1,
    children: { names: ['b'], problems: [] },
    nothing: { outcome: 'failed', code: 'client_silent', reason: 'no result', recovered: true },
  };
  expect(judgeWork(evidence).outcome).toBe('delegated');
  const { recovered: _, ...nothing } = evidence.nothing ?? {};
  expect(judgeWork({ ...evidence, nothing: nothing as never }).outcome).toBe('failed');
});

describe('judgeReview', () => {
  const open = (words: string) => ({ code: 'criterion_open', words }) as const;
  const plain: ReviewEvidence = {
    contract_changed: false,
    moved_to: undefined,
    cancelled: false,
    unmet: [],
    gate: 'reviewer',
    asked: 'agent',
    verdict: 'APPROVED',
    findings: '',
    without_verdict: 0,
    without_verdict_max: 2,
  };
  const table: readonly [string, Partial<ReviewEvidence>, string, OutcomeCode][] = [
    ['no gate', { asked: 'nobody', gate: '' }, 'approved', 'verified'],
    [
      'no gate, unmet',
      { asked: 'nobody', unmet: [open('x'), open('y')] },
      'unverified',
      'criterion_open',
    ],
    ['approved by an agent', {}, 'approved', 'approved'],
    ['approved by a person', { asked: 'person' }, 'approved', 'approved'],
    ['approved, but unmet', { unmet: [open('x')] }, 'unverified', 'criterion_open'],
    ['needs work', { verdict: 'NEEDS_WORK', findings: '\n- thin\n' }, 'needs_work', 'needs_work'],
    ['needs work, no words', { verdict: 'NEEDS_WORK' }, 'needs_work', 'needs_work'],
    ['rejected', { verdict: 'REJECT', findings: 'no' }, 'reject', 'reject'],
    ['rejected, no words', { verdict: 'REJECT' }, 'reject', 'reject'],
    [
      'a person who has not said yet',
      { asked: 'person', verdict: undefined },
      'awaits_person',
      'awaits_verdict',
    ],
    ['no verdict, again', { verdict: undefined }, 'interrupted', 'no_verdict'],
    [
      'no verdict, too often: a person',
      { verdict: undefined, without_verdict: 2 },
      'awaits_person',
      'no_verdict',
    ],
    ['cancelled', { cancelled: true }, 'interrupted', 'stopped'],
    ['an edited contract', { contract_changed: true }, 'stale', 'contract_changed'],
    [
      'an edited contract, unmet',
      { contract_changed: true, unmet: [open('x')] },
      'stale',
      'contract_changed',
    ],
    [
      'moved by hand, before all else',
      { moved_to: 'ready', unmet: [open('x')] },
      'interrupted',
      'moved_by_hand',
    ],
  ];
  test.each(table)('%s', (_name, evidence, outcome, code) => {
    const judged = judgeReview({ ...plain, ...evidence });
    expect(judged).toMatchObject({ outcome, code });
  });

  test('only a reviewer without a verdict is marked as such', () => {
    expect(judgeReview({ ...plain, verdict: undefined }).no_verdict).toBe(true);
    expect(
      judgeReview({ ...plain, asked: 'person', verdict: undefined }).no_verdict,
    ).toBeUndefined();
    expect(judgeReview({ ...plain, cancelled: true }).no_verdict).toBeUndefined();
  });
});

describe('nextState', () => {
  const none = { failures: 0, question_rounds: 0, send_backs: 0 };
  const limits = {
    retries_max: 1,
    questions_max: 1,
    reviews_max: 1,
    timeout_ms: 1000,
    stall_ms: 1000,
  };
  const table: readonly [State, OutcomeName, Partial<typeof none>, number, State | undefined][] = [
    ['in_progress', 'failed', { failures: 1 }, 0, 'ready'],
    ['in_progress', 'failed', { failures: 2 }, 0, 'blocked'],
    ['in_progress', 'crashed', { failures: 2 }, 0, 'blocked'],
    ['in_progress', 'questions', { question_rounds: 1, failures: 9 }, 0, 'questions'],
    ['in_progress', 'questions', { question_rounds: 2 }, 0, 'blocked'],
    ['in_progress', 'complete', { failures: 9, question_rounds: 9, send_backs: 9 }, 0, 'review'],
    ['in_progress', 'interrupted', { failures: 9 }, 0, 'ready'],
    ['in_progress', 'stale', { failures: 9 }, 0, 'ready'],
    ['review', 'unverified', { send_backs: 1 }, 0, 'ready'],
    ['review', 'unverified', { send_backs: 2 }, 1, 'blocked'],
    ['review', 'needs_work', { send_backs: 2 }, 0, 'blocked'],
    ['review', 'approved', {}, 0, 'done'],
    ['review', 'approved', {}, 1, undefined],
    ['review', 'reject', {}, 2, 'aborted'],
    ['review', 'awaits_person', {}, 1, undefined],
    ['review', 'interrupted', {}, 1, undefined],
    ['review', 'stale', {}, 1, 'ready'],
    ['done', 'approved', {}, 0, undefined],
    ['aborted', 'complete', {}, 0, undefined],
  ];
  test.each(table)('%s, %s, %o, %i gates left → %s', (from, outcome, counts, gates, to) => {
    expect(nextState(from, outcome, { ...none, ...counts }, limits, gates)).toBe(to);
  });

  test('with no retry at all, the first failure blocks', () => {
    const zero = { ...limits, retries_max: 0 };
    expect(nextState('in_progress', 'failed', { ...none, failures: 1 }, zero, 0)).toBe('blocked');
  });
});
