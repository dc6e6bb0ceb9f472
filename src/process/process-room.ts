/** Starts agents and checks behind a gate, in a session of their own. Failures are an Exit; misuse throws. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { assert, Fault } from '../task/core/model/problem.ts';
import { spawn as spawnProcess } from './child-process.ts';
import { GATE_SHELL, gateArguments } from './gate.ts';
import { gatedRun } from './gated-run.ts';
import type { Machine } from './machine.ts';
import { openLog, writeAll, type Log } from './log-tail.ts';
import { MARK_NAME, processNumbers } from './process-table.ts';
import { errorCode } from '../task/store/disk/disk.ts';
import { elapsedMs } from './elapsed.ts';
import { exitOf } from './spawn.ts';
import type { Exit, Gated, ProcessRoom, Spawn, SpawnHooks } from './spawn.ts';

export type { Exit, Gated, ProcessRoom, Spawn, SpawnHooks } from './spawn.ts';
export { findMarked, killOrphan } from './stop.ts';

export function realProcessRoom(machine: Machine): ProcessRoom {
  return { start: (spawn, hooks = {}) => start(machine, spawn, hooks) };
}

function start(machine: Machine, spawn: Spawn, hooks: SpawnHooks): Gated {
  assert(spawn.argv.length > 0 && spawn.argv[0] !== '', 'a spawn needs a program');
  assert(isAbsolute(spawn.log) && isAbsolute(spawn.cwd), 'log and cwd are absolute');
  assert(isAbsolute(spawn.exit_file ?? '/'), 'the exit file is absolute');
  assert(/^[\w.-]{1,200}$/.test(spawn.mark), 'a mark is one word');
  if (hooks.signal?.aborted === true) {
    return neverStarted(machine, Promise.resolve(exitOf('cancelled')));
  }
  const refusal = refusalOf(spawn);
  if (refusal !== undefined) return failed(machine, refusal);
  let log: Log;
  try {
    log = openLog(spawn.log);
  } catch (error) {
    // Its folder was made a moment ago: a person moved it, as by a signal.
    if (errorCode(error) === 'ENOENT')
      return neverStarted(machine, Promise.resolve(exitOf('cancelled')));
    return failed(machine, `the log cannot be opened: ${wordsOf(error)}`);
  }
  const [before, began_ms] = [new Set(processNumbers()), elapsedMs()];
  let child: ChildProcess;
  try {
    child = startWrapper(spawn, log.fd);
  } catch (error) {
    closeSync(log.fd);
    return failed(machine, wordsOf(error));
  }
  if (child.pid === undefined) {
    closeSync(log.fd);
    return neverStarted(machine, errorOf(child));
  }
  const ref = machine.identify(child.pid) ?? { ...machine.self(), pid: child.pid, start: '' };
  return gatedRun({ child, ref, log, spawn, hooks, before, began_ms });
}

/** Checked before: spawn reports a missing working folder as ENOENT of the shell. */
function refusalOf(spawn: Spawn): string | undefined {
  if (spawn.argv[0]?.startsWith('-') === true) {
    return `the program ${JSON.stringify(spawn.argv[0])} looks like an option`;
  }
  try {
    if (statSync(spawn.cwd).isDirectory()) return undefined;
    return `the working folder ${spawn.cwd} is not a folder`;
  } catch (error) {
    return `the working folder cannot be used: ${wordsOf(error)}`;
  }
}

function startWrapper(spawn: Spawn, logFd: number): ChildProcess {
  const stdin = spawn.stdin === 'null' ? 'ignore' : openText(spawn.stdin.text);
  try {
    return spawnProcess(GATE_SHELL, gateArguments(spawn.argv, spawn.exit_file, spawn), {
      cwd: spawn.cwd,
      env: { ...spawn.env, [MARK_NAME]: spawn.mark },
      stdio: [stdin, logFd, logFd, 'pipe'],
      // setsid: a group and session of its own, and no terminal that stops it.
      detached: true,
    });
  } finally {
    if (stdin !== 'ignore') closeSync(stdin);
  }
}

/** An unlinked file instead of a pipe: its end is there at once, and no reader blocks us. */
export function openText(text: string): number {
  const file = join(tmpdir(), `contracts-stdin-${randomBytes(12).toString('hex')}`);
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const fd = openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    unlinkSync(file);
    // At explicit positions: the program begins to read at offset 0.
    writeAll(fd, Buffer.from(text, 'utf8'), 0);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function failed(machine: Machine, error: string): Gated {
  return neverStarted(machine, Promise.resolve(exitOf('failed_to_start', error)));
}

/** EAGAIN, EMFILE and the like arrive as an event, one tick later. */
function errorOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(exitOf('failed_to_start', wordsOf(error))));
  });
}

function neverStarted(machine: Machine, done: Promise<Exit>): Gated {
  const process = { ...machine.self(), pid: 0, start: '' };
  const nothing = (): void => undefined;
  return { started: false, process, open: nothing, abandon: nothing, cancel: nothing, done };
}

function wordsOf(error: unknown): string {
  if (error instanceof Fault) return `${error.message}. ${error.fix}`;
  return error instanceof Error ? error.message : String(error);
}
