/** The build in a clone whose packages were never installed: one line that says so, no stack. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));

test('without the packages that build it, it asks for npm ci, and leaves dist as it is', () => {
  const clone = mkdtempSync(join(tmpdir(), 'contracts-build-'));
  try {
    cpSync(SCRIPTS, join(clone, 'scripts'), { recursive: true });
    mkdirSync(join(clone, 'dist'));
    const ran = spawnSync(process.execPath, [join(clone, 'scripts/build.mjs')], {
      cwd: clone,
      encoding: 'utf8',
    });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(
      /^\S+ is not installed, and nothing is built without it\. .*npm ci.*\n$/,
    );
    expect(existsSync(join(clone, 'dist'))).toBe(true);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
