/**
 * Deliverables of a task that works in a worktree: only what is in the commit of its attempt can
 * be merged, so only that is delivered. With the real git and MOCK agents.
 */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitOf } from '../support/git.ts';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

function world(ignored = ''): GitWorld {
  const made = makeGitWorld();
  if (ignored === '') return made;
  made.write('.gitignore', ignored);
  made.git('add .gitignore');
  made.git('commit -q -m ignore');
  return made;
}

const writing =
  (...paths: string[]) =>
  (work: Work): number => {
    for (const path of paths) work.write(path, `${work.task} in attempt ${work.attempt}\n`);
    return work.complete();
  };

const reviewed = (of: GitWorld, place: string, number = '0002') => of.outcome(place, number);

const IGNORED =
  'deliverable out/a.txt is ignored by git (.gitignore:2), so it cannot be merged: name a path that git does not ignore, or change what is ignored';

describe('one that git ignores', () => {
  test('is unmet, with why and what to do; nothing is merged of it', async () => {
    const w = world('*.log\nout/\n');
    w.contract('a', ['deliverables: [out/a.txt]', 'reviews_max: 0']);
    await w.run(writing('out/a.txt', 'b.txt'));
    expect(reviewed(w, 'blocked/a')).toContain('outcome: unverified');
    expect(reviewed(w, 'blocked/a')).toContain(IGNORED);
    expect(w.text('active_tasks/blocked/a/review.md')).toContain(IGNORED);
    expect(w.git('show contracts/a:b.txt')).toContain('attempt 1');
  });

  test('is met once the agent has put that right', async () => {
    const w = world('*.log\nout/\n');
    w.contract('a', ['deliverables: [out/a.txt]']);
    await w.run((work) => {
      if (work.attempt > 1) work.write('.gitignore', '*.log\n');
      return writing('out/a.txt')(work);
    });
    expect(reviewed(w, 'done/a')).toContain('outcome: unverified');
    expect(reviewed(w, 'done/a', '0004')).toContain('outcome: approved');
    expect(w.git('show contracts/a:out/a.txt')).toContain('attempt 3');
  });

  test('is met where the agent committed it all the same', async () => {
    const w = world('out/\n');
    w.contract('a', ['deliverables: [out/a.txt]']);
    await w.run((work) => {
      const code = writing('out/a.txt')(work);
      work.git('add --force out/a.txt');
      work.git('commit -q -m mine');
      return code;
    });
    expect(reviewed(w, 'done/a')).toContain('outcome: approved');
    expect(w.git('show contracts/a:out/a.txt')).toContain('attempt 1');
  });
});

describe('a pattern', () => {
  test('is met by one file that is in the commit, beside others that are ignored', async () => {
    const w = world('*.log\n');
    w.contract('a', ['deliverables: ["out/*"]']);
    await w.run(writing('out/a.log', 'out/b.txt'));
    expect(reviewed(w, 'done/a')).toContain('outcome: approved');
  });

  test('is unmet where all that match are ignored, or the one in the commit did not change', async () => {
    const w = world('*.log\n');
    w.write('out/old.txt', 'old\n');
    w.git('add out');
    w.git('commit -q -m old');
    w.contract('a', ['deliverables: ["out/*"]', 'reviews_max: 0']);
    await w.run(writing('out/z.log'));
    expect(reviewed(w, 'blocked/a')).toContain(
      'deliverable out/* is ignored by git (.gitignore:1), so it cannot be merged',
    );
  });
});

test('one in a repository of its own that was there before, as a submodule is: not done', async () => {
  const w = world();
  const git = gitOf(join(w.root, 'sub'));
  w.write('sub/first.txt', 'first\n');
  git('init -q -b main');
  git('add --all');
  git('commit -q -m first');
  w.git('add sub');
  w.git('commit -q -m link');
  w.contract('a', ['deliverables: [sub/a.txt]', 'retries_max: 0']);
  await w.run(writing('sub/a.txt', 'b.txt'));
  expect(reviewed(w, 'blocked/a', '0001').replaceAll('\\', '')).toContain(
    'git cannot take all that it left: "sub/a.txt" is in a repository of its own (sub)',
  );
});

test('one that only a check made is in no commit: unmet', async () => {
  const w = world();
  w.contract('a', ['deliverables: [late.txt]', 'reviews_max: 0']);
  await w.run(writing('b.txt'), {
    check: (folder) => {
      writeFileSync(join(folder, 'late.txt'), 'late\n');
      return 0;
    },
  });
  expect(reviewed(w, 'blocked/a')).toContain(
    'deliverable late.txt is not in the commit of the work, so it cannot be merged: a check created it, but the agent must create it',
  );
});

test('names that git could take for something else are met, also below the top of the repository', async () => {
  const top = sealedFolder('top');
  const w = makeGitWorld(undefined, top);
  rmSync(join(w.root, '.git'), { recursive: true });
  const git = gitOf(top);
  git('init -q -b main');
  git('add --all');
  git('commit -q -m first');
  const names = ['-x.txt', 'a b/ü.txt', 'd/{e}.txt', 'd/"q".txt'];
  w.contract('a', [`deliverables: ${JSON.stringify(names)}`]);
  w.contract('b', ['deliverables: [out/b.txt]', 'reviews_max: 0']);
  w.write('.gitignore', 'out/\n');
  git('add --all');
  git('commit -q -m ignore');
  await w.run((work) => writing(...(work.task === 'a' ? names : ['out/b.txt']))(work));
  expect(reviewed(w, 'done/a')).toContain('outcome: approved');
  expect(reviewed(w, 'blocked/b')).toContain('deliverable out/b.txt is ignored by git (');
});

test('a link in its place is refused as everywhere', async () => {
  const w = world();
  w.contract('a', ['deliverables: [link.txt]', 'reviews_max: 0']);
  await w.run((work) => {
    work.write('real.txt', 'real\n');
    symlinkSync('real.txt', join(work.call.spawn.cwd, 'link.txt'));
    return work.complete();
  });
  expect(reviewed(w, 'blocked/a')).toContain(
    'deliverable link.txt is refused: it is a link or a special file',
  );
});

test('in the shared tree what git ignores is delivered', async () => {
  const w = world('out/\n');
  w.contract('a', ['deliverables: [out/a.txt]', 'isolation: shared']);
  await w.run(writing('out/a.txt'));
  expect(reviewed(w, 'done/a')).toContain('outcome: approved');
});
