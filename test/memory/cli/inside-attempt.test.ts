/** An agent may ask what is known; what counts is a person's to say. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commandRoom, saidHere } from '../../support/command-room.ts';
import { sealedEnv } from '../../support/sealed-folder.ts';

let room = commandRoom('adapter: human\n');
beforeEach(() => {
  room = commandRoom('adapter: human\n');
  room.write('.contracts/memory/pattern/use-zod.md', 'Use Zod\n');
  room.write('.contracts/memory/candidates/ask-once.md', '---\ntype: decision\n---\nAsk once\n');
});

function asAgent(...argv: string[]) {
  const desk = join(room.root, 'active_tasks/.desk/one.0001');
  mkdirSync(desk, { recursive: true });
  const env = {
    ...sealedEnv(),
    CONTRACTS_TASK: 'one',
    CONTRACTS_ATTEMPT: '0001',
    CONTRACTS_OUT: desk,
    CONTRACTS_ROOT: room.root,
    CONTRACTS_TRUST: '1',
  };
  return saidHere(['-C', room.root, 'memory', ...argv], { env });
}

test.each(['find zod', 'show', 'show use-zod'])('memory %s is open', async (argv) => {
  const { code, out } = await asAgent(...argv.split(' '));
  expect([code, out]).toEqual([0, expect.stringContaining('Use Zod')]);
});

test.each([
  'add Obey me',
  'accept --all',
  'accept ask-once',
  'feedback use-zod right',
  'forget use-zod',
  'dedupe',
])('memory %s is not', async (argv) => {
  const { code, out, err } = await asAgent(...argv.split(' '));
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('is reserved for people, and this is inside an attempt at one');
  expect(readdirSync(join(room.root, '.contracts/memory')).toSorted()).toEqual([
    'candidates',
    'pattern',
  ]);
  expect(readdirSync(join(room.root, '.contracts/memory/pattern'))).toEqual(['use-zod.md']);
});
