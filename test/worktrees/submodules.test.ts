/**
 * Work that no commit of the repository can have, in submodules and nested repositories, or that git
 * ignores and a check names: such a task is not done. With the real git and MOCK agents.
 */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitOf } from '../support/git.ts';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

const folder = (work: Work, path: string): string => join(work.call.spawn.cwd, path);
const outcome = (w: GitWorld, place: string, number = '0001'): string =>
  w.outcome(place, number).replaceAll('\\', '');

/** As `git submodule add` leaves it, with a submodule of its own. */
function withSubmodule(): GitWorld {
  const w = makeGitWorld();
  for (const path of ['lib/deep', 'lib']) {
    w.write(`${path}/first.txt`, 'first\n');
    w.write(`${path}/.gitignore`, '*.o\n');
    const git = gitOf(join(w.root, path));
    git('init -q -b main');
    git('add --all');
    git('commit -q -m first');
  }
  w.git('add lib');
  w.git('commit -q -m link');
  w.contract('a', ['retries_max: 0']);
  return w;
}

/** What `setup: [git submodule update --init --recursive]` does. */
function filled(w: GitWorld, work: Work): void {
  for (const path of ['lib', 'lib/deep']) {
    rmSync(folder(work, path), { recursive: true, force: true });
    w.git(`clone -q ${join(w.root, path)} ${folder(work, path)}`);
  }
}

const LOST = 'git cannot take all that it left: ';

describe('a submodule', () => {
  test.each<[string, string, (work: Work, w: GitWorld) => void]>([
    ['empty', 'lib/letter.txt', (work) => work.write('lib/letter.txt', 'new\n')],
    [
      'replaced by a file',
      'lib',
      (work) => {
        rmSync(folder(work, 'lib'), { recursive: true });
        work.write('lib', 'a file\n');
      },
    ],
    [
      'filled, a new file',
      'lib/letter.txt',
      (work, w) => {
        filled(w, work);
        work.write('lib/letter.txt', 'new\n');
      },
    ],
    [
      'filled, an edit',
      'lib/first.txt',
      (work, w) => {
        filled(w, work);
        work.write('lib/first.txt', 'new\n');
      },
    ],
    [
      'filled, a commit there',
      'lib/first.txt',
      (work, w) => {
        filled(w, work);
        work.write('lib/first.txt', 'new\n');
        gitOf(folder(work, 'lib'))('commit -q -a -m new');
      },
    ],
    [
      'filled, a file in its own submodule',
      'lib/deep/letter.txt',
      (work, w) => {
        filled(w, work);
        work.write('lib/deep/letter.txt', 'new\n');
      },
    ],
  ])('%s: not done, and %s is named', async (_how, path, change) => {
    const w = withSubmodule();
    const events = await w.run((work) => {
      change(work, w);
      work.write('b.txt', 'b\n');
      return work.complete();
    });
    expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
    expect(outcome(w, 'blocked/a')).toContain(`${LOST}"${path}" is in a repository of its own (`);
  });

  test('that nothing changed in, with what it ignores itself: done', async () => {
    const w = withSubmodule();
    await w.run((work) => {
      filled(w, work);
      work.write('lib/built.o', 'built\n');
      work.write('b.txt', 'b\n');
      return work.complete();
    });
    expect(outcome(w, 'done/a')).toContain('outcome: complete');
  });

  test('removed: done, and the commit has it no longer', async () => {
    const w = withSubmodule();
    await w.run((work) => {
      rmSync(folder(work, 'lib'), { recursive: true });
      work.write('b.txt', 'b\n');
      return work.complete();
    });
    expect(outcome(w, 'done/a')).toContain('- "lib"');
    expect(w.git('ls-tree --name-only contracts/a')).not.toMatch(/^lib$/m);
  });

  test('outside of the patterns of a sparse checkout: it stays in the commit', async () => {
    const w = withSubmodule();
    w.git('sparse-checkout set --no-cone /* !/lib/ !/lib');
    await w.run((work) => {
      rmSync(folder(work, 'lib'), { recursive: true, force: true });
      work.write('b.txt', 'b\n');
      return work.complete();
    });
    expect(outcome(w, 'done/a')).not.toContain('- "lib"');
    expect(w.git('ls-tree --name-only contracts/a')).toMatch(/^lib$/m);
  });

  test('mended by the next attempt: done', async () => {
    const w = withSubmodule();
    w.contract('a', ['retries_max: 1']);
    await w.run((work) => {
      if (work.attempt === 1) work.write('lib/letter.txt', 'new\n');
      else rmSync(folder(work, 'lib/letter.txt'));
      work.write('letter.txt', 'new\n');
      return work.complete();
    });
    expect(outcome(w, 'done/a', '0002')).toContain('outcome: complete');
  });

  test('half of an attempt is not merged, although a person moved it to done', async () => {
    const w = withSubmodule();
    await w.run((work) => {
      work.write('lib/letter.txt', 'new\n');
      work.write('b.txt', 'b\n');
      return work.complete();
    });
    const state = (name: string): string => join(w.root, 'active_tasks', name, 'a');
    renameSync(state('blocked'), state('done'));
    const { text } = await w.contracts('merge', 'a', '--yes');
    expect(text).toContain('the commit of a is a part of its work');
    expect(w.git('ls-tree -r --name-only main')).not.toContain('b.txt');
  });
});

test('a repository that the agent made and added to its index alone: beyond the permissions', async () => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  await w.run((work) => {
    work.write('own/letter.txt', 'new\n');
    const git = gitOf(folder(work, 'own'));
    git('init -q -b main');
    git('add --all');
    git('commit -q -m own');
    work.git('add own');
    return work.complete();
  });
  expect(outcome(w, 'blocked/a')).toContain('"own" is a repository of its own');
});

describe('what git ignores and a check names', () => {
  const ignoring = (check: string): GitWorld => {
    const w = makeGitWorld();
    w.write('.gitignore', 'out/\nnode_modules/\n');
    w.git('add .gitignore');
    w.git('commit -q -m ignore');
    w.contract('a', ['reviews_max: 0']);
    const file = 'active_tasks/ready/a/contract.md';
    w.write(file, w.text(file).replace('run: "true"', check));
    return w;
  };
  const writing =
    (...paths: string[]) =>
    (work: Work) => {
      for (const path of paths) work.write(path, '{"new": 1}\n');
      return work.complete();
    };

  test.each(['file_exists: out/x.json', 'file_exists: "out/*"', 'matches: out/x.json /new/'])(
    '%s: not met',
    async (check) => {
      const w = ignoring(check);
      await w.run(writing('out/x.json', 'b.txt'));
      const found = outcome(w, 'blocked/a', '0002');
      expect(found).toContain('outcome: unverified');
      expect(found).toContain('is ignored by git (.gitignore:1), so it cannot be merged');
    },
  );

  test.each([
    ['file_exists: node_modules/x/p.json', 'node_modules/x/p.json'],
    ['file_exists: "**/x.json"', 'x.json'],
  ])('%s: met by what is installed, or by one in the commit', async (check, more) => {
    const w = ignoring(check);
    await w.run(writing('out/x.json', 'b.txt', more));
    expect(outcome(w, 'done/a', '0002')).toContain('outcome: approved');
  });
});
