/** The order of a step: priority, age, id; slots; no two tasks of a step on one deliverable. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRIORITIES } from '../../../src/task/core/model/contract-shape.ts';
import type { Action } from '../../../src/task/core/model/action.ts';
import {
  compareCandidates,
  planStep,
  type Candidate,
} from '../../../src/engine/core/decide/schedule.ts';

const claim = (input: Partial<Extract<Action, { kind: 'claim' }>> = {}): Action => ({
  kind: 'claim',
  attempt: 1,
  work: 'work',
  owner: 'process',
  gate: '',
  recovers: false,
  reason: '',
  ...input,
});
const wait: Action = {
  kind: 'wait',
  code: 'blocked',
  on: 'person',
  reason: 'r',
  fix: 'f',
  problems: [],
};

function candidate(id: string, input: Partial<Candidate> = {}): Candidate {
  return { id, priority: 'medium', since_ms: 0, writes: [], action: claim(), ...input };
}

const free = { parallel: 2, running: 0 };

describe('the order', () => {
  test('is priority, then age, then id', () => {
    const all = [
      candidate('e', { since_ms: 1 }),
      candidate('d'),
      candidate('c'),
      candidate('b', { priority: 'low' }),
      candidate('a', { priority: 'high', since_ms: 9 }),
      candidate('f', { priority: 'critical', since_ms: 9 }),
    ];
    expect(planStep(all, free).map((one) => one.id)).toEqual(['f', 'a', 'c', 'd', 'e', 'b']);
  });

  test('does not depend on how the board was read', () => {
    const one = fc.record({
      id: fc.string({ minLength: 1, maxLength: 2 }),
      priority: fc.constantFrom(...PRIORITIES),
      since_ms: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: (c) => c.id }), (all) => {
        const made = all.map((c) => candidate(c.id, c));
        const ids = (list: readonly Candidate[]): string[] => list.map((c) => c.id);
        const planned = planStep(made, free);
        expect(ids(planStep(made.toReversed(), free))).toEqual(ids(planned));
        expect([...ids(planned)].sort()).toEqual([...ids(made)].sort());
        for (const [i, c] of planned.entries()) {
          const next = planned[i + 1];
          if (next !== undefined) expect(compareCandidates(c, next)).toBeLessThan(0);
        }
      }),
    );
  });
});

describe('slots', () => {
  const slot = /slots are taken/;
  const table: readonly [string, Action, number, boolean][] = [
    ['a call waits when all are taken', claim(), 2, true],
    ['and when more run than may', claim(), 5, true],
    ['it goes when one is free', claim(), 1, false],
    ['a review waits too', claim({ work: 'review' }), 2, true],
    ['a person takes none', claim({ owner: 'person' }), 2, false],
    ['a wait stays what it is', wait, 2, false],
  ];
  test.each(table)('%s', (_name, action, running, waits) => {
    const [planned] = planStep([candidate('a', { action })], { parallel: 2, running });
    expect(planned?.action.kind === 'wait' && slot.test(planned.action.reason)).toBe(waits);
    if (!waits) expect(planned?.action).toEqual(action);
  });
});

describe('one deliverable', () => {
  const x = { writes: ['x'] };
  const reasons = (all: readonly Candidate[]): string[] =>
    planStep(all, free).map((c) => (c.action.kind === 'wait' ? c.action.reason : 'goes'));

  test('is worked on by one task of a step, the first in the order', () => {
    expect(reasons([candidate('b', x), candidate('a', x)])).toEqual(['goes', 'a is working on x']);
  });

  test('one that waits does not keep others from it', () => {
    expect(reasons([candidate('a', { ...x, action: wait }), candidate('b', x)])).toEqual([
      'r',
      'goes',
    ]);
  });

  test('reviews and recoveries take nothing from others', () => {
    const review = candidate('a', { ...x, action: claim({ work: 'review' }) });
    const recovery = candidate('b', { ...x, action: claim({ recovers: true }) });
    expect(reasons([review, recovery, candidate('c', x)])).toEqual(['goes', 'goes', 'goes']);
  });
});
