/**
 * A branch called `contracts`, under which git makes no other: said before an agent is called, by
 * pre-flight, check and doctor, and the task goes on once it is renamed. With the real git, MOCK agents.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeGitWorld } from '../support/git-world.ts';

const WHY = 'a branch named contracts prevents them';

test.each([
  ['as a file', 'status'],
  ['packed', 'pack-refs --all'],
])('a branch called contracts, %s', async (_says, command) => {
  const w = makeGitWorld();
  w.git('branch -f contracts');
  w.git(command);
  w.contract('a');
  let calls = 0;
  const agent = (work: { complete(): number }): number => {
    calls += 1;
    return work.complete();
  };
  expect(JSON.stringify(await w.run(agent))).toContain(WHY);
  expect(calls).toBe(0);
  expect(existsSync(join(w.root, 'active_tasks/ready/a/attempts'))).toBe(false);
  for (const verb of ['check', 'doctor']) {
    const { text } = await w.contracts(verb);
    expect(text, verb).toContain(WHY);
    expect(text, verb).toContain('git branch -m contracts another-name');
  }
  w.git('branch -m contracts another-name');
  await w.run(agent);
  expect(existsSync(join(w.root, 'active_tasks/done/a'))).toBe(true);
});
