/**
 * The clock of a played case: time passes only where the script says so, so that what the runner prints and
 * records is the same on a busy machine. Programs are real; how long one ran is what the script says, too.
 * CONTRACTS_TEST_SLOW delays the end of each program by so many milliseconds, to show that.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { elapsedMs } from '../../src/process/elapsed.ts';
import { realMachine } from '../../src/process/machine.ts';
import { realProcessRoom, type ProcessRoom } from '../../src/process/process-room.ts';
import type { Ports } from '../../src/workspace/open/workspace.ts';

export interface Clock {
  readonly ports: Pick<Ports, 'machine' | 'room' | 'sleep' | 'elapsed_ms'>;
  pass(ms: number): void;
  /** So long runs each program that starts from now on. */
  takes(ms: number): void;
  /** From now on durations are the machine's: whether a file was written lately, only it can say. */
  run(): void;
}

const TAKES_MS = 100;
const SLOW_MS = Number(process.env['CONTRACTS_TEST_SLOW'] ?? 0);

export function scriptClock(): Clock {
  const machine = realMachine();
  // Files have the times of the machine, so the script begins now.
  let now_ms = machine.now().getTime();
  /** For durations: what passes between two commands is none, even while a third one runs. */
  let worked_ms = 0;
  let takes_ms = TAKES_MS;
  let runs_since: number | undefined;
  const room = timedRoom(realProcessRoom(machine), () => {
    const [began_ms, had_ms, ms] = [now_ms, worked_ms, takes_ms];
    return () => {
      now_ms = Math.max(now_ms, began_ms + ms);
      worked_ms = Math.max(worked_ms, had_ms + ms);
      return ms;
    };
  });
  const sleep = (ms: number): Promise<void> => {
    now_ms += ms;
    worked_ms += ms;
    return Promise.resolve();
  };
  return {
    pass: (ms) => {
      now_ms += ms;
    },
    takes: (ms) => {
      takes_ms = ms;
    },
    run: () => {
      runs_since ??= elapsedMs();
    },
    ports: {
      // Two moments are never the same.
      machine: { ...machine, now: () => new Date(now_ms++) },
      room,
      sleep,
      elapsed_ms: () => worked_ms++ + (runs_since === undefined ? 0 : elapsedMs() - runs_since),
    },
  };
}

/** `begin` is called when a program starts, and what it gives when it has ended: how long it ran. */
function timedRoom(real: ProcessRoom, begin: () => () => number): ProcessRoom {
  return {
    start: (spawn, hooks) => {
      const gated = real.start(spawn, hooks);
      const end = begin();
      return {
        started: gated.started,
        process: gated.process,
        open: () => gated.open(),
        abandon: () => gated.abandon(),
        cancel: (reason) => gated.cancel(reason),
        done: gated.done.then(async (exit) => {
          if (!gated.started) return exit;
          await delay(SLOW_MS);
          return { ...exit, duration_ms: end() };
        }),
      };
    },
  };
}
