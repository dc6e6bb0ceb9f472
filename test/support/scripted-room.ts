/**
 * MOCK of the process room: programs are functions of the test, called at the moment when the gate
 * opens, in the order in which gates open. Writes the exit record as the real wrapper would. The
 * real room has tests of its own, and the real-process tests run the whole thing with it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import type { Exit, Gated, ProcessRoom, Spawn } from '../../src/process/process-room.ts';
import type { Machine } from '../../src/process/machine.ts';

export interface ScriptedCall {
  readonly spawn: Spawn;
  readonly task: string;
  readonly attempt: number;
  /** 'work', 'review' or 'ask' for an agent, 'check' for a verification command. */
  readonly kind: 'work' | 'review' | 'ask' | 'check';
  /** The desk; empty for a check. */
  readonly desk: string;
  /** The command line of a check. */
  readonly command: string;
}

/** Gives the exit code, or a partial Exit. It may write files, as a program would. */
export type Script = (
  call: ScriptedCall,
) => number | Partial<Exit> | Promise<number | Partial<Exit>>;

export interface ScriptedRoom extends ProcessRoom {
  /** Gates that opened, in order. */
  readonly opened: readonly ScriptedCall[];
}

export function scriptedRoom(machine: Machine, script: Script): ScriptedRoom {
  const opened: ScriptedCall[] = [];
  return {
    opened,
    start(spawn, hooks): Gated {
      const call = describeCall(spawn);
      let settle: (exit: Exit) => void = () => undefined;
      let fail: (error: unknown) => void = () => undefined;
      const done = new Promise<Exit>((resolve, reject) => {
        [settle, fail] = [resolve, reject];
      });
      const end = (exit: Partial<Exit>): void => {
        hooks?.signal?.removeEventListener('abort', cancel);
        settle({
          code: 0,
          signal: null,
          reason: 'exited',
          left_behind: 0,
          output_bytes: 0,
          duration_ms: 1,
          ...exit,
        });
      };
      const cancel = (): void => end({ code: null, reason: 'cancelled' });
      return {
        started: true,
        process: { ...machine.self(), pid: 1_000_000 + opened.length, start: 'scripted' },
        open: () => {
          if (hooks?.signal?.aborted === true) return cancel();
          opened.push(call);
          hooks?.signal?.addEventListener('abort', cancel);
          // Where a script throws, its test fails; without this it would wait for ever.
          runScript(script, call, end).catch(fail);
        },
        abandon: cancel,
        cancel,
        done,
      };
    },
  };
}

async function runScript(
  script: Script,
  call: ScriptedCall,
  end: (exit: Partial<Exit>) => void,
): Promise<void> {
  const said = await script(call);
  const exit: Partial<Exit> = typeof said === 'number' ? { code: said } : said;
  const file = call.spawn.exit_file;
  if (file !== undefined && exit.code !== null && (exit.reason ?? 'exited') === 'exited') {
    try {
      writeFileSync(
        `${file}.tmp`,
        `---\nexit_code: ${exit.code ?? 0}\nended: 2026-11-21T12:00:00Z\n---\n`,
      );
      renameSync(`${file}.tmp`, file);
    } catch {
      // The desk was fenced away: the wrapper's record has nowhere to go, and nobody reads it.
    }
  }
  end(exit);
}

export function describeCall(spawn: Spawn): ScriptedCall {
  const { env } = spawn;
  const desk = env['CONTRACTS_OUT'] ?? '';
  return {
    spawn,
    task: env['CONTRACTS_TASK'] ?? '',
    attempt: Number(env['CONTRACTS_ATTEMPT']),
    kind: desk === '' ? 'check' : ((env['CONTRACTS_KIND'] ?? 'work') as ScriptedCall['kind']),
    desk,
    command: desk === '' ? (spawn.argv[2] ?? '') : '',
  };
}
