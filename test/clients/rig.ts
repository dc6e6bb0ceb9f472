/**
 * What every test of real processes needs: a folder, a spawn with sane limits, and waiting for a fact
 * (never for a while) with a generous deadline.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { secretsOf } from '../../src/task/core/base/secrets.ts';
import { realMachine } from '../../src/process/machine.ts';
import { findMarked, realProcessRoom } from '../../src/process/process-room.ts';
import type { Exit, Spawn, SpawnHooks } from '../../src/process/process-room.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

export const machine = realMachine();
export const room = realProcessRoom(machine);
export const onLinux = process.platform === 'linux';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** A folder with blanks and a quote in its name, gone after the test. */
export function folder(): string {
  const path = sealedFolder("an agent's room ");
  return path;
}

export function spawnIn(at: string, argv: readonly string[], more: Partial<Spawn> = {}): Spawn {
  const mark = machine.nonce();
  onTestFinished(() => {
    for (const pid of findMarked(mark)) kill(pid);
  });
  return {
    argv,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: at,
    stdin: 'null',
    log: join(at, 'output.log'),
    mark,
    timeout_ms: Number.POSITIVE_INFINITY,
    output_max_bytes: 1024 * 1024,
    grace_ms: 5_000,
    secrets: secretsOf([]),
    ...more,
  };
}

/** Whoever has ended since it was looked for needs no killing. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function run(spawn: Spawn, hooks?: SpawnHooks): Promise<Exit> {
  const gated = room.start(spawn, hooks);
  gated.open();
  return gated.done;
}

export const logOf = (spawn: Spawn): string => readFileSync(spawn.log, 'utf8');

export async function untilThere(file: string): Promise<void> {
  await until(`${file} is there`, () => existsSync(file));
}

export const isAlive = (pid: number): boolean => machine.identify(pid) !== undefined;

export const pidIn = (file: string): number => Number(readFileSync(file, 'utf8').trim());
