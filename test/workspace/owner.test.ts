/**
 * A `.git` of another user in a folder above, by the built command and with real owners: an empty one stops
 * nobody, a whole one is refused, and a ceiling keeps the look out. By another user than root it is left out.
 */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { init } from '../../src/engine/setup/init.ts';
import { ownGit } from '../../src/git/runner-git.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { othersOwn } from '../../src/workspace/open/owner.ts';
import { contracts } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('LEFT OUT: a .git of another user, because only root can make one');

let base = '';
let root = '';
beforeEach(() => {
  base = sealedFolder('owner');
  root = join(base, 'above', 'ws');
  execFileSync('mkdir', ['-p', root]);
  init(realDisk, root);
});

const sh = (script: string): Buffer => execFileSync('sh', ['-euc', script], { cwd: dirname(root) });
/** The machine of the test may have a repository above its own folder. */
const ceilings = (...more: string[]) => ({
  GIT_CEILING_DIRECTORIES: [dirname(base), ...more].join(':'),
});
const list = (...more: string[]) =>
  contracts(root, ['list'], [], { ...process.env, HOME: base, ...ceilings(...more) });

describe.runIf(isRoot)('a .git of another user above the workspace', () => {
  test.each([
    ['an empty folder', 'mkdir .git'],
    ['a folder without HEAD', 'git init -q && rm .git/HEAD'],
    ['a folder that only its owner reads', 'mkdir -m 700 .git'],
    ['an empty file', ': > .git'],
    ['a link to nothing', 'ln -s nothing .git'],
  ])('%s is no repository', async (_name, make) => {
    sh(`${make} && chown -hR 61001:61001 .git`);
    expect(await list()).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['a repository', 'git init -q && chown -R 61001:61001 .git'],
    [
      'a file of ours that leads to theirs',
      'git init -q ../o && echo "gitdir: ../o/.git" > .git && chown -R 61001:61001 ../o',
    ],
  ])('%s is refused, unless a ceiling is below it', async (_name, make) => {
    sh(make);
    const refused = await list();
    expect(refused.stderr).toContain('this belongs to another user (61001)');
    expect(refused.code).toBe(2);
    expect(await list(dirname(root))).toMatchObject({ code: 0, stderr: '' });
  });
});

test('one that is gone when its owner is asked for belongs to nobody', () => {
  sh('git init -q');
  const disk = {
    ...realDisk,
    stat: (path: string) => {
      const found = realDisk.stat(path);
      if (path.endsWith('/.git/refs')) sh('rm -r .git');
      return found;
    },
  };
  const ports = { disk, env: { ...process.env, ...ceilings() }, git: ownGit(process.env) };
  expect(othersOwn(ports, root)).toBeUndefined();
});
