/** The account of a run, made from records alone: what two tasks wrote at once is not counted in both. */
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';
import { gitOf } from '../support/git.ts';

/** Each goes on once the other has begun, so that they work at the same time. */
const TASKS = [
  ['one', 'two'],
  ['two', 'one'],
] as const;

function roomWith(together: boolean) {
  const room = commandRoom('adapter: shell\nsandbox: none\n');
  gitOf(room.root)('init -q');
  const make = ([own, other]: readonly [string, string]) => {
    const waits = together
      ? `touch ${own}.on; until test -e ${other}.on; do sleep 0.02; done; `
      : '';
    const holds = ['--deliverable', `${own}.txt`, '--run', `test -s ${own}.txt`];
    const script = `${waits}printf 'a\\nb\\n' > ${own}.txt`;
    return room.said('new', own, '--id', own, ...holds, '--sh', script);
  };
  return { room, make };
}

test.each([
  ['one after the other: with their lines', false, '1', /2 files changed \(\+4 −0\)/],
  ['at the same time: without', true, '2', /\d files changed[,.] (?!.*\+)/],
])('%s', async (_, together, parallel, words) => {
  const { room, make } = roomWith(together);
  for (const task of TASKS) expect((await make(task)).code).toBe(0);
  for (const [id] of TASKS) expect((await room.said('confirm', id)).code).toBe(0);
  const { out } = await room.said('run', '--parallel', parallel);
  expect(out).toContain('2 tasks done');
  expect(out).toMatch(words);
});
