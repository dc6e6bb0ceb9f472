/**
 * A sparse checkout: its worktrees are sparse too. All that an agent leaves is in the commit, and files
 * that it never had stay in it byte for byte. With the real git and MOCK agents.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

const KINDS = {
  cone: '--cone pkg/a active_tasks .contracts',
  'sparse index': '--cone --sparse-index pkg/a active_tasks .contracts',
  patterns: '--no-cone /* !/pkg/b/ !/pkg/c/',
} as const;

function world(how: string, more: readonly string[] = []): GitWorld {
  const w = makeGitWorld();
  for (const name of ['a/f', 'a/g', 'b/f', 'b/old', 'c/x']) w.write(`pkg/${name}`, `${name}\n`);
  w.git('add --all');
  w.git('commit -q -m packages');
  w.git(`sparse-checkout set ${how}`);
  w.contract('a', ['retries_max: 1', ...more]);
  return w;
}

const remove = (work: Work, path: string): void => rmSync(join(work.call.spawn.cwd, path));
const changed = (w: GitWorld, of = 'contracts/a', from = 'main'): readonly string[] =>
  w.git(`diff --name-status --no-renames ${from} ${of}`).trim().split('\n').sort();

async function merged(w: GitWorld): Promise<void> {
  const { text } = await w.contracts('merge', '--yes');
  expect(text).toContain('worktree and branch removed');
}

test.each(Object.entries(KINDS))(
  '%s: an edit, a new file and a rename outside, and a deletion inside',
  async (_kind, how) => {
    const w = world(how);
    const before = w.git('rev-parse main').trim();
    const events = await w.run((work) => {
      expect(existsSync(join(work.call.spawn.cwd, 'pkg/b'))).toBe(false);
      work.write('pkg/b/f', 'new\n');
      work.write('pkg/b/letter', 'letter\n');
      work.write('pkg/b/moved', work.read('pkg/a/f'));
      remove(work, 'pkg/a/f');
      return work.complete();
    });
    expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
    const all = ['A\tpkg/b/letter', 'A\tpkg/b/moved', 'D\tpkg/a/f', 'M\tpkg/b/f'];
    expect(changed(w)).toEqual(all);
    expect(w.git('status --porcelain', 0)).not.toContain('pkg/');
    await merged(w);
    expect(changed(w, 'main', before)).toEqual(all);
    expect(w.git('show main:pkg/b/old')).toBe('b/old\n');
  },
);

test('what the agent fetched and then deleted is deleted', async () => {
  const w = world(KINDS.cone);
  await w.run((work) => {
    work.git('sparse-checkout add pkg/b');
    remove(work, 'pkg/b/f');
    return work.complete();
  });
  expect(changed(w)).toEqual(['D\tpkg/b/f']);
});

test.each(['skip-worktree', 'assume-unchanged'])('%s hides nothing', async (flag) => {
  const w = world(KINDS.cone);
  await w.run((work) => {
    work.git(`update-index --${flag} pkg/a/f pkg/a/g`);
    work.write('pkg/a/f', 'hidden\n');
    remove(work, 'pkg/a/g');
    return work.complete();
  });
  expect(changed(w)).toEqual(['D\tpkg/a/g', 'M\tpkg/a/f']);
});

test('a folder outside that became a file', async () => {
  const w = world(KINDS.cone);
  await w.run((work) => {
    work.write('pkg/b', 'a file\n');
    return work.complete();
  });
  expect(changed(w)).toEqual(['A\tpkg/b', 'D\tpkg/b/f', 'D\tpkg/b/old']);
});

test('the next attempt begins without what a refused one wrote outside', async () => {
  const w = world(KINDS.cone, ['write: [pkg/a/**]']);
  await w.run((work) => {
    if (work.attempt === 1) work.write('pkg/b/f', 'refused\n');
    else {
      expect(existsSync(join(work.call.spawn.cwd, 'pkg/b/f'))).toBe(false);
      // As the agent sees it, nothing is deleted.
      expect(work.git('status --porcelain')).toBe('');
      work.write('pkg/a/f', 'new\n');
    }
    return work.complete();
  });
  expect(changed(w)).toEqual(['M\tpkg/a/f']);
});

test('an attempt that is sent back goes on from its commit', async () => {
  const w = world(KINDS.cone);
  let checks = 0;
  await w.run(
    (work) => {
      work.write(`pkg/b/${work.attempt}`, 'new\n');
      expect(work.git('status --porcelain')).toBe(`?? pkg/b/${work.attempt}\n`);
      return work.complete();
    },
    { check: () => (checks++ === 1 ? 1 : 0) },
  );
  expect(changed(w)).toEqual(['A\tpkg/b/1', 'A\tpkg/b/3']);
});
