/** When a watch looks again, and how long a fault is left alone: tables. */
import { describe, expect, test } from 'vitest';
import {
  backOffMs,
  nextLookAt,
  rung,
  type Rings,
} from '../../../src/engine/core/decide/watch-clock.ts';

describe('the next look', () => {
  const rows: [string, number, Rings | undefined, number, number][] = [
    ['nothing rang: the interval', 1000, undefined, 0, 6000],
    ['one ring: when it has been quiet', 1000, { first_ms: 2000, last_ms: 2000 }, 0, 2150],
    ['rings go on: later', 1000, { first_ms: 2000, last_ms: 2500 }, 0, 2650],
    ['a storm: a second late at most', 1000, { first_ms: 2000, last_ms: 2999 }, 0, 3000],
    ['it rang during the step: at once', 9000, { first_ms: 2000, last_ms: 2000 }, 0, 2150],
    ['the interval comes first', 1000, { first_ms: 5990, last_ms: 5990 }, 0, 6000],
    ['after a fault of all of it: not before', 1000, { first_ms: 2000, last_ms: 2000 }, 9000, 9000],
  ];
  for (const [name, rested, rings, not_before, due] of rows) {
    test(name, () => expect(nextLookAt(rested, 5000, rings, not_before)).toBe(due));
  }

  test('rings keep the first and the last', () => {
    expect([5, 7, 9].reduce<Rings | undefined>(rung, undefined)).toEqual({
      first_ms: 5,
      last_ms: 9,
    });
  });
});

test('a fault is left alone for 1, 2, 4 … 60 s', () => {
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) waits.push(backOffMs(waits.at(-1)));
  expect(waits.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});
