/**
 * The boards of properties.test.ts, 5,000 and longer, and two deaths at pairs of writes. In
 * parts, each with a seed of its own that a failure prints, so that one part can be played again.
 */
import { describe, test } from 'vitest';
import { deaths } from '../support/board-cases.ts';
import { playBoard } from '../support/board-run.ts';
import { anyBoard } from '../support/board-script.ts';
import { partOfNight, sayNight } from '../support/night.ts';
import * as fc from '../support/property.ts';

/** One second death in so many is played in a night. */
const AGAIN = 4;

describe('MOCK agents: random boards keep every rule', () => {
  test.each(Array.from({ length: 10 }, (_, i) => i + 1))(
    'part %i of 10: 500 boards',
    async (part) => {
      const length = part % 4 === 0 ? 30 : 12;
      await fc.assert(fc.asyncProperty(anyBoard(length), playBoard), { numRuns: 500 });
    },
  );
});

describe(`MOCK agents: two deaths at pairs of writes, ${sayNight(AGAIN)}`, () => {
  test.each(Array.from({ length: 40 }, (_, at) => at))('the first before write %i', async (at) => {
    const seconds = Array.from({ length: 20 }, (_, second) => second);
    // Another quarter for each first one, so that a night has all of both.
    for (const second of partOfNight(seconds, AGAIN, 'CRASH_EVERY', at)) {
      for (const board of deaths(at, second)) await playBoard(board);
    }
  });
});
