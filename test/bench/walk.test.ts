/** How much the smallest task enters and looks at, by `scripts/walk.mjs`. The ceilings follow it down. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sealedEnv } from '../support/sealed-folder.ts';

const WALK = fileURLToPath(new URL('../../scripts/walk.mjs', import.meta.url));
const MAX = { 'files entered': 264, 'functions entered': 1145, stat: 409 } as const;
/** A part of a ceiling: the walk may be so far below it before it is lowered. */
const ROOM = 0.03;

test('the smallest task enters and looks at no more than it did, and the ceilings are not far above', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WALK], {
    encoding: 'utf8',
    env: sealedEnv(),
  });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('ended  verification passed');
  for (const [what, max] of Object.entries(MAX)) {
    const count = Number(new RegExp(`\\b${what} +(\\d+)`).exec(stdout)?.[1]);
    expect(count, what).toBeLessThanOrEqual(max);
    expect(count, `${what}: lower its ceiling`).toBeGreaterThan(max * (1 - ROOM));
  }
});
