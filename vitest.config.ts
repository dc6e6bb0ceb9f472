import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { CLIENTS } from './test/support/clients.ts';
import { RUN_FOLDER, RUN_FOLDER_IN_MEMORY } from './test/support/run-folder.ts';
import { ALL, NIGHTLY, STORIES } from './test/support/sets.ts';

const HOUR_MS = 3_600_000;
const maxWorkers = Math.max(2, availableParallelism() - 1);

const ofEachSet = {
  maxWorkers,
  setupFiles: ['test/support/seal.ts'],
  testTimeout: 60_000,
  // What else of the environment tests see is in test/support/sealed-folder.ts.
  env: {
    NO_COLOR: '1',
    CONTRACTS_TEST_RUN: RUN_FOLDER,
    CONTRACTS_TEST_MEMORY: RUN_FOLDER_IN_MEMORY,
    CONTRACTS_CLIENTS: CLIENTS,
  },
};

/** Three sets, each file in exactly one. Without `--project`, a file is found in any of them. */
export default defineConfig({
  test: {
    // Once, not once a set.
    globalSetup: ['test/support/clients-here.ts', 'test/support/run-folder.ts'],
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
          env: { ...ofEachSet.env, IN_FULL: '1' },
        },
      },
    ],
  },
});
