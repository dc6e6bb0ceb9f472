/** Row: 100,000 tasks. Memory is bounded by a heap; no time is asserted. */
import { describe, test } from 'vitest';
import { stepOverMany } from '../hostile/many.ts';

describe('100,000 tasks', () => {
  test('20,000 of them, in a heap of 256 MiB', () => stepOverMany(20_000, 256));
  test('all of them, in a heap of 1 GiB', () => stepOverMany(100_000, 1024));
});
