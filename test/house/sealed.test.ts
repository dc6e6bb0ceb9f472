/** Tests see neither the machine nor one another: some are played once more in a bad place, and what they leave is named. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runFolder, sweep } from '../support/run-folder.ts';
import { share } from '../support/share.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { noSurvivors, uptime_s } from '../support/survivors.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** They call git, make worktrees, print times and run the built command; one for a commit, at night all. */
const PLAYED = share(['test/cases/worktrees', 'test/cases/ledger', 'test/cli/staged.test.ts'], 3);

/** A repository of somebody whose hooks refuse each commit, and all that changes what programs answer. */
function badPlace(): Readonly<Record<string, string>> {
  const above = sealedFolder('planted');
  const hooks = join(above, 'hooks');
  for (const folder of [hooks, join(above, 'tmp')]) mkdirSync(folder);
  const { PATH, GIT_CEILING_DIRECTORIES } = sealedEnv();
  execFileSync('git', ['init', '-q', above], { env: { PATH, GIT_CEILING_DIRECTORIES } });
  writeFileSync(join(above, '.git/config'), `[core]\n\thooksPath = ${hooks}\n`, { flag: 'a' });
  for (const name of ['pre-commit', 'reference-transaction'])
    writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return {
    PATH,
    TMPDIR: join(above, 'tmp'),
    GIT_DIR: join(above, '.git'),
    GIT_INDEX_FILE: join(above, 'index'),
    GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z',
    TZ: 'Asia/Kathmandu',
    LC_ALL: 'C',
    CI: 'true',
    FORCE_COLOR: '3',
    EDITOR: 'false',
    COLUMNS: '20',
    CONTRACTS_DIR: above,
    CONTRACTS_TASK: 'somebody-elses',
  };
}

/** Puts a user that the machine does not know in front of a command, where that is allowed. */
const NOBODY = ['unshare', '--user', '--map-user=12345', '--map-group=12345'];
const MAY = spawnSync('unshare', [...NOBODY.slice(1), 'true']).status === 0;

test('in a bad place, without a home or a name and with a tight umask, they say the same', () => {
  const env = badPlace();
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'default'];
  const before = ['-c', 'umask 077; exec "$@"', 'sh', ...(MAY ? NOBODY : []), process.execPath];
  const argv = [...before, ...vitest, ...PLAYED];
  const ran = spawnSync('sh', argv, { cwd: ROOT, env, encoding: 'utf8' });
  expect(ran.stdout + ran.stderr).toContain(`${PLAYED.length} passed`);
  expect(ran.status).toBe(0);
  expect(readdirSync(env['TMPDIR'] ?? '')).toEqual([]);
}, 0);

test('what a run left that was killed goes with the next one', () => {
  const place = sealedFolder();
  const { pid } = spawnSync('true');
  for (const one of [pid, process.pid])
    mkdirSync(join(runFolder(place, one), 'f'), { recursive: true });
  sweep(place);
  expect(readdirSync(place)).toEqual([basename(runFolder(place))]);
});

test.each([
  ['in its folder', 'cd "$1"; setsid sleep 600'],
  ['elsewhere, with a variable', 'cd /; MINE="$1x" setsid sleep 600'],
  ['elsewhere, with a word', 'cd /; setsid sh -c "while sleep 0.1; do :; done" "$1x"'],
])('what a test leaves running is named and ended: %s', async (_, command) => {
  const [folder, since_s] = [sealedFolder(), uptime_s() - 1];
  // The shell knows the folder too, for as long as it has not become the program.
  spawnSync('sh', ['-c', `{ ${command}; } >/dev/null 2>&1 &`, 'sh', `${folder}/`]);
  await expect(noSurvivors(folder, since_s, 300)).rejects.toThrow(/still running: \d+ .*sleep/);
  await noSurvivors(folder, since_s, 5_000);
});

test('it is noon, so that no day ends while a test runs', () => {
  expect([12, 13]).toContain(new Date().getHours());
});
