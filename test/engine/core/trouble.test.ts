/** Which tasks need care: a table of rows, the classes of all codes, and the order. */
import { describe, expect, test } from 'vitest';
import { byTrouble, nameOf, troubleOf } from '../../../src/engine/core/decide/trouble.ts';
import type { ListedTask } from '../../../src/engine/queries/listing.ts';
import type { Attempt } from '../../../src/task/core/attempts/record.ts';
import { WAIT_CODES } from '../../../src/task/core/model/wait-codes.ts';
import { makeAttempt, makeTask, readOf } from './make.ts';

const LIMITS = { retries_max: 2, questions_max: 2, reviews_max: 2, timeout_ms: 0, stall_ms: 0 };
const OVER = {
  reason: 'has used $2.00 of $1.00 (cost_max): no further call is made',
  fix: 'raise it',
};

interface Case {
  readonly row?: Partial<ListedTask>;
  readonly attempts?: readonly Attempt[];
  readonly over?: typeof OVER;
  readonly resolved?: boolean;
}

function look({ row = {}, attempts = [], over, resolved = false }: Case) {
  const state = row.state ?? 'ready';
  const listed: ListedTask = {
    id: 'a',
    state,
    title: 'A',
    agent: 'builder',
    priority: 'medium',
    tags: [],
    since: '2026-11-21T12:00:00Z',
    stands_since: '2026-11-21T12:00:00Z',
    waits_for: 'nothing',
    code: 'nothing',
    reason: 'its words',
    fix: 'its command',
    attempt: attempts.at(-1)?.number ?? 0,
    ...row,
  };
  const task = readOf(makeTask(state, { attempts }));
  return troubleOf(listed, task, { limits: LIMITS, resolved, over_budget: over });
}

const failed = makeAttempt(1, { outcome: 'failed' });
const timed_out = makeAttempt(2, { outcome: 'timed_out' });
const open = makeAttempt(3);

describe('a row and what is known of its task', () => {
  const rows: [
    says: string,
    given: Case,
    trouble: string | undefined,
    reason?: string,
    fix?: string,
  ][] = [
    ['nothing is wrong', {}, undefined],
    ['a draft keeps nothing waiting', { row: { state: 'draft', code: 'unconfirmed' } }, undefined],
    ['a pause waits for one command', { row: { code: 'paused' } }, undefined],
    [
      'an agent is at work',
      { row: { state: 'in_progress', code: 'running' }, attempts: [open] },
      undefined,
    ],
    [
      'its agent is silent',
      {
        row: { state: 'in_progress', code: 'running', lagging: true, step_seconds: 312 },
        attempts: [open],
      },
      'stuck',
      'try 1 is silent: its last report is 312 s old',
      'contracts logs a -f',
    ],
    [
      'nothing holds its attempt',
      { row: { state: 'in_progress' }, attempts: [open] },
      'stuck',
      'try 1 has no living owner',
      'its command',
    ],
    ['the runner is gone, the agent is not', { row: { code: 'orphaned' } }, 'stuck', 'its words'],
    ['its contract cannot be read', { row: { code: 'problem' } }, 'stuck', 'its words'],
    ['it has used too much', { row: { code: 'budget' } }, 'over_budget', 'its words'],
    [
      'also while it asks',
      { row: { state: 'questions', code: 'questions' }, over: OVER },
      'over_budget',
      OVER.reason,
      OVER.fix,
    ],
    ['what is stuck is worse', { row: { code: 'dependency_cycle' }, over: OVER }, 'stuck'],
    [
      'it failed once',
      { attempts: [failed] },
      'failing',
      'try 1: failed, it ended as failed; 2 tries are left',
      'contracts logs a',
    ],
    [
      'and again',
      { attempts: [failed, timed_out] },
      'failing',
      'try 2: timed_out, it ended as timed_out; 1 try is left',
    ],
    [
      'it is tried again now',
      { row: { state: 'in_progress', code: 'running' }, attempts: [failed, open] },
      'failing',
    ],
    [
      'no try is left',
      { row: { state: 'blocked', code: 'blocked' }, attempts: [failed] },
      'failing',
      'try 1: failed, it ended as failed; no try is left',
      'its command',
    ],
    [
      'it was sent back',
      {
        attempts: [
          makeAttempt(1, { outcome: 'complete' }),
          makeAttempt(2, { outcome: 'needs_work' }),
        ],
      },
      'failing',
      'review 1: needs_work, it ended as needs_work; 2 tries are left',
    ],
    [
      'it failed, and then asked',
      {
        row: { state: 'questions', code: 'questions' },
        attempts: [failed, makeAttempt(2, { outcome: 'questions' })],
      },
      'waits',
      'its words',
    ],
    ['a person let it go on', { attempts: [failed], resolved: true }, undefined],
    [
      'a lost attempt is no failure',
      {
        attempts: [
          makeAttempt(1, { outcome: 'failed', lost: true }),
          makeAttempt(2, { outcome: 'complete' }),
        ],
      },
      undefined,
    ],
    [
      'its agent is blocked',
      {
        row: { state: 'blocked', code: 'blocked' },
        attempts: [makeAttempt(1, { outcome: 'blocked' })],
      },
      'waits',
      'its words',
    ],
    [
      'a verdict is awaited',
      { row: { state: 'review', code: 'verdict' } },
      'waits',
      'its words',
      'its command',
    ],
    ['it waits for another task', { row: { code: 'dependencies' } }, undefined],
    ['it waits for a slot', { row: { code: 'slots' } }, undefined],
  ];
  test.each(rows)('%s', (_, given, trouble, reason, fix) => {
    const found = look(given);
    expect(found?.trouble).toBe(trouble);
    if (reason !== undefined) expect(found?.reason).toBe(reason);
    if (fix !== undefined) expect(found?.fix).toBe(fix);
  });
});

test('each code is in one class, and a new one that needs a person is stuck until somebody decides', () => {
  const by = (name: ReturnType<typeof nameOf>) =>
    WAIT_CODES.filter((code) => nameOf(code) === name);
  expect(by('over_budget')).toEqual(['budget', 'run_budget', 'day_budget']);
  expect(by('waits')).toEqual(
    'contract_changed held in_hands questions unanswered decision decision_paused verdict blocked'.split(
      ' ',
    ),
  );
  expect(by(undefined)).toEqual(
    (
      'ended no_move unconfirmed asked_since not_asked dependencies children same_file paused pause slots ' +
      'next_step turn running running_elsewhere to_delegate delegated'
    ).split(' '),
  );
  expect(by('failing')).toEqual([]);
});

test('the worst first, and of equal ones what stands longest', () => {
  const row = (id: string, trouble: NonNullable<ListedTask['trouble']>, day: number) =>
    ({ id, trouble, stands_since: `2026-11-0${day}T00:00:00Z` }) as never;
  const all = [
    row('a', 'waits', 1),
    row('b', 'stuck', 3),
    row('c', 'failing', 1),
    row('d', 'stuck', 2),
    row('e', 'over_budget', 9),
  ];
  const sorted = all.toSorted(byTrouble).map(({ id }) => id);
  expect(sorted).toEqual(['d', 'b', 'e', 'c', 'a']);
});
