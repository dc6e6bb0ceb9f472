/**
 * What V8 made of the files of the built command lies beside them: the answer is the same with it,
 * without it, and with one that does not fit. Runs a copy of the built command, which it may spoil.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheName, sealed, unsealed } from '../../src/cli/startup/code-cache-seal.ts';
import { BINARY } from '../support/binary.ts';

const hook = fileURLToPath(new URL('../support/loads.cjs', import.meta.url));
let room = '';
let bin = '';
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), 'contracts-code-cache-'));
  bin = join(room, 'dist/bin');
  cpSync(dirname(BINARY), bin, { recursive: true });
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

function run(word: string, ...flags: string[]) {
  const env = { PATH: process.env['PATH'], CONTRACTS_LOADS: join(room, 'loads.json') };
  const argv = [...flags, '--require', hook, join(bin, 'contracts.cjs'), word];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  const { cached } = JSON.parse(readFileSync(env.CONTRACTS_LOADS, 'utf8')) as { cached: string[] };
  return { status, stdout, stderr, cached };
}

/** The only one of that family: its name ends with the build. */
function cacheOf(family: string): string {
  const [name, ...more] = readdirSync(bin).filter(
    (one) => one.startsWith(`${family}-v`) && one.endsWith('.v8'),
  );
  expect(more).toEqual([]);
  return join(bin, name ?? 'none');
}

test('its name is of this Node, platform and processor, and of the build', () => {
  const name = cacheOf('help').slice(bin.length + 1);
  expect(name).toBe(cacheName('help.cjs', name.slice(-11, -3)));
  expect(name).toContain(`-${process.version}-${process.platform}-${process.arch}-`);
});

test.each<[string, (file: string) => void]>([
  ['is not there', (file) => rmSync(file)],
  ['is of another Node', (file) => renameSync(file, file.replace('/help-v', '/help-v1'))],
  ['is empty', (file) => truncateSync(file)],
  ['is shorter than its seal', (file) => truncateSync(file, 3)],
  ['is cut off', (file) => truncateSync(file, 10_000)],
  ['is of the same length and noise', (file) => overwrite(file, 0, Infinity)],
  ['has noise at its beginning', (file) => overwrite(file, 0, 256)],
  ['has noise in its middle', (file) => overwrite(file, 10_004, 256)],
  ['has noise at its end', (file) => overwrite(file, -256, 256)],
])('one that %s: compiled as ever, nothing said', (_, spoil) => {
  const good = run('help');
  expect(good).toMatchObject({ status: 0, stderr: '', cached: ['help.cjs'] });
  spoil(cacheOf('help'));
  expect(run('help')).toEqual({ ...good, cached: [] });
});

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  const at = from < 0 ? bytes.length + from : from;
  const end = Math.min(bytes.length, at + length);
  let noise = 1;
  for (let i = at; i < end; i++) {
    noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = ((bytes[i] ?? 0) + 1 + ((noise >>> 16) % 255)) % 256;
  }
  writeFileSync(file, bytes);
}

test.each([
  ['--max-old-space-size=200'],
  ['--stack-size=800'],
  ['--no-opt'],
  ['--no-lazy'],
  ['--jitless'],
])('with %s the answer is the same', (...flags) => {
  const { stdout } = run('states');
  expect(run('states', ...flags)).toMatchObject({ status: 0, stdout });
});

describe('nothing is written beside the command', () => {
  test.each(['help', 'states'])('%s', (word) => {
    rmSync(cacheOf('help'));
    const before = readdirSync(bin);
    run(word);
    expect(readdirSync(bin)).toEqual(before);
  });
});

test('where an error is thrown its trace names file, line and column', () => {
  writeFileSync(join(bin, 'help.cjs'), '  null.found;');
  const { status, stderr } = run('help');
  expect(status).toBe(1);
  expect(stderr).toContain(`${join(bin, 'help.cjs')}:1:8`);
});

test('a seal knows any 256 bytes that are others', () => {
  const cache = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 31) % 251));
  expect(unsealed(sealed(cache))).toEqual(cache);
  for (let at = 0; at + 256 <= cache.length; at++) {
    const whole = sealed(cache);
    whole.fill(255, at, at + 256);
    expect(unsealed(whole), `at ${at}`).toBeUndefined();
  }
});
