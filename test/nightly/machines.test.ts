/**
 * The faults of test/machines/faults.test.ts with 200 tasks for each, on Redis and on PostgreSQL. It prints how many
 * second attempts each cost. `MACHINES_TASKS=200` does the same for one fault, by its name with `-t`.
 */
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';

const HOUR_MS = 3_600_000;

test('200 tasks are done once each through every fault', () => {
  const how = ['run', '--project=stories', `--testTimeout=${HOUR_MS}`];
  const args = ['node_modules/vitest/vitest.mjs', ...how, 'test/machines/faults.test.ts'];
  expect(runAlone(args, { MACHINES_TASKS: '200', IN_FULL: '1' })).toBe(0);
});
