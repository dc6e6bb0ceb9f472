/**
 * MOCK of the process room: runs the same program with the same argv, input, environment and
 * folder, but to its end, at the moment when its gate opens, while everything else stands still. So
 * the death of a runner leaves no process behind. It knows no time-out that a case would wait for,
 * and stops nobody.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { GATE_SHELL } from '../../src/process/gate.ts';
import type { Machine } from '../../src/process/machine.ts';
import { lineReader, openLog } from '../../src/process/log-tail.ts';
import { MARK_NAME } from '../../src/process/process-table.ts';
import { openText, type Exit, type Gated } from '../../src/process/process-room.ts';
import type { ProcessRoom, Spawn } from '../../src/process/process-room.ts';
import type { Written } from './crash-tree.ts';
import { Died } from './faulty-disk.ts';
import { describeCall, type ScriptedCall } from './scripted-room.ts';

/** Nothing that is played takes so long; a program that hangs is an error of the case. */
const HANGS_MS = 20_000;
/** What an agent hands in. */
const HANDED = ['status.md', 'questions.md', 'result.md', 'review.md'];

export interface Ledger {
  readonly calls: ScriptedCall[];
  /** What agents left on their desks: must be found again at the end. */
  readonly written: Written[];
}

export interface SyncRoomOptions {
  readonly machine: Machine;
  readonly ledger: Ledger;
  /** The number that the program is told; a crash uses up numbers, and agents of cases count by it. */
  readonly toldNumber: (call: ScriptedCall) => number;
  readonly isDead: () => boolean;
}

export function syncRoom(options: SyncRoomOptions): ProcessRoom {
  const { machine, ledger } = options;
  return {
    start(spawn, hooks = {}): Gated {
      const call = describeCall(spawn);
      const log = openLog(spawn.log);
      let settle: (exit: Exit) => void = () => undefined;
      const done = new Promise<Exit>((resolve) => {
        settle = resolve;
      });
      let ended = false;
      const end = (exit: Partial<Exit>): void => {
        if (ended) return;
        ended = true;
        if (hooks.onLine !== undefined) lineReader(log, hooks.onLine).end();
        closeSync(log.fd);
        settle({ ...NOTHING, ...exit });
      };
      const shut = (): void => end({ reason: 'cancelled' });
      const open = (): void => {
        if (options.isDead()) throw new Died();
        if (hooks.signal?.aborted === true) return shut();
        const number = options.toldNumber(call);
        ledger.calls.push(call);
        const code = run(spawn, log.fd, number);
        record(spawn, code, machine.now());
        if (call.desk !== '') ledger.written.push(...handedIn(call));
        end({ code, output_bytes: 0 });
      };
      const pid = 1_000_000 + ledger.calls.length;
      const process = { ...machine.self(), pid, start: 'at once' };
      return { started: true, process, open, abandon: shut, cancel: shut, done };
    },
  };
}

const NOTHING: Exit = {
  code: null,
  signal: null,
  reason: 'exited',
  left_behind: 0,
  output_bytes: 0,
  duration_ms: 1,
};

/** The shell of the real gate, already open. */
function run(spawn: Spawn, log: number, number: number): number {
  // As in the real room no pipe: who does not read its input would break it.
  const stdin = spawn.stdin === 'null' ? 'ignore' : openText(spawn.stdin.text);
  const told =
    spawn.env['CONTRACTS_ATTEMPT'] === undefined
      ? {}
      : { CONTRACTS_ATTEMPT: String(number).padStart(4, '0') };
  const ended = spawnSync(
    GATE_SHELL,
    ['-c', '(exec "$@" 8>/dev/null)', 'contracts-gate', ...spawn.argv],
    {
      cwd: spawn.cwd,
      env: { ...spawn.env, ...told, [MARK_NAME]: spawn.mark },
      stdio: [stdin, log, log],
      timeout: HANGS_MS,
      killSignal: 'SIGKILL',
    },
  );
  if (stdin !== 'ignore') closeSync(stdin);
  if (ended.error !== undefined) throw ended.error;
  const { status, signal } = ended;
  return status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function record(spawn: Spawn, code: number, ended: Date): void {
  const file = spawn.exit_file;
  if (file === undefined) return;
  try {
    writeFileSync(`${file}.tmp`, `---\nexit_code: ${code}\nended: ${ended.toISOString()}\n---\n`);
    renameSync(`${file}.tmp`, file);
  } catch {
    // The desk is gone: the wrapper's record has nowhere to go, and nobody reads it.
  }
}

function handedIn({ task, desk }: ScriptedCall): Written[] {
  return HANDED.map((name) => join(desk, name)).flatMap((path) =>
    existsSync(path) ? [{ task, text: readFileSync(path, 'utf8') }] : [],
  );
}
