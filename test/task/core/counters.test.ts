/** Counters as tables: what counts, since when, and what is never counted (docs/reference/attempts.md#limits). */
import { describe, expect, test } from 'vitest';
import {
  count,
  countingFrom,
  lastEnded,
  sessionToResume,
} from '../../../src/task/core/attempts/counters.ts';
import type { Attempt, OutcomeName } from '../../../src/task/core/attempts/record.ts';
import { makeAttempt, type AttemptInput } from '../../engine/core/make.ts';

type Said = OutcomeName | 'open' | 'lost' | readonly [OutcomeName, AttemptInput];

function attempts(...said: readonly Said[]): Attempt[] {
  return said.map((one, i) => {
    if (one === 'open') return makeAttempt(i + 1);
    if (one === 'lost') return makeAttempt(i + 1, { outcome: 'failed', lost: true });
    if (typeof one === 'string') return makeAttempt(i + 1, { outcome: one });
    return makeAttempt(i + 1, { outcome: one[0], ...one[1] });
  });
}

const resolvedBefore = { blocked: true };

describe('count', () => {
  const table: readonly [string, readonly Said[], readonly [number, number, number]][] = [
    ['nothing from nothing', [], [0, 0, 0]],
    ['each failure', ['failed', 'timed_out', 'crashed', 'violated'], [4, 0, 0]],
    ['each round of questions', ['questions', 'questions'], [0, 2, 0]],
    ['each send-back', ['complete', 'unverified', 'complete', 'needs_work'], [0, 0, 2]],
    ['no stale, interrupted, delegated', ['stale', 'interrupted', 'delegated'], [0, 0, 0]],
    ['no blocked of the agent itself', ['blocked'], [0, 0, 0]],
    ['no attempt that was lost', ['lost', 'failed'], [1, 0, 0]],
    ['no attempt that is open', ['failed', 'open'], [1, 0, 0]],
    ['no wait for a person', ['complete', 'awaits_person'], [0, 0, 0]],
    ['nothing before a resolution', ['failed', 'failed', ['failed', resolvedBefore]], [1, 0, 0]],
    ['everything since it', ['failed', ['failed', resolvedBefore], 'questions'], [1, 1, 0]],
    ['nothing before an approval', ['failed', 'complete', 'approved', 'failed'], [1, 0, 0]],
    ['nothing before a rejection', ['questions', 'complete', 'reject'], [0, 0, 0]],
    [
      'on while a second gate is still to speak',
      ['failed', 'complete', 'approved', ['needs_work', { record: { gate: 'second' } }]],
      [1, 0, 1],
    ],
    [
      'nothing before a review that asks no gate any more: it was taken out of done',
      ['failed', 'complete', 'unverified', 'complete', 'approved', 'unverified'],
      [0, 0, 1],
    ],
  ];
  test.each(table)('counts %s', (_name, said, [failures, question_rounds, send_backs]) => {
    expect(count(attempts(...said), false)).toEqual({ failures, question_rounds, send_backs });
  });

  test('a resolution that was not claimed on yet forgives everything', () => {
    const all = attempts('failed', 'questions', 'failed');
    expect(count(all, true)).toEqual({ failures: 0, question_rounds: 0, send_backs: 0 });
    expect(countingFrom(all, true)).toBe(3);
    expect(countingFrom([], true)).toBe(0);
  });

  test('a resolution that a lost attempt had taken with it still forgives', () => {
    const lost = makeAttempt(2, { outcome: undefined, lost: true, blocked: true });
    const all = [
      makeAttempt(1, { outcome: 'failed' }),
      lost,
      makeAttempt(3, { outcome: 'failed' }),
    ];
    expect(count(all, false).failures).toBe(1);
  });
});

describe('lastEnded', () => {
  test('is the newest of its kind that ended and was not lost', () => {
    const all = attempts('complete', 'needs_work', 'failed', 'lost', 'open');
    expect(lastEnded(all, 'work')?.number).toBe(3);
    expect(lastEnded(all, 'review')?.number).toBe(2);
    expect(lastEnded([], 'work')).toBeUndefined();
  });
});

describe('the session to resume', () => {
  const failed = (session: string): readonly [OutcomeName, AttemptInput] => [
    'failed',
    { record: { session, adapter: 'claude' } },
  ];
  const table: readonly [string, Attempt[], string | undefined][] = [
    ['is none at the first try', [], undefined],
    ['is that of the last work at retry 1', attempts(failed('s1')), 's1'],
    ['is that of the last work at retry 2', attempts(failed('s1'), failed('s2')), 's2'],
    [
      'is none at retry 3, which starts fresh',
      attempts(failed('s1'), failed('s2'), failed('s3')),
      undefined,
    ],
    [
      'stays after a review that sent the work back',
      attempts(['complete', { record: { session: 's1', adapter: 'claude' } }], 'needs_work'),
      's1',
    ],
  ];
  test.each(table)('%s', (_name, all, expected) => {
    expect(sessionToResume(all, false, 'claude')).toBe(expected);
    expect(sessionToResume(all, false, 'codex')).toBeUndefined();
  });
});
