import { defineConfig } from 'vitest/config';
import { STATE_HOME } from './test/support/state-home.ts';

/** The long proofs: thousands of runs, every system call, random kills. Minutes, not seconds. */
export default defineConfig({
  test: {
    include: ['test/nightly/**/*.test.ts'],
    globalSetup: ['test/support/clients-here.ts', 'test/support/state-home.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // None of them asserts a time, and all of their programs are allowed to be slow.
    maxWorkers: 2,
    env: {
      NO_COLOR: '1',
      CONTRACTS_SANDBOX: 'none',
      CONTRACTS_TRUST: '1',
      XDG_STATE_HOME: STATE_HOME,
    },
  },
});
