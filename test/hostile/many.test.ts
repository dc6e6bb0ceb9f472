/** Row: empty tree, no config, 100,000 tasks. A small share of it; the rest is in test/nightly. */
import { describe, test } from 'vitest';
import { stepOverMany } from './many.ts';

describe('100,000 tasks', () => {
  test('1,000 of them, in a heap of 48 MiB', () => stepOverMany(1_000, 48));
});
