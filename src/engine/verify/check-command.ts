/**
 * A check that runs a command under the limits of an agent. A program that is not installed is a fault of
 * the environment; a file of the workspace that is missing or cannot be executed is a failed check.
 */
import { join } from 'node:path';
import { agentEnvironment } from '../../process/adapter.ts';
import { kindOf, realOf } from '../../process/path-kind.ts';
import type { Exit } from '../../process/process-room.ts';
import { missingFor } from '../../process/program.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { READ_ONLY } from '../../task/core/model/permissions.ts';
import { limitsFor } from '../../task/core/model/policy.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { confine } from '../../sandbox/engine/confine.ts';
import { networkClosed, networkFault } from '../../sandbox/engine/network.ts';
import { notStarted, OUTPUT_BYTES_MAX, startOf } from '../call/call.ts';
import { recordStart } from '../call/record-start.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';
import { cacheFolders, FETCH_VARIABLES } from '../../worktrees/core/preparation.ts';
import { repositoryOf } from '../../worktrees/engine/workdir-record.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';
import { pathOutside } from '../../worktrees/engine/main-checkout-programs.ts';
import { unpreparedFor } from '../../worktrees/engine/unprepared.ts';
import { readOr, type CheckOptions } from './check-files.ts';

const OUTPUT_SHOWN_BYTES = 4096;

/** `setup` and `cleanup` of a worktree may fetch packages. */
interface CommandOptions extends Omit<CheckOptions, 'contract'> {
  readonly what?: 'run' | 'setup' | 'cleanup';
}

export async function runCommand(
  running: Running,
  command: string,
  at: string,
  { workdir, ignored = [], log: name = 'output.log', what = 'run', apart }: CommandOptions,
): Promise<Receipt> {
  const { ws } = running;
  const { timeout_ms } = limitsFor(running.contract, undefined, ws.config);
  const isCheck = what === 'run';
  const unprepared = isCheck ? unpreparedFor(ws, workdir, command) : undefined;
  if (unprepared !== undefined) throw unprepared;
  const place = apart === undefined ? findPlace(running) : undefined;
  const log = apart ?? (place && join(attemptFolder(place.folder, running.number), name));
  if (log === undefined)
    throw new Fault('tree', 'the task was moved away while it was checked', { fix: 'Step again' });
  const from = ws.disk.stat(log)?.bytes ?? 0;
  const mark = ws.machine.nonce();
  const env = checkEnvironment(running, workdir, mark, isCheck ? [] : FETCH_VARIABLES);
  const caches = isCheck ? [] : cacheFolders(ws.env).filter((one) => kindOf(one) === 'folder');
  const closed = networkClosed(ws, running.contract, isCheck ? 'check' : 'setup');
  const confined = confine(
    ws,
    running.contract,
    { kind: 'check', root: workdir.root, permissions: READ_ONLY, writes: caches, closed },
    { argv: ['sh', '-c', command], env, cwd: workdir.root, starts: [], mark },
  );
  try {
    const gated = ws.room.start(
      { ...startOf(ws, confined, mark), stdin: 'null', log, timeout_ms },
      { signal: running.signal },
    );
    const role = `${what}: ${command}`;
    if (place !== undefined)
      recordStart(running, gated, { role, adapter: 'check', mark, timeout_ms, file: 'check.md' });
    gated.open();
    const exit = await gated.done;
    const broken = exit.code === 1 ? confined.broken() : undefined;
    if (broken !== undefined) throw broken;
    if (exit.reason === 'failed_to_start') {
      throw notStarted(`check \`${command}\` could not be started: ${exit.error ?? ''}`);
    }
    const isMissing = exit.reason === 'exited' && exit.code === 127;
    const missing = isMissing ? missingFor(command, env['PATH'], workdir.root) : undefined;
    if (missing !== undefined) throw missing;
    const output = tail(running, log, from);
    const passed = exit.reason === 'exited' && exit.code === 0;
    const fault = closed && !passed && networkFault(command, output, closed);
    if (fault) throw fault;
    return {
      check: `${what}: ${command}`,
      passed,
      exit_code: exit.code,
      at,
      ms: Math.round(exit.duration_ms),
      reason:
        passed && ignored.length > 0
          ? `with files that git ignores: ${ignored.join(', ')}`
          : describe(exit, timeout_ms),
      output,
    };
  } finally {
    confined.end();
  }
}

function describe({ reason, code, signal }: Exit, timeout_ms: number): string {
  if (reason === 'timed_out') return `timed out after ${timeout_ms / 1000} s`;
  if (reason !== 'exited') return reason.replace('_', ' ');
  if (code === 0) return 'passed';
  if (code === 126) return 'exit 126: what it calls cannot be executed';
  if (code === 127) return 'exit 127: a program that it calls is missing';
  return signal === null ? `exit ${code ?? 'unknown'}` : `killed by ${signal}`;
}

function checkEnvironment(
  running: Running,
  workdir: Workdir,
  mark: string,
  env_names: readonly string[],
): Record<string, string> {
  const { ws, id, number, owner } = running;
  const env = agentEnvironment(
    {
      task: id,
      attempt: number,
      kind: running.kind,
      agent: owner.agent,
      root: workdir.root,
      workspace: ws.layout.root,
      desk: '',
      brief_file: '',
      permissions: READ_ONLY,
      env_names,
    },
    ws.env,
    mark,
  );
  // A check has no desk.
  delete env['CONTRACTS_OUT'];
  delete env['CONTRACTS_BRIEF'];
  if (workdir.worktree === undefined) return env;
  const main = realOf(repositoryOf(ws).top) ?? ws.layout.root;
  return { ...env, PATH: pathOutside(ws, main, env['PATH']) };
}

function tail(running: Running, log: string, from: number): string {
  const found = running.ws.disk.stat(log);
  if (found === undefined || found.bytes <= from || found.bytes > OUTPUT_BYTES_MAX) return '';
  const read = readOr(running, log, OUTPUT_BYTES_MAX);
  if ('why' in read) return '';
  const bytes = read.bytes.subarray(from).subarray(-OUTPUT_SHOWN_BYTES);
  return new TextDecoder().decode(bytes).replaceAll('\0', '');
}
