/** `contracts memory accept --into`: a line of direction.md, and no learning. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { CAPABILITIES } from '../../../src/capabilities.ts';
import { candidates } from '../../../src/cli/startup/complete.ts';
import { BINARY } from '../../support/binary.ts';
import { assumptionsRoom } from '../room.ts';

const CANDIDATE = '.contracts/memory/candidates/sell-tea.md';
const DIRECTION = '.contracts/direction.md';
let room = assumptionsRoom();
beforeEach(() => {
  room = assumptionsRoom();
  room.write(CANDIDATE, '---\ntype: decision\n---\nSell <!-- tea\n');
});

const accept = (...argv: string[]) => room.said('memory', 'accept', ...argv);

test.each([
  [undefined, '# Direction\n\n## Goals\n\n- Sell \\<!-- tea\n'],
  [
    '# Direction\n\n## Goals\n\n- Sleep\n\n## Priorities\n',
    '# Direction\n\n## Goals\n\n- Sleep\n- Sell \\<!-- tea\n\n## Priorities\n',
  ],
])('from %j', async (before, after) => {
  if (before !== undefined) room.write(DIRECTION, before);
  expect(await accept('sell-tea', '--into', 'goals')).toMatchObject({ code: 0, err: '' });
  expect(room.read(DIRECTION)).toBe(after);
  expect(room.has(CANDIDATE)).toBe(false);
  expect(room.has('.contracts/memory/decision')).toBe(false);
});

test.each<[argv: string, message: string, cure: string]>([
  ['sell-tea --into dreams', '--into takes goals, constraints, priorities', '--into goals'],
  ['--into goals', 'no candidate is named', '--all'],
  ['sell-coffee --into goals', 'there is no such learning', 'memory show'],
])('%s is refused, and nothing is written', async (argv, message, cure) => {
  const { code, err } = await accept(...argv.split(' '));
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(err).toContain(cure);
  expect([room.has(DIRECTION), room.has(CANDIDATE)]).toEqual([false, true]);
});

test('what a person wrote below its head is not lost with it', async () => {
  const noted = '---\ntype: decision\ninformation: Sell tea\n---\n\nAnn asked for it.\n';
  room.write(CANDIDATE, noted);
  const { out } = await accept('sell-tea', '--into', 'goals');
  expect(out).toContain(`${CANDIDATE} stays, for it says more below its head`);
  expect(room.read(CANDIDATE)).toBe(noted);
  await accept('sell-tea', '--into', 'goals');
  expect(room.read(DIRECTION).match(/Sell tea/g)).toHaveLength(1);
});

test('--all: every candidate', async () => {
  room.write('.contracts/memory/candidates/sleep.md', 'Sleep\n');
  expect(await accept('--all', '--into', 'goals')).toMatchObject({ code: 0, err: '' });
  expect(room.read(DIRECTION)).toContain('- Sell \\<!-- tea\n- Sleep\n');
  expect(room.has(CANDIDATE)).toBe(false);
});

test('four processes at once: each has its line, or says that it has none', async () => {
  rmSync(room.path(CANDIDATE));
  const ids = ['g1', 'g2', 'g3', 'g4'];
  for (const id of ids) room.write(`.contracts/memory/candidates/${id}.md`, `Goal ${id}\n`);
  const argv = (id: string) => [BINARY, 'memory', 'accept', id, '--into', 'goals'];
  const call = promisify(execFile);
  await Promise.all(
    ids.map((id) => call(process.execPath, argv(id), { cwd: room.root }).catch(() => undefined)),
  );
  for (const id of ids) {
    const isLeft = room.has(`.contracts/memory/candidates/${id}.md`);
    expect([id, room.read(DIRECTION).includes(`Goal ${id}`)]).toEqual([id, !isLeft]);
  }
});

test('its parts are offered', async () => {
  const words = ['-C', room.root, 'memory', 'accept', 'sell-tea', '--into', ''];
  expect(await candidates(words, CAPABILITIES)).toEqual(['goals', 'constraints', 'priorities']);
});
