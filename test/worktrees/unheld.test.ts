/**
 * `merge` without ids asks the records of done tasks: work that is in no branch of the person is named,
 * until it is merged or given up; work that they took in another way is not. With the real git and MOCK agents.
 */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeGitWorld, writes, type GitWorld } from '../support/git-world.ts';

/** One task that is done in its worktree. */
async function worked(agent = writes, head: readonly string[] = []): Promise<GitWorld> {
  const w = makeGitWorld();
  w.contract('a', head);
  await w.run(agent);
  return w;
}

/** By hand, without a merge. */
function tidied(w: GitWorld): void {
  w.git(`worktree remove --force ${w.tree('a')}`);
  w.git('branch -D contracts/a');
}

const ALL = { words: 'All finished work is merged.', code: 0 };
const tip = (w: GitWorld): string => w.git('rev-parse contracts/a').trim();

test('worktree and branch were removed by hand: named, until it is merged', async () => {
  const w = await worked();
  const commit = tip(w);
  tidied(w);
  const named = `a not merged: its commit ${commit} is in no branch of yours Next: contracts merge a, or contracts abort a`;
  for (const flag of ['--yes', '--dry-run'])
    expect(await w.contracts('merge', flag)).toMatchObject({ words: named, code: 1 });
  expect(w.git('ls-files')).not.toContain('a.txt');
  expect((await w.contracts('merge', 'a', '--yes')).code).toBe(0);
  expect(await w.contracts('merge')).toMatchObject(ALL);
});

test('beside work that is merged', async () => {
  const w = await worked();
  tidied(w);
  w.contract('b');
  await w.run(writes);
  const { words, code } = await w.contracts('merge', '--yes');
  expect(words).toMatch(/^a not merged: .* b contracts\/b → main/);
  expect(code).toBe(1);
});

test('a commit that is not in the repository: named, until the task is given up', async () => {
  const w = makeGitWorld();
  cpSync(join(w.root, '.git'), join(w.root, 'git-of-before'), { recursive: true });
  w.contract('a');
  await w.run(writes);
  const commit = tip(w);
  rmSync(join(w.root, '.git'), { recursive: true });
  cpSync(join(w.root, 'git-of-before'), join(w.root, '.git'), { recursive: true });
  const { words, code } = await w.contracts('merge');
  expect(words).toContain(
    `a not merged: its commit ${commit} is not in this repository Next: contracts retry a --again, or contracts abort a`,
  );
  expect(code).toBe(1);
  // Its history ends somewhere, and the commit may be beyond that.
  writeFileSync(join(w.root, '.git/shallow'), w.git('rev-parse HEAD'));
  expect(await w.contracts('merge')).toMatchObject(ALL);
  rmSync(join(w.root, '.git/shallow'));
  await w.contracts('abort', 'a');
  expect(await w.contracts('merge')).toMatchObject(ALL);
});

test('done by hand, and not verified: named', async () => {
  const w = await worked((work) => writes(work) || work.complete('FAILED'), ['retries_max: 0']);
  const state = (name: string): string => join(w.root, 'active_tasks', name, 'a');
  renameSync(state('blocked'), state('done'));
  const { words, code } = await w.contracts('merge');
  expect(words).toContain('a not merged');
  expect(code).toBe(1);
});

/** In seconds: after all records. */
const LATE = 20_000_000;

describe('not named', () => {
  test.each<[string, (w: GitWorld) => void]>([
    [
      'squashed',
      (w) => {
        w.git('merge -q --squash contracts/a');
        w.git('commit -q -m theirs', LATE);
      },
    ],
    [
      'squashed into another branch, with the trailer of the pull request',
      (w) => {
        w.git('switch -q -c other');
        w.git('merge -q --squash contracts/a');
        writeFileSync(join(w.root, 'message'), 'Theirs\n\nContracts-Task: a\n');
        w.git('commit -q -F message', LATE);
        w.git('switch -q main');
      },
    ],
    [
      'picked, and changed since',
      (w) => {
        w.write('before.txt', 'before\n');
        w.git('add before.txt');
        w.git('commit -q -m before');
        w.git('cherry-pick contracts/a', LATE);
        w.write('a.txt', 'changed\n');
        w.git('commit -q -a -m changed', LATE);
      },
    ],
    ['in another branch', (w) => w.git(`branch other ${tip(w)}`)],
    ['fetched', (w) => w.git(`update-ref refs/remotes/origin/main ${tip(w)}`)],
    ['tagged', (w) => w.git(`tag v1 ${tip(w)}`)],
    [
      'merged and reverted',
      (w) => {
        w.git('merge -q --no-edit contracts/a');
        w.git(`revert --no-edit ${tip(w)}`);
      },
    ],
  ])('%s, then tidied up', async (_how, take) => {
    const w = await worked();
    take(w);
    tidied(w);
    expect(await w.contracts('merge')).toMatchObject(ALL);
  });

  test.each(['abort', 'archive'])('given up by %s', async (verb) => {
    const w = await worked();
    tidied(w);
    expect((await w.contracts(verb, 'a')).code).toBe(0);
    expect(await w.contracts('merge')).toMatchObject(ALL);
  });

  test('its own branch alone, pushed for a pull request, is none of theirs', async () => {
    const w = await worked();
    w.git(`update-ref refs/remotes/origin/contracts/a ${tip(w)}`);
    tidied(w);
    expect((await w.contracts('merge')).code).toBe(1);
  });

  test('a task that changed nothing, although its base was amended', async () => {
    const w = await worked((work) => work.complete());
    tidied(w);
    w.git('commit -q --amend -m other');
    expect(await w.contracts('merge')).toMatchObject(ALL);
  });

  test('in the shared tree', async () => {
    const w = await worked(undefined, ['isolation: shared']);
    expect(await w.contracts('merge')).toMatchObject(ALL);
  });
});
