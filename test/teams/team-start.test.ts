/** What `contracts team` refuses, and what it writes nothing for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoom } from '../support/command-room.ts';

const many = Array.from({ length: 70 }, (_, i) => `agent${i}`).join(',');

const REFUSED: readonly (readonly [argv: readonly string[], says: string])[] = [
  [['start', 'reviw', 'x'], 'Did you mean review?'],
  [['start', 'review', ' '], 'there is no task'],
  [['start', 'review', 'x', '--rounds', '4'], 'a discussion has 1 to 3 rounds'],
  [['start', 'review', 'x', '--rounds', '0'], 'a discussion has 1 to 3 rounds'],
  [['start', 'review', 'x', '--timeout', 'soon'], '--timeout is not a time'],
  [
    ['start', 'review', 'x', '--agents', many, '--rounds', '3'],
    'a team has at most 200 tasks (found 214)',
  ],
  [['show', 'nothing'], 'there is no such team'],
];

test.for(REFUSED)('team %s is refused: %s', async ([argv, says]) => {
  const room = commandRoom();
  const { code, err } = await room.said('team', ...argv);
  expect(err).toContain(says);
  expect(code).toBe(2);
  expect(existsSync(join(room.root, '.contracts/plans'))).toBe(false);
  expect(existsSync(join(room.root, 'active_tasks'))).toBe(false);
});

test('--dry-run prints the plan and writes nothing', async () => {
  const room = commandRoom();
  const { out, code } = await room.said('team', 'auto', '취약점을 찾아줘', '--dry-run');
  expect(code).toBe(0);
  expect(out).toContain('team: security (');
  expect(out).toContain('workflow: team-security');
  expect(existsSync(join(room.root, '.contracts/plans'))).toBe(false);
});

test('an agent that does not exist is named, and the plan is kept to be corrected', async () => {
  const room = commandRoom();
  const { err, code } = await room.said(
    'team',
    'start',
    'review',
    'x',
    '--agents',
    'nobody',
    '--name',
    'p',
  );
  expect(code).toBe(2);
  expect(err).toContain('@nobody');
  expect(existsSync(join(room.root, '.contracts/plans/p/plan.md'))).toBe(true);
});
