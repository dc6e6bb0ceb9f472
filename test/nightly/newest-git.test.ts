/**
 * The tests of git once more, against the newest one: built from Debian's source package and kept, see
 * scripts/install-git.mjs. Where it cannot be had, this fails and says why.
 */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const TESTS = (
  'test/hostile/git-hooks.test.ts test/hostile/permissions.test.ts test/worktree ' +
  'test/sandbox/sandbox-git.test.ts test/cli/staged.test.ts test/worktrees/merged.test.ts'
).split(' ');

let program = '';
beforeAll(() => {
  const ran = spawnSync(process.execPath, ['scripts/install-git.mjs'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  expect({ code: ran.status, err: ran.stderr }).toMatchObject({ code: 0 });
  program = ran.stdout.trim().split('\n').at(-1) ?? '';
});

test('it is new enough to have hooks in its configuration', () => {
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout;
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.map(Number) ?? [];
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(2054);
});

test.each(TESTS)('%s passes with it', (file) => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', file, '--maxWorkers=2'];
  // A vitest of its own, which must not take itself for a part of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = {
    ...Object.fromEntries(own),
    PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}`,
  };
  const ran = spawnSync(process.execPath, args, { cwd: PROJECT, env, encoding: 'utf8' });
  expect({ code: ran.status, said: ran.status === 0 ? '' : ran.stdout }).toEqual({
    code: 0,
    said: '',
  });
});
