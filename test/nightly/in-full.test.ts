/**
 * All that CI plays a share of, in full: properties with all their runs and another seed, texts that mean
 * harm at their longest, each point of the proofs that support/share.ts cuts down.
 */
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';

test('what plays a share or a hundred runs before a push plays everything', () => {
  const args = ['related', 'test/support/share.ts', '--run', '--project=!nightly'];
  expect(runAlone(['node_modules/vitest/vitest.mjs', ...args], { IN_FULL: '1' })).toBe(0);
});
