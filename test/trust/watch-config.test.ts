/**
 * The configuration while `watch` runs, in real processes and without CONTRACTS_TRUST: a broken one, a mended
 * one, one that an agent wrote, and one that trust does not cover until a person says so in another terminal.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watch } from '../../src/engine/step/watch.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { shellContract } from '../hostile/house.ts';
import { home, root, said, write } from '../hostile/trust-room.ts';
import { startContracts, type Started } from '../support/binary.ts';
import { sealedEnv } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';
import { makeWorld } from '../support/world.ts';

const FILE = '.contracts/config.yaml';
const USED = 'The configuration changed; the new one is used.';
const PAUSES =
  'this is not allowed yet, or has changed: on_state. See what it starts, and trust it';

let started: Started | undefined;
beforeEach(() => {
  expect(said(['init']).code).toBe(0);
  write(FILE, 'adapter: shell\n');
});
afterEach(async () => {
  started?.child.kill('SIGKILL');
  await started?.ended;
  started = undefined;
});

async function watching(...args: string[]): Promise<Started> {
  const env = { ...sealedEnv(), HOME: home, CONTRACTS_SANDBOX: 'none' };
  const argv = ['watch', '--poll', '--interval', '0.1', ...args];
  started = startContracts(root, argv, [], env);
  await says(started, 'Watching;');
  return started;
}

const says = (one: Started, words: string): Promise<true> =>
  until(() => one.stdout().includes(words));

const counted = (one: Started, words: string): number => one.stdout().split(words).length - 1;

const isAt = (state: string, id: string): boolean =>
  existsSync(join(root, 'active_tasks', state, id));

async function task(id: string, ends: string, sh?: string): Promise<void> {
  const parts = sh === undefined ? {} : { sh };
  write(`active_tasks/ready/${id}/contract.md`, shellContract(id, parts));
  await until(() => isAt(ends, id));
}

/** With `adapter: human` a task waits in in_progress, and no program is called. */
const HUMAN = 'adapter: human\n';

test('a broken one is reported once and the last good one is used; a mended one is used', async () => {
  said(['trust']);
  const one = await watching();
  write(FILE, 'adapter: [\n');
  await says(one, 'Until then the last good configuration is used');
  await task('a', 'done');
  write(FILE, 'adapter: shell\nretreis_max: 1\n');
  await says(one, 'retreis_max');
  await task('b', 'done');
  write(FILE, HUMAN);
  await says(one, USED);
  await task('c', 'in_progress');
  one.child.kill('SIGINT');
  const { stdout, stderr } = await one.ended;
  expect(stderr).toBe('');
  expect(counted(one, 'Until then the last good configuration is used')).toBe(2);
  expect(counted(one, USED)).toBe(1);
  expect(stdout).toContain(`fault: ${FILE}:`);
  expect(stdout).not.toContain('..');
  expect(stdout).not.toContain('c  calls');
});

test('one that an agent wrote is not used, not even while it runs, until a person trusts it', async () => {
  said(['trust']);
  const one = await watching();
  const sh = `echo made > bad.txt; printf '${HUMAN.trim()}' > ${FILE}; until [ -e go ]; do sleep 0.02; done`;
  await task('bad', 'in_progress', sh);
  await says(one, 'the configuration changed, and is read when no attempt runs');
  await task('beside', 'done');
  write('go', '');
  const changed = `fault: ${FILE} changed while attempt 1 of bad ran`;
  await says(one, changed);
  expect(one.stdout()).toContain('restore it, or keep it: contracts trust');
  expect(one.stdout()).not.toContain(USED);
  write('active_tasks/ready/later/contract.md', shellContract('later'));
  expect(said(['step']).code).toBe(3);
  expect(isAt('ready', 'later')).toBe(true);
  expect(said(['trust']).text).toContain('Trusted.');
  await until(() => isAt('in_progress', 'later'));
  await says(one, USED);
  expect(counted(one, changed)).toBe(1);
});

test('one with programs that trust does not cover waits for a person in another terminal', async () => {
  said(['trust']);
  const one = await watching();
  write(FILE, `${HUMAN}on_state: [touch, rang]\n`);
  await says(one, PAUSES);
  await task('a', 'done');
  expect(existsSync(join(root, 'rang'))).toBe(false);
  expect(one.stdout()).not.toContain(USED);
  expect(said(['trust']).text).toContain('Trusted.');
  await says(one, USED);
  await task('b', 'in_progress');
  await until(() => existsSync(join(root, 'rang')));
  expect(counted(one, PAUSES)).toBe(1);
});

test('--trust is for what was there when the command began', async () => {
  rmSync(join(home, '.local/state/contracts/trust'), { recursive: true });
  const one = await watching('--trust');
  write(FILE, `${HUMAN}on_state: [touch, rang]\n`);
  await says(one, 'this workspace is not trusted yet');
  await task('a', 'done');
  expect(existsSync(join(root, 'rang'))).toBe(false);
  expect(said(['trust']).text).toContain('Trusted.');
  await says(one, USED);
});

test('another folder of tasks is not taken up', async () => {
  said(['trust']);
  const one = await watching();
  write('elsewhere/ready/x/contract.md', shellContract('x'));
  write(FILE, `${HUMAN}active_tasks: elsewhere\n`);
  await says(one, 'is read after a new start of watch');
  await task('a', 'done');
  expect(existsSync(join(root, 'elsewhere/ready/x'))).toBe(true);
});

test('while it stays the same, a look costs one stat and nothing is read', async () => {
  const world = makeWorld();
  const asked: string[] = [];
  const of = (what: string, path: string): void => {
    if (path === join(world.root, FILE)) asked.push(what);
  };
  const disk: typeof realDisk = {
    ...realDisk,
    stat: (path) => (of('stat', path), realDisk.stat(path)),
    read: (path, ...rest) => (of('read', path), realDisk.read(path, ...rest)),
  };
  const stop = new AbortController();
  let rests = 0;
  const { ws } = world.process({ disk });
  asked.length = 0;
  const steps = await watch(ws, {
    interval_ms: 10,
    signal: stop.signal,
    emit: () => undefined,
    onRest: () => {
      rests += 1;
      if (rests === 5) stop.abort();
    },
  });
  // The first look reads it: it may have changed since the command opened the workspace.
  expect(steps).toBeGreaterThanOrEqual(5);
  expect(asked.toSorted()).toEqual(['read', ...Array<string>(steps + 1).fill('stat')]);
});
