/**
 * The finder of the repository against the real git: for each layout, each folder and each list of ceilings the
 * same top as `git rev-parse --show-toplevel`. And what vanishes, or cannot be read, while it looks.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { findGit } from '../../src/git/find-git.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let base = '';
beforeEach(() => void (base = sealedFolder('find-git')));

const sh = (script: string): string =>
  execFileSync('sh', ['-euc', script], { cwd: base, encoding: 'utf8', env: plainEnv() });

function plainEnv(): Record<string, string | undefined> {
  const { PATH } = process.env;
  return { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
}

/** What git says of each, or '': asked by one shell, which starts a program in a tenth of the time that we take. */
function topsByGit(asked: readonly { readonly start: string; readonly ceilings: string }[]) {
  const lines = asked.map(
    ({ start, ceilings }) =>
      `GIT_CEILING_DIRECTORIES='${ceilings}' git -C '${start}' rev-parse --show-toplevel 2>/dev/null || echo`,
  );
  return sh(lines.join('\n')).split('\n').slice(0, -1);
}

/** `a/b/c` and `a/b` are in a repository `a`, unless the layout changes that. */
const LAYOUTS: Readonly<Record<string, string>> = {
  'a repository': '',
  'none at all': 'rm -rf a/.git',
  'a first commit': 'cd a && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one',
  'a HEAD on no branch':
    'cd a && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git checkout -q --detach',
  'a linked worktree':
    'cd a && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git worktree add -q b/c/tree',
  'an empty .git nearer': 'mkdir a/b/.git',
  'one without HEAD nearer': 'cp -R a/.git a/b/.git && rm a/b/.git/HEAD',
  'one without objects nearer': 'cp -R a/.git a/b/.git && rm -r a/b/.git/objects',
  'one without refs nearer': 'cp -R a/.git a/b/.git && rm -r a/b/.git/refs',
  'an odd HEAD nearer': 'cp -R a/.git a/b/.git && echo odd > a/b/.git/HEAD',
  'an empty HEAD nearer': 'cp -R a/.git a/b/.git && : > a/b/.git/HEAD',
  'a HEAD elsewhere nearer': 'cp -R a/.git a/b/.git && echo "ref: other/x" > a/b/.git/HEAD',
  'a HEAD without a blank nearer':
    'cp -R a/.git a/b/.git && printf ref:refs/heads/x > a/b/.git/HEAD',
  'a HEAD that is a link nearer': 'cp -R a/.git a/b/.git && ln -sf refs/heads/x a/b/.git/HEAD',
  'a whole one nearer': 'git init -q a/b',
  'an empty file nearer': ': > a/b/.git',
  'a file that leads nowhere': 'echo "gitdir: ../none" > a/b/.git',
  'a file that leads to an empty folder': 'mkdir x && echo "gitdir: ../../x" > a/b/.git',
  'a file without a blank': 'git init -q x && echo "gitdir:../../x/.git" > a/b/.git',
  'a file with more lines': 'git init -q x && printf "gitdir: ../../x/.git\\nmore\\n" > a/b/.git',
  'a file that leads to one': 'git init -q x && echo "gitdir: ../../x/.git" > a/b/.git',
  'a file with an absolute path': 'git init -q x && echo "gitdir: $PWD/x/.git" > a/b/.git',
  'a submodule': `git init -q x && cd x && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
cd ../a && git -c protocol.file.allow=always submodule --quiet add ../x b/c/sub`,
  'a link to one': 'git init -q x && ln -s ../../x/.git a/b/.git',
  'a link to an empty folder': 'mkdir x && ln -s ../../x a/b/.git',
  'a link to a file': 'git init -q x && echo "gitdir: ../../x/.git" > f && ln -s ../../f a/b/.git',
  'a link to nothing': 'ln -s nothing a/b/.git',
  'a link to itself': 'ln -s .git a/b/.git',
  'a pipe': 'mkfifo a/b/.git',
};
const CEILINGS = [
  undefined,
  '',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c',
  '/link',
  ':/link',
  ':/a',
  ':/a/',
  ':/a/./',
  ':/a/../a',
  '/a/../a',
  '/link:',
  '/none',
  '/none:/a',
  '/a/b/cc:/a/b/c/d',
  '../..',
  '.:..:a',
  '/',
];
const STARTS = ['a', 'a/b', 'a/b/c', 'a/b/c/tree', 'a/b/c/sub', '.'];

describe('finds what git finds', () => {
  test.each(Object.keys(LAYOUTS))('%s', (name) => {
    sh(`mkdir -p a/b/c && git init -q a && ln -s a link && ${LAYOUTS[name] || ':'}`);
    const starts = STARTS.filter((one) => realDisk.stat(join(base, one))?.kind === 'folder');
    const asked = CEILINGS.flatMap((ceiling) => starts.map((start) => ({ start, ceiling }))).map(
      ({ start, ceiling }) => {
        const list = ceiling?.replaceAll(/(^|:)\/(?=[a-z])/g, `$1${base}/`);
        // The machine of the test may have a repository above its own folder.
        const ceilings = [dirname(base), ...(list === undefined ? [] : [list])].join(':');
        return { start, list, ceilings };
      },
    );
    const tops = topsByGit(asked);
    const met = new Set<string>();
    for (const [n, { start, list, ceilings }] of asked.entries()) {
      const env = { GIT_CEILING_DIRECTORIES: ceilings };
      const found = findGit({ disk: realDisk, env }, join(base, start))?.top ?? '';
      expect(`${start} ${list}: ${found}`).toBe(`${start} ${list}: ${tops[n]}`);
      met.add(found);
    }
    expect(met.has(''), 'some list keeps git out').toBe(true);
    if (!/none at all/.test(name)) expect(met.size).toBeGreaterThan(1);
  });
});

test('says where HEAD and where the configuration are', () => {
  sh(`git init -q a && cd a && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
git worktree add -q ../tree`);
  const top = join(base, 'tree');
  expect(findGit({ disk: realDisk, env: {} }, join(base, 'tree'))).toEqual({
    top,
    own: join(base, 'a/.git/worktrees/tree'),
    common: join(base, 'a/.git'),
  });
  // A `commondir` in a main checkout is somebody's trap.
  sh('git init -q trap && echo ../../trap/.git > a/.git/commondir');
  const { own, common } = findGit({ disk: realDisk, env: {} }, join(base, 'a')) ?? {};
  expect([own, common]).toEqual([join(base, 'a/.git'), join(base, 'a/.git')]);
});

describe('what is gone or shut while it looks is not there', () => {
  const env = (): Readonly<Record<string, string>> => ({ GIT_CEILING_DIRECTORIES: dirname(base) });

  test.each(['.git', '.git/objects'])('gone after %s', (last) => {
    sh('git init -q a');
    const disk = {
      ...realDisk,
      stat: (path: string) => {
        const found = realDisk.stat(path);
        if (path.endsWith(`/${last}`))
          rmSync(join(base, 'a/.git'), { recursive: true, force: true });
        return found;
      },
    };
    expect(findGit({ disk, env: env() }, join(base, 'a'))).toBeUndefined();
  });

  test.each(['EACCES', 'EPERM', 'ENOTDIR'])('%s', (code) => {
    mkdirSync(join(base, 'a/.git'), { recursive: true });
    const shut = (path: string) => {
      if (path.includes('/.git/')) throw Object.assign(new Error(code), { code });
    };
    const disk = {
      ...realDisk,
      stat: (path: string) => shut(path) ?? realDisk.stat(path),
      read: (path: string, bytes: number) => shut(path) ?? realDisk.read(path, bytes),
      link: (path: string) => shut(path) ?? realDisk.link?.(path),
    };
    expect(findGit({ disk, env: env() }, join(base, 'a'))).toBeUndefined();
  });
});
