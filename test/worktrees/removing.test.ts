/**
 * A worktree that cannot be taken away after a merge: why is said in our words, with what to do, and
 * git's own only where they add something, on one line and without control characters.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitWords } from '../../src/worktrees/engine/git.ts';
import { gitOf } from '../support/git.ts';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

async function worked(w: GitWorld, ...more: string[]): Promise<void> {
  w.contract('a');
  await w.run((work: Work) => {
    for (const path of ['a.txt', ...more]) work.write(path, 'a\n');
    return work.complete();
  });
}

test('one that is locked: with the reason that was given, and how it is unlocked', async () => {
  const w = makeGitWorld();
  await worked(w);
  w.git(`worktree lock ${w.tree('a')}`);
  writeFileSync(join(w.root, '.git/worktrees/a/locked'), 'on a \x1b[31mstick\nof mine\n');
  const { words } = await w.contracts('merge', '--yes');
  expect(words).toContain(
    `worktree kept: ${w.tree('a')} is locked (on a \\x1b[31mstick of mine); git worktree unlock ${w.tree('a')}, then contracts merge a`,
  );
  expect(words).not.toContain('fatal');
  expect(w.text('a.txt')).toBe('a\n');
  expect(existsSync(w.tree('a'))).toBe(true);
  expect((await w.contracts('doctor')).words).toContain(
    `git worktree unlock ${w.tree('a')} && git worktree`,
  );
  w.git(`worktree unlock ${w.tree('a')}`);
  expect((await w.contracts('merge', 'a', '--yes')).words).not.toContain('kept');
  expect(existsSync(w.tree('a'))).toBe(false);
});

test.each([['sub/mine.txt', true] as const, ['nothing', false] as const])(
  'one of a repository with a submodule, when %s was written: what lies in a submodule is kept',
  async (path, stays) => {
    const w = makeGitWorld();
    const git = gitOf(join(w.root, 'sub'));
    w.write('sub/first.txt', 'first\n');
    git('init -q -b main');
    git('add --all');
    git('commit -q -m first');
    w.git('add sub');
    w.git('commit -q -m link');
    await worked(w);
    // Written since: an agent that writes there is not done.
    if (stays) writeFileSync(w.tree(`a/${path}`), 'later\n');
    const { words } = await w.contracts('merge', '--yes');
    const kept = `worktree kept: ${w.tree('a')} has a submodule (sub), whose files are in no commit of this repository; if you need nothing in it: git worktree remove --force ${w.tree('a')} && git branch -D contracts/a`;
    expect(words).toContain(stays ? kept : 'worktree and branch removed');
    expect(existsSync(w.tree(`a/${path}`))).toBe(stays);
  },
);

test.each([
  ['test -s build/out.js', true],
  ['test -s rebuild/out.js; true', false],
  ['test -d node_modules/x', false],
])('what git ignores and the check %j names is kept: %s', async (check, stays) => {
  const w = makeGitWorld();
  w.write('.gitignore', 'build/\nnode_modules/\n');
  w.git('add .gitignore');
  w.git('commit -q -m ignore');
  w.contract('a');
  const file = 'active_tasks/ready/a/contract.md';
  w.write(file, w.text(file).replace('run: "true"', `run: ${JSON.stringify(check)}`));
  await w.run((work: Work) => {
    for (const path of ['a.txt', 'build/out.js', 'node_modules/x/y']) work.write(path, 'a\n');
    return work.complete();
  });
  const { words } = await w.contracts('merge', '--yes');
  const kept = `worktree kept: build/ is ignored by git, a check looked at it, and it exists only in ${w.tree('a')}`;
  expect(words).toContain(stays ? kept : 'worktree and branch removed');
  expect(existsSync(w.tree('a/build/out.js'))).toBe(stays);
  expect(w.text('a.txt')).toBe('a\n');
});

test('its branch is checked out elsewhere: where, and worktree and branch stay', async () => {
  const w = makeGitWorld();
  await worked(w);
  const other = `${w.root}-other`;
  try {
    w.git(`worktree add -q ${other} contracts/a`);
    const { words } = await w.contracts('merge', '--yes');
    expect(words).toContain(`worktree kept: contracts/a is checked out in ${other}`);
    expect(existsSync(w.tree('a'))).toBe(true);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test('what git alone knows is added to our words, on one line', async () => {
  const w = makeGitWorld();
  await worked(w);
  writeFileSync(join(w.root, '.git/refs/heads/contracts/a.lock'), '');
  const { words } = await w.contracts('merge', '--yes');
  expect(words).toMatch(/branch contracts\/a could not be removed: git says .*a\.lock/);
  expect(words).not.toMatch(/(?:error|fatal): /);
});

test.each([
  ['fatal: not that\n', 'not that'],
  ['error: one:\n\ttwo\nerror: three\nhint: do this\nAborting\n', 'one: two three Aborting'],
  ['warning: \x1b]0;x\x07 and \u202e\n', 'warning: \\x1b]0;x\\x07 and \\u202e'],
  ['', 'exit 128'],
])('the words of git %j', (err, words) => {
  expect(gitWords({ code: 128, out: '', err })).toBe(words);
});

test('a folder among the worktrees that is none: no command of git is proposed', async () => {
  const w = makeGitWorld();
  mkdirSync(w.tree('no task'), { recursive: true });
  writeFileSync(w.tree('no task/x.txt'), 'x\n');
  const { words } = await w.contracts('doctor');
  expect(words).toContain(w.tree('no task'));
  expect(words).toContain('it is not a worktree of this repository');
  expect(words).not.toContain('git worktree remove');
});

test('a commit that is not in the repository is not called merged: its worktree may hold the only copy', async () => {
  const w = makeGitWorld();
  cpSync(join(w.root, '.git'), join(w.root, 'git-of-before'), { recursive: true });
  await worked(w);
  const commit = w.git('rev-parse contracts/a').trim();
  rmSync(join(w.root, '.git'), { recursive: true });
  cpSync(join(w.root, 'git-of-before'), join(w.root, '.git'), { recursive: true });
  const { words } = await w.contracts('doctor');
  expect(words).toContain(
    `its commit ${commit} is not in this repository: this folder may hold the only copy`,
  );
  expect(words).not.toContain('done and merged');
});

test('a worktree is merged when the branch that it was merged into is not checked out any more', async () => {
  const w = makeGitWorld();
  await worked(w);
  expect((await w.contracts('doctor', 'a')).words).toContain(
    'done and not merged: contracts merge a',
  );
  w.git('branch side');
  w.git(`worktree lock ${w.tree('a')}`);
  await w.contracts('merge', '--yes');
  w.git('switch -q side');
  expect((await w.contracts('doctor', 'a')).words).toContain('its task is done and merged');
});

test.each([
  ['on its branch', 'switch -q -C contracts/a', 'contracts/a has commits that are not merged'],
  ['on no branch', 'switch -q --detach', 'is at a commit that is not merged'],
])(
  'a commit made %s after the merged work is called not merged, and the printed cure keeps it',
  async (_, how, why) => {
    const w = makeGitWorld();
    await worked(w);
    const tree = gitOf(w.tree('a'));
    tree(how);
    writeFileSync(w.tree('a/more.txt'), 'more\n');
    tree('add more.txt');
    tree('-c user.name=T -c user.email=t@example.org commit -q -m more');
    const commit = tree('rev-parse HEAD').trim();
    await w.contracts('merge', '--yes');
    const { words } = await w.contracts('doctor', 'a');
    expect(words).toContain(why);
    expect(words).not.toContain('done and merged');
    const cure = /: ((?:git branch|git worktree) .*) \(git refuses/.exec(words)?.[1] ?? 'exit 7';
    spawnSync('sh', ['-c', cure], { cwd: w.root });
    expect(existsSync(w.tree('a'))).toBe(false);
    expect(w.git(`for-each-ref --contains=${commit} refs/heads/`)).toContain('commit');
  },
);

test('the branch of work that was given up is not removed by force', async () => {
  const w = makeGitWorld();
  await worked(w);
  expect((await w.contracts('retry', 'a', '--again')).words).toContain('ready');
  await w.contracts('abort', 'a');
  const { words: advice } = await w.contracts('doctor', 'a');
  const [, cure = 'exit 7', drop = 'exit 7'] =
    /: (git worktree remove \S+) \(git refuses[^]*; (git branch -D \S+) drops them/.exec(advice) ??
    [];
  expect(spawnSync('sh', ['-c', cure], { cwd: w.root }).status).toBe(0);
  expect(w.git('branch --list contracts/*')).toContain('contracts/a');
  expect(spawnSync('sh', ['-c', drop], { cwd: w.root }).status).toBe(0);
});

test('a file that a power cut emptied behind a merge is filled again before the worktree goes', async () => {
  const w = makeGitWorld();
  await worked(w, 'kept.txt');
  w.git(`worktree lock ${w.tree('a')}`);
  await w.contracts('merge', '--yes');
  writeFileSync(join(w.root, 'a.txt'), '');
  writeFileSync(join(w.root, 'kept.txt'), 'of a person\n');
  w.git(`worktree unlock ${w.tree('a')}`);
  expect((await w.contracts('merge', 'a', '--yes')).words).toContain('worktree and branch removed');
  expect([w.text('a.txt'), w.text('kept.txt')]).toEqual(['a\n', 'of a person\n']);
});

test('locks of refs and a missing index, as a power cut leaves them, keep nobody from working', async () => {
  const w = makeGitWorld();
  for (const path of ['heads/contracts/a.lock', 'contracts/attempts/a/0001.lock']) {
    w.write(`.git/refs/${path}`, '');
  }
  await worked(w);
  expect(w.git('ls-tree --name-only contracts/a')).toContain('a.txt');
  rmSync(join(w.root, '.git/worktrees/a/index'));
  expect((await w.contracts('retry', 'a', '--again')).words).toContain('ready');
  await w.run((work: Work) => {
    work.write('more.txt', 'more\n');
    return work.complete();
  });
  expect(w.git('ls-tree --name-only contracts/a').trim().split('\n')).toContain('more.txt');
});
