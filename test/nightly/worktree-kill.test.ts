/** Runners that die before and after every call of git that changes something. */
import { test } from 'vitest';
import { killAtEvery, PLAYS } from '../support/worktree-kill.ts';

test.each(PLAYS)('MOCK agents: $says: killed at every call of git', { timeout: 900_000 }, (one) =>
  killAtEvery(1, one),
);
