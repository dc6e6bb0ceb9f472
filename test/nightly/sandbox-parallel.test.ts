/** Rows: 60 runs of twelve attempts each, four sandboxes at once, as root or as who runs this; with root as a user too. */
import { describe, expect, test } from 'vitest';
import { sandboxRuns } from '../support/sandbox-runs.ts';

const RUNS = 60;
const HOUR_MS = 3_600_000;

describe('sandboxes at parallel: 4', () => {
  test.each([
    ['as who runs this', false],
    ['as an ordinary user', true],
  ])('%s: no fault, nothing is left', { timeout: HOUR_MS }, async (_name, ordinary) => {
    // Only root can become somebody else.
    const counts = await sandboxRuns(RUNS, ordinary && process.getuid?.() === 0);
    console.log(JSON.stringify(counts));
    expect(counts).toEqual({
      runs: RUNS,
      attempts: RUNS * 12,
      faults: [],
      processes: [],
      folders: [],
    });
  });
});
