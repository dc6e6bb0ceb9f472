/** Who is alive: against real processes, and against references that time has overtaken. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProcessRef } from '../../src/process/machine.ts';
import { realMachine } from '../../src/process/machine.ts';
import { processRow } from '../../src/process/process-table.ts';
import { fixture, folder, machine, onLinux } from '../clients/rig.ts';
import { until } from '../support/until.ts';

const self = machine.self();

test('we are alive and the same each time', () => {
  expect(self.pid).toBe(process.pid);
  expect(machine.self()).toBe(self);
  expect(realMachine().self()).toEqual(self);
  expect(machine.identify(process.pid)).toEqual(self);
  expect(self.start).not.toBe('');
  expect(self.boot).not.toBe('');
  expect(self.host).not.toBe('');
});

const stale: readonly [string, Partial<ProcessRef>, 'alive' | 'dead' | 'elsewhere'][] = [
  ['ourselves', {}, 'alive'],
  ['our pid, given to somebody who started at another time', { start: '12345' }, 'dead'],
  ['our pid before a reboot', { boot: 'another-boot' }, 'dead'],
  ['before a reboot, in a namespace of then', { boot: 'another-boot', pid_ns: 'pid:[1]' }, 'dead'],
  ['a container on this host', { pid_ns: 'pid:[1]' }, 'elsewhere'],
  ['another host', { host: 'another-host' }, 'elsewhere'],
  ['another host that booted', { host: 'another-host', boot: 'another-boot' }, 'elsewhere'],
  ['another machine of the same name', { machine: 'f'.repeat(32) }, 'elsewhere'],
  ['a pid that cannot be', { pid: 2 ** 31 - 1 }, 'dead'],
  ['pid 0', { pid: 0 }, 'dead'],
  ['pid -1', { pid: -1 }, 'dead'],
  ['no number', { pid: Number.NaN }, 'dead'],
];
test.each(stale)('%s', (_who, change, life) => {
  expect(machine.judge({ ...self, ...change })).toBe(life);
});

function endAfterTest(child: ChildProcess): void {
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
}

test('a process that ended is dead', async () => {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  endAfterTest(child);
  const ref = machine.identify(child.pid ?? 0);
  expect(ref === undefined ? 'unknown' : machine.judge(ref)).toBe('alive');
  child.kill('SIGKILL');
  await until('it was reaped', () => child.signalCode !== null);
  expect(ref === undefined ? 'unknown' : machine.judge(ref)).toBe('dead');
  expect(machine.identify(child.pid ?? 0)).toBeUndefined();
});

test('a zombie is dead although its pid is taken', async () => {
  // The parent replaces itself by a program that never reaps.
  const parent = spawn('sh', ['-c', 'sleep 300 & echo $!; exec sleep 300'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endAfterTest(parent);
  let said = '';
  parent.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('it told the pid', () => said.endsWith('\n'));
  const pid = Number(said);
  const ref = machine.identify(pid);
  expect(ref === undefined ? 'unknown' : machine.judge(ref)).toBe('alive');
  process.kill(pid, 'SIGKILL');
  await until('it is a zombie', () => processRow(pid)?.state === 'Z');
  expect(ref === undefined ? 'unknown' : machine.judge(ref)).toBe('dead');
  expect(machine.identify(pid)).toBeUndefined();
});

test.runIf(onLinux)('a name with brackets and blanks does not confuse', () => {
  const at = folder();
  const odd = join(at, ') R 1 1 (');
  symlinkSync(fixture('waits.sh'), odd);
  const child = spawn(odd, [join(at, 'ready')], { stdio: 'ignore' });
  endAfterTest(child);
  const row = processRow(child.pid ?? 0);
  expect(row?.state).toMatch(/^[RSD]$/);
  expect(Number(row?.start)).toBeGreaterThanOrEqual(Number(self.start));
});

test('the age grows and is unknown for another boot or host', async () => {
  const young = machine.ageSeconds(self) ?? -1;
  expect(young).toBeGreaterThan(0);
  expect(young).toBeLessThan(24 * 3600);
  await until('it grew', () => (machine.ageSeconds(self) ?? 0) > young);
  expect(machine.ageSeconds({ ...self, boot: 'other' })).toBeUndefined();
  expect(machine.ageSeconds({ ...self, host: 'other' })).toBeUndefined();
});

test.runIf(onLinux)('an older process is older', () => {
  const first = machine.identify(1);
  const age = first === undefined ? 0 : (machine.ageSeconds(first) ?? 0);
  expect(age).toBeGreaterThanOrEqual(machine.ageSeconds(self) ?? Infinity);
});

test('nonces are 32 hex digits and differ', () => {
  const nonces = Array.from({ length: 50 }, () => machine.nonce());
  expect(new Set(nonces).size).toBe(50);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(machine.random()).toBeLessThan(1);
});
