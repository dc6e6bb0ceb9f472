/**
 * Refs that a runner moves while somebody else works: they are not held against, nor told of, whoever
 * worked beside it. With the real git and MOCK agents; the other runner works while the first agent does.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { step } from '../../src/engine/step/step.ts';
import { makeGitWorld, writes, type GitWorld, type Work } from '../support/git-world.ts';

/** Another runner takes `b` as far as it goes while `a` is worked on. */
async function beside(
  w: GitWorld,
  a: (work: Work) => number,
  b: (work: Work) => number,
): Promise<void> {
  const other = async (): Promise<void> => {
    for (let steps = 0; steps < 4; steps++) await step(w.open(b).ws, { only: new Set(['b']) });
  };
  const agent = async (work: Work): Promise<number> => {
    if (work.task === 'a') await other();
    return a(work);
  };
  await step(w.open(agent).ws, { only: new Set(['a']) });
}

const NOTHING = (work: Work): number => work.complete('FAILED');

function noticed(w: GitWorld): readonly string[] {
  const state = ['done', 'review', 'ready', 'blocked'].find((one) =>
    existsSync(join(w.root, 'active_tasks', one, 'a')),
  );
  const text = w.outcome(`${state}/a`);
  return text.split('\n').filter((line) => line.includes('refs/') || line.includes('.git'));
}

test.each([
  ['in a worktree', 'worktree', 'changes nothing', NOTHING],
  ['in a worktree', 'worktree', 'writes', writes],
  ['in the shared tree', 'shared', 'changes nothing', NOTHING],
  ['in the shared tree', 'shared', 'writes', writes],
])('%s: a branch that a runner made (%s) while an agent %s', async (_says, isolation, _how, b) => {
  const w = makeGitWorld();
  w.contract('a', [`isolation: ${isolation}`, 'agent: explore']);
  w.contract('b', ['retries_max: 0']);
  await beside(w, NOTHING, b);
  expect(w.git('branch --list contracts/b').trim()).toBe('contracts/b');
  expect(noticed(w)).toEqual([]);
});
