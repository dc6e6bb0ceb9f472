/**
 * `npx ./agent-contracts-*.tgz demo`: the packed package where no registry can be reached and nothing is in the
 * cache of npm, in a folder of its own, as this user and as an ordinary one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { otherUser } from '../support/as-user.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const NPM = {
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};
const NO_NETWORK = ['unshare', process.getuid?.() === 0 ? '--net' : '-rn', '--'];
const mayCut = spawnSync('unshare', [...NO_NETWORK.slice(1), 'true']).status === 0;
if (!mayCut) console.log('LEFT OUT: no network at all, because unshare is not allowed here');

let tarball = '';
beforeAll(() => {
  const shelf = sealedFolder('shelf');
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', shelf];
  execFileSync('npm', args, { cwd: PROJECT, env: { ...sealedEnv(), ...NPM } });
  tarball = join(shelf, readdirSync(shelf)[0] ?? '');
});

test.each([
  ['this user', { before: [], own: () => undefined }],
  ['an ordinary user', otherUser()],
])('npx plays the demo of the tarball for %s', (_, { before, own }) => {
  const cwd = sealedFolder();
  const [file = ''] = tarball.split('/').slice(-1);
  cpSync(tarball, join(cwd, file));
  own(cwd);
  const cut = mayCut ? NO_NETWORK : [];
  const [program = '', ...argv] = [...cut, ...before, 'npx', '--yes', `./${file}`, 'demo'];
  const env = { ...sealedEnv(), ...NPM, HOME: cwd, TMPDIR: cwd };
  const { status, stdout, stderr } = spawnSync(program, argv, { cwd, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('» The demo ended as planned.');
  // The package is in the cache of npx alone, and the command that is printed finds it there.
  const [, next = ''] = /^Next: (cd contracts-demo .+)$/m.exec(stdout) ?? [];
  expect(next).toMatch(/^cd contracts-demo && node .+ show september$/);
  const [by = '', ...rest] = [...before, 'sh', '-c', next];
  expect(spawnSync(by, rest, { cwd, env, encoding: 'utf8' }).stdout).toContain('september');
});
