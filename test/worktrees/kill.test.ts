/** Runners that die around calls of git, a part of the points; all: test/nightly/worktree-kill.test.ts. */
import { test } from 'vitest';
import { killAtEvery, PLAYS } from '../support/worktree-kill.ts';

test.each(PLAYS)('MOCK agents: $says: killed at calls of git', (one) => killAtEvery(7, one));
