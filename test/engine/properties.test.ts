/**
 * Whole boards with random people, agents and crashes: the rules that hold whatever happens. The
 * agents are MOCKS in the runner's own process; the disk is the real one. The nightly run plays
 * thousands more. Counterexamples that were found and mended are played again by name.
 */
import { describe, test } from 'vitest';
import { CASES, deaths } from '../support/board-cases.ts';
import { playBoard } from '../support/board-run.ts';
import { anyBoard } from '../support/board-script.ts';
import * as fc from '../support/property.ts';
import { sayShare, share } from '../support/share.ts';

/** One in so many is played before each push. */
const DEATHS = 3;
const WRITES = Array.from({ length: 21 }, (_, i) => i + 10);

describe('MOCK agents: boards that once broke a rule', () => {
  test.each(CASES)('%s', async (_name, board) => playBoard(board));

  test.each(share(WRITES, DEATHS))(
    `a death before write %i of one step, and a torn write early or late in the next, ${sayShare(DEATHS)}`,
    async (at) => {
      for (const second of [4, 10]) {
        for (const board of deaths(at, second)) await playBoard(board);
      }
    },
  );
});

test(`MOCK agents: ${fc.runsOf(300)} random boards keep every rule`, async () => {
  await fc.assert(fc.asyncProperty(anyBoard(10), playBoard), { numRuns: 300 });
}, 300_000);
