/**
 * The boards of properties.test.ts, 10,000 and longer, and two deaths at every pair of writes. In
 * parts, each with a seed of its own that a failure prints, so that one part can be played again.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { deaths } from '../support/board-cases.ts';
import { playBoard } from '../support/board-run.ts';
import { anyBoard } from '../support/board-script.ts';

describe('MOCK agents: random boards keep every rule', () => {
  test.each(Array.from({ length: 20 }, (_, i) => i + 1))(
    'part %i of 20: 500 boards',
    async (part) => {
      const length = part % 4 === 0 ? 30 : 12;
      await fc.assert(fc.asyncProperty(anyBoard(length), playBoard), { numRuns: 500 });
    },
  );
});

describe('MOCK agents: two deaths at every pair of writes', () => {
  test.each(Array.from({ length: 40 }, (_, at) => at))('the first before write %i', async (at) => {
    for (let second = 0; second < 20; second++) {
      for (const board of deaths(at, second)) await playBoard(board);
    }
  });
});
