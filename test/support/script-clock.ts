/**
 * The clock of a played case: time passes only where the script says so, so that what the runner prints and
 * records is the same on a busy machine. Programs are real; how long one ran is what the script says, too, or
 * what the program itself lets pass: a file in the folder `$PWD.clock` with so many seconds in it.
 * CONTRACTS_TEST_SLOW delays the end of each program by so many milliseconds, to show that.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { realMachine } from '../../src/process/machine.ts';
import { orNothing } from '../../src/process/path-kind.ts';
import { realProcessRoom, type ProcessRoom } from '../../src/process/process-room.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import type { Ports } from '../../src/workspace/open/workspace.ts';

export interface Clock {
  readonly ports: Pick<Ports, 'disk' | 'machine' | 'room' | 'sleep' | 'elapsed_ms'>;
  pass(ms: number): void;
  /** So long runs each program that starts from now on. */
  takes(ms: number): void;
}

const TAKES_MS = 100;
const SLOW_MS = Number(process.env['CONTRACTS_TEST_SLOW'] ?? 0);

export function scriptClock(root: string): Clock {
  const machine = realMachine();
  // Files have the times of the machine, so the script begins now.
  let now_ms = machine.now().getTime();
  /** For durations: what passes between two commands is none, even while a third one runs. */
  let worked_ms = 0;
  let takes_ms = TAKES_MS;
  const passed_ms = passedIn(`${root}.clock`);
  const room = timedRoom(realProcessRoom(machine), () => {
    const [began_ms, had_ms, ms, before_ms] = [now_ms, worked_ms, takes_ms, passed_ms()];
    return () => {
      now_ms = Math.max(now_ms, began_ms + ms);
      worked_ms = Math.max(worked_ms, had_ms + ms);
      return ms + passed_ms() - before_ms;
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
    ports: {
      disk: {
        ...realDisk,
        stat: (path) => {
          const found = realDisk.stat(path);
          return found && { ...found, ctime_ms: found.ctime_ms + passed_ms(found.ctime_ms) };
        },
      },
      // Two moments are never the same.
      machine: { ...machine, now: () => new Date(now_ms++ + passed_ms()) },
      room,
      sleep,
      elapsed_ms: () => worked_ms++ + passed_ms(),
    },
  };
}

/** What programs have let pass before that time of the machine's files. */
function passedIn(folder: string): (until_ms?: number) => number {
  return (until_ms = Infinity) => {
    const names = orNothing(() => readdirSync(folder)) ?? [];
    const past = names
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).ctimeMs < until_ms);
    return past.reduce((sum, path) => sum + Number(readFileSync(path, 'utf8')) * 1000, 0);
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
