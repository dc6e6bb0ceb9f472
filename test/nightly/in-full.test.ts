/**
 * All that CI plays a share of, in full: properties with all their runs and another seed, texts that mean
 * harm at their longest, each point of the proofs that support/share.ts cuts down.
 */
import { expect, test } from 'vitest';
import { runAlone } from '../support/run-alone.ts';
import { IN_PART } from '../support/sets.ts';

test('what plays a share or a hundred runs before a push plays everything', () => {
  const args = ['related', 'test/support/share.ts', '--run', '--project=!nightly'];
  expect(runAlone(['node_modules/vitest/vitest.mjs', ...args], { IN_FULL: '1' })).toBe(0);
});

test('files of which a commit plays a part are played whole', () => {
  // Names for vitest, which knows no patterns: what stands before a choice, and all of it is played.
  const names = IN_PART.map(([pattern]) => pattern.replace(/[{*!].*$/, ''));
  const args = ['run', '--project', 'stories', ...names];
  expect(runAlone(['node_modules/vitest/vitest.mjs', ...args], { IN_FULL: '1' })).toBe(0);
});
