import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { CLIENTS } from './test/support/clients.ts';
import {
  RUN_FOLDER,
  RUN_FOLDER_IN_MEMORY,
  RUN_FOLDER_OF_DEFAULT,
} from './test/support/run-folder.ts';
import { LongFirst } from './test/support/sequence.ts';
import { ALL, NIGHTLY, STORIES } from './test/support/sets.ts';
import { ofCommit } from './test/support/share.ts';
import { limitNow_ms } from './test/support/until.ts';

const LIMIT_MS = limitNow_ms();
const HOUR_MS = 3_600_000;
const maxWorkers = Math.max(2, availableParallelism() - 1);

const ofEachSet = {
  maxWorkers,
  setupFiles: ['test/support/seal.ts'],
  unstubEnvs: true,
  expect: { requireAssertions: true },
  // A wait says first what it waited for.
  testTimeout: 2 * LIMIT_MS,
  hookTimeout: 2 * LIMIT_MS,
  // What else of the environment tests see is in test/support/sealed-folder.ts.
  env: {
    NO_COLOR: '1',
    CONTRACTS_TEST_RUN: RUN_FOLDER,
    CONTRACTS_TEST_MEMORY: RUN_FOLDER_IN_MEMORY,
    CONTRACTS_CLIENTS: CLIENTS,
    CONTRACTS_TEST_LIMIT_MS: String(LIMIT_MS),
    // Asked here, where git has the settings of whoever runs the tests.
    SHARE: process.env['SHARE'] ?? String(ofCommit()),
  },
};

/** Three sets, each file in exactly one. Without `--project`, a file is found in any of them. */
export default defineConfig({
  test: {
    // Once, not once a set.
    globalSetup: ['clients-here', 'run-folder', 'built'].map((name) => `test/support/${name}.ts`),
    maxWorkers,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...ofEachSet,
          name: 'default',
          include: [...ALL],
          exclude: [...STORIES, ...NIGHTLY],
          // No test replaces a module, and test/support/seal.ts sees that each leaves its process as it was.
          isolate: false,
          env: { ...ofEachSet.env, CONTRACTS_TEST_RUN: RUN_FOLDER_OF_DEFAULT },
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
          env: { ...ofEachSet.env, IN_FULL: '1', CONTRACTS_TEST_LIMIT_MS: String(HOUR_MS / 2) },
        },
      },
    ],
  },
});
