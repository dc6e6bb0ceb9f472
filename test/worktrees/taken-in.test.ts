/**
 * An agent that may merge and rebase does so in its worktree: what came with a commit that a branch had before
 * is not its change, what it adds is. With the real git and MOCK agents.
 */
import { expect, test } from 'vitest';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

/** `main` and `other` have a commit each that the other one has not, and `third` is ahead of `other`. */
function world(agent: string): GitWorld {
  const w = makeGitWorld();
  for (const [branch, file] of [
    ['other', 'src/other.ts'],
    ['third', 'src/third.ts'],
    ['main', 'src/main.ts'],
  ]) {
    w.git(branch === 'main' ? 'checkout -q main' : `checkout -q -b ${branch}`);
    w.write(file ?? '', `${branch}\n`);
    w.git(`add ${file}`);
    w.git(`commit -q -m ${branch}`);
  }
  w.contract('a', [`agent: ${agent}`, 'retries_max: 0']);
  return w;
}

async function outcome(w: GitWorld, ...commands: readonly string[]): Promise<string> {
  await w.run((work: Work) => {
    for (const one of commands) {
      const [, path, text] = /^write (\S+) (.*)$/.exec(one) ?? [];
      if (path === undefined) work.git(one);
      else work.write(path, `${text}\n`);
    }
    return work.complete();
  });
  const found = w.git('ls-files --others active_tasks').split('\n');
  return w.text(found.find((one) => one.endsWith('0001/outcome.md')) ?? '');
}

const ALSO = ['write src/own.ts own', 'add src/own.ts', 'commit -q -m own'];

test.each([
  ['a merge', ['merge -q --no-edit other'], 'src/other.ts'],
  ['two merges', ['merge -q --no-edit other', 'merge -q --no-edit third'], 'src/third.ts'],
  ['a rebase', ['rebase -q other'], 'src/other.ts'],
])('%s by devops: the files that come with it are not its own', async (_says, commands, file) => {
  const w = world('devops');
  expect(await outcome(w, ...commands)).toContain('outcome: complete');
  expect(w.git(`show contracts/a:${file}`)).not.toBe('');
});

test.each([
  ['beside a merge', ['merge -q --no-edit other', ...ALSO], 'create src/own.ts'],
  ['beside a rebase', ['rebase -q other', ...ALSO], 'create src/own.ts'],
  [
    'in a merge',
    ['merge -q --no-commit other', 'write src/other.ts own', 'add src', 'commit -q -m m'],
    'write src/other.ts',
  ],
  [
    'by a commit of its own',
    [
      'checkout -q --detach other',
      ...ALSO,
      'checkout -q --detach main',
      'merge -q --no-edit HEAD@{1}',
    ],
    'src/own.ts',
  ],
])('a change of its own %s is still one', async (_says, commands, words) => {
  const text = await outcome(world('devops'), ...commands);
  expect(text).toContain('outcome: violated');
  expect(text).toContain(words);
});

test('what an earlier attempt was violated for does not come back by a merge', async () => {
  const w = world('devops');
  w.write('src/bad.ts', 'bad\n');
  w.git('checkout -q --detach main');
  w.git('add src/bad.ts');
  w.git('commit -q -m bad');
  w.git('update-ref refs/contracts/violated/a/1 HEAD');
  w.git('checkout -q main');
  expect(await outcome(w, 'merge -q --no-edit refs/contracts/violated/a/1')).toContain(
    'outcome: violated',
  );
});

test('an agent that may not merge: the files are judged as its own', async () => {
  const w = world('qa');
  expect(await outcome(w, 'merge -q --no-edit other')).toContain('outcome: violated');
});
