/** The build in a clone whose packages were never installed: one line that says so, no stack. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sealedFolder } from '../support/sealed-folder.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));

test('without the packages that build it, it asks for npm ci, and leaves dist as it is', () => {
  const clone = sealedFolder('build');
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
});
