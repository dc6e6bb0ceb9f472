import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ALL, NIGHTLY, STORIES } from './test/support/sets.ts';
import { STATE_HOME } from './test/support/state-home.ts';

const HOUR_MS = 3_600_000;
const maxWorkers = Math.max(2, availableParallelism() - 1);

const ofEachSet = {
  maxWorkers,
  testTimeout: 60_000,
  // The same on machines with and without bubblewrap; tests of the sandbox ask for it. Workspaces of
  // tests are trusted; tests of trust take that away.
  env: {
    NO_COLOR: '1',
    CONTRACTS_SANDBOX: 'none',
    CONTRACTS_TRUST: '1',
    XDG_STATE_HOME: STATE_HOME,
  },
};

/** Three sets, each file in exactly one. Without `--project`, a file is found in any of them. */
export default defineConfig({
  test: {
    // Once, not once a set.
    globalSetup: ['test/support/clients-here.ts', 'test/support/state-home.ts'],
    maxWorkers,
    projects: [
      {
        test: {
          ...ofEachSet,
          name: 'default',
          include: [...ALL],
          exclude: [...STORIES, ...NIGHTLY],
        },
      },
      { test: { ...ofEachSet, name: 'stories', include: [...STORIES] } },
      {
        test: {
          ...ofEachSet,
          name: 'nightly',
          include: [...NIGHTLY],
          testTimeout: HOUR_MS,
          hookTimeout: HOUR_MS / 6,
        },
      },
    ],
  },
});
