/**
 * All that CI plays a share of, in full: properties with all their runs and another seed, texts that mean
 * harm at their longest, each point of the proofs that support/share.ts cuts down.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('what plays a share or a hundred runs before a push plays everything', () => {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const args = ['node_modules/vitest/vitest.mjs', 'related', 'test/support/share.ts', '--run'];
  const ran = spawnSync(process.execPath, [...args, '--project=!nightly'], {
    cwd: ROOT,
    env: { ...Object.fromEntries(own), IN_FULL: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(ran.status).toBe(0);
});
