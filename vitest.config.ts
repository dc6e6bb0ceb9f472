import { defineConfig } from 'vitest/config';
import { STATE_HOME } from './test/support/state-home.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/nightly/**'],
    globalSetup: ['test/support/clients-here.ts', 'test/support/state-home.ts'],
    testTimeout: 60_000,
    // The same on machines with and without bubblewrap; tests of the sandbox ask for it. Workspaces of
    // tests are trusted; tests of trust take that away.
    env: {
      NO_COLOR: '1',
      CONTRACTS_SANDBOX: 'none',
      CONTRACTS_TRUST: '1',
      XDG_STATE_HOME: STATE_HOME,
    },
  },
});
