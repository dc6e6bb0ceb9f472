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
  [['discuss', 'nothing', 'x'], 'there is no such team'],
  [['discuss', 'review', 'x', '--rounds', '4'], 'a discussion has 1 to 3 rounds'],
  [['start', 'pm,qa', 'x', '--agents', 'dev'], 'its agents are named twice'],
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

test('--run runs this plan alone; the last line has what its members found', async () => {
  const room = commandRoom();
  await room.said('team', 'start', 'review', 'x', '--name', 'other');
  const { out, code } = await room.said('team', 'start', 'pm,qa', 'x', '--run', '--json');
  expect(code).toBe(0);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GatheredLine);
  const last = lines.at(-1);
  expect(last?.event).toBe('gathered');
  const agents = last?.completed.map(({ agent }) => agent);
  expect(agents).toEqual(['chief-of-staff/oracle', 'devil-s-advocate', 'pm', 'qa']);
  expect(room.states()).toMatchObject({ correctness: 'ready', pm: 'done' });
});

interface GatheredLine {
  readonly event: string;
  readonly completed: readonly { readonly agent: string }[];
}

test('a member that was changed in the plan of a team discusses as it is written there', async () => {
  const room = commandRoom();
  const { out } = await room.said('team', 'start', 'security', 'x', '--dry-run');
  room.write(
    '.contracts/plans/p/plan.md',
    out.replace('@janitor', '@dev').replace('Attack it:', 'Break it:'),
  );
  const next = await room.said('team', 'discuss', 'p', 'y', '--rounds', '1', '--dry-run');
  expect(next.out).toContain(
    'id: round-1-attacker, executor: @dev, verify: `result: Attacks, Evidence`',
  );
  expect(next.out).toContain('\n  Break it: which');
  const direct = await room.said('team', 'discuss', 'security', 'y', '--rounds', '1', '--dry-run');
  expect(next.out).toBe(direct.out.replace('@janitor', '@dev').replace('Attack it:', 'Break it:'));
});
