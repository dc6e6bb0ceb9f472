/**
 * Tasks that write the same, by patterns: in a shared tree they do not run together unless the
 * configuration says so; in worktrees they do, and it is told. MOCK agents that wait for each other.
 */
import { expect, test } from 'vitest';
import { makeGitWorld } from '../support/git-world.ts';

/** How many agents worked at once, and what was told of the overlap. */
async function play(
  settings: string,
  writes: readonly [string, string],
): Promise<{ most: number; told: string[]; waits: string[] }> {
  const config = `adapter: mine\nparallel: 2\n${settings}adapters:\n  mine: { type: command, run: [sh, "{{brief_file}}"] }\n`;
  const w = makeGitWorld(config);
  w.contract('a', [`write: ["${writes[0]}"]`]);
  w.contract('b', [`write: ["${writes[1]}"]`]);
  let inside = 0;
  let most = 0;
  const events = await w.run(async (work) => {
    inside += 1;
    most = Math.max(most, inside);
    // Whoever may come in beside is there by then.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    inside -= 1;
    return work.complete();
  });
  return {
    most,
    told: events.flatMap((one) => (one.event === 'overlaps' ? [one.reason] : [])),
    waits: events.flatMap((one) => (one.event === 'waits' ? [one.reason] : [])),
  };
}

test('in a shared tree they take turns', async () => {
  const { most, told, waits } = await play('', ['src/**', 'src/*.ts']);
  expect(most).toBe(1);
  expect(told).toEqual([]);
  expect(waits).toContain('waits for a, which writes src/** too');
});

test('in a shared tree those that write apart run together', async () => {
  const { most, told } = await play('', ['src/**', 'docs/**']);
  expect(most).toBe(2);
  expect(told).toEqual([]);
});

test('in worktrees they run together, and it is told', async () => {
  const { most, told } = await play('isolation: worktree\n', ['src/**', 'src/*.ts']);
  expect(most).toBe(2);
  expect(told).toEqual(['a writes src/** as well, in worktrees apart']);
});

test.each([
  ['warn', ['a writes src/** as well, in one tree']],
  ['ignore', []],
])('conflicts: %s lets them run together', async (how, wanted) => {
  const { most, told } = await play(`conflicts: ${how}\n`, ['src/**', 'src/*.ts']);
  expect(most).toBe(2);
  expect(told).toEqual(wanted);
});
