/** Golden cases, budgets of the start and the smoke test of the package with each other Node (scripts/other-node.mjs). */
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';

test.each(['22', '24', '26'])('with Node %s', (major) => {
  expect(runAlone(['scripts/other-node.mjs', major])).toBe(0);
});
