/**
 * How little the command loads: the bytes of its files and what each verb asks for, as constants, so
 * that whoever makes it heavier sees it here. Times are the bench's; this runs the built command.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BINARY } from './support/binary.ts';

/** Of contracts.cjs and chunk.cjs, which every call reads. */
const ENTRY_KIB_MAX = 64;
/** Of verbs.cjs, which every verb reads. */
const VERBS_KIB_MAX = 320;

const ENTRY = ['chunk.cjs', 'node:events', 'node:fs', 'node:path', 'node:process'];
const VERB = [...ENTRY, 'verbs.cjs'];
const LOADS: readonly (readonly [string, readonly string[]])[] = [
  ['--version', ENTRY],
  ['--help', ENTRY],
  [
    'new --id hello --adapter human Hello',
    [...VERB, 'handlebars-runtime-js.cjs', 'node:crypto', 'templates.cjs'],
  ],
  ['list', VERB],
  ['show hello', VERB],
  ['confirm hello', VERB],
];

const hook = fileURLToPath(new URL('support/loads.cjs', import.meta.url));
let room = '';
beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), 'contracts-start-'));
  expect(run('init').status).toBe(0);
});
afterAll(() => rmSync(room, { recursive: true, force: true }));

function run(...argv: string[]) {
  const env = { PATH: process.env['PATH'], CONTRACTS_LOADS: join(room, 'loads.json') };
  const all = ['--require', hook, BINARY, ...argv];
  return spawnSync(process.execPath, all, { cwd: room, env, encoding: 'utf8' });
}

function kib(...names: string[]): number {
  const bytes = names.map((name) => statSync(join(dirname(BINARY), name)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1024;
}

test('the files that every call and every verb read are small', () => {
  expect(kib('contracts.cjs', 'chunk.cjs')).toBeLessThan(ENTRY_KIB_MAX);
  expect(kib('verbs.cjs')).toBeLessThan(VERBS_KIB_MAX);
});

test.each(LOADS)('%s loads what it needs and no more', (line, wanted) => {
  const { status, stderr } = run(...line.split(' '));
  expect([0, 1], stderr).toContain(status);
  const loads = JSON.parse(readFileSync(join(room, 'loads.json'), 'utf8')) as string[];
  expect(loads.toSorted()).toEqual(wanted.toSorted());
});

test('all of it is ASCII, which is read faster', () => {
  for (const name of ['contracts.cjs', 'chunk.cjs', 'verbs.cjs']) {
    const text = readFileSync(join(dirname(BINARY), name), 'utf8');
    expect(/^\p{ASCII}+$/u.test(text), name).toBe(true);
  }
});
