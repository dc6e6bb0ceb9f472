/**
 * Process identity across pid reuse, reboots, containers and hosts; clock and randomness. Never guesses:
 * another host or pid namespace is `elsewhere`, an unreadable process table is a Fault.
 */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type * as z from 'zod/mini';
import type { processRefSchema } from '../task/core/attempts/record.ts';
import { orNothing, textOf } from './path-kind.ts';
import { nonce } from './nonce.ts';
import { answersSignals, hasEnded, hasProc, outputLines, processRow } from './process-table.ts';

/** `start` is compared for equality. */
export type ProcessRef = Readonly<z.infer<ReturnType<typeof processRefSchema>>>;

export type Life = 'alive' | 'dead' | 'elsewhere';

export interface Machine {
  /** This process; the same value every time. */
  self(): ProcessRef;
  /** undefined when it is gone or a zombie. */
  identify(pid: number): ProcessRef | undefined;
  /** `elsewhere`: on another host or in another pid namespace, never judged by pid. */
  judge(ref: ProcessRef): Life;
  now(): Date;
  /** 32 hex digits. */
  nonce(): string;
  random(): number;
  /** Since its start; undefined when unknown. Not the wall clock on Linux. */
  ageSeconds(ref: ProcessRef): number | undefined;
}

type Place = Omit<ProcessRef, 'pid' | 'start'>;

/** USER_HZ: the unit of /proc, 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export function realMachine(): Machine {
  let place: Place | undefined;
  let self: ProcessRef | undefined;
  const here = (): Place => (place ??= readPlace());
  const identify = (pid: number): ProcessRef | undefined => {
    const row = processRow(pid);
    if (row === undefined || hasEnded(row)) return undefined;
    return { pid, start: row.start, ...here() };
  };
  const me = (): ProcessRef =>
    (self ??= identify(process.pid) ?? { pid: process.pid, start: '', ...here() });
  return {
    self: me,
    identify,
    judge: (ref) => judge(ref, here()),
    now: () => new Date(),
    nonce: () => nonce(),
    random: () => Math.random(),
    ageSeconds: (ref) => ageSeconds(ref, me()),
  };
}

function judge(ref: ProcessRef, here: Place): Life {
  if (ref.host !== here.host || ref.machine !== here.machine) return 'elsewhere';
  // A boot ends every process of a machine, in whatever namespace.
  if (ref.boot !== here.boot) return 'dead';
  if (ref.pid_ns !== here.pid_ns) return 'elsewhere';
  const row = processRow(ref.pid);
  // /proc may hide processes of other users; a signal still finds them.
  if (row === undefined) return answersSignals(ref.pid) ? 'alive' : 'dead';
  return !hasEnded(row) && row.start === ref.start ? 'alive' : 'dead';
}

/** From our own start and up-time: /proc/uptime may be a container's invention, and the wall clock jumps. */
function ageSeconds(ref: ProcessRef, self: ProcessRef): number | undefined {
  if (ref.host !== self.host || ref.machine !== self.machine || ref.boot !== self.boot) {
    return undefined;
  }
  if (!hasProc()) {
    const age = (Date.now() - Date.parse(`${ref.start} UTC`)) / 1000;
    return Number.isFinite(age) ? Math.max(0, age) : undefined;
  }
  if (!/^\d+$/.test(ref.start) || !/^\d+$/.test(self.start)) return undefined;
  const between = (Number(self.start) - Number(ref.start)) / TICKS_PER_SECOND;
  return Math.max(0, between + process.uptime());
}

/** Empty where this system does not have it. */
function readPlace(): Place {
  return {
    boot: bootId(),
    pid_ns: orNothing(() => readlinkSync('/proc/self/ns/pid')) ?? '',
    host: hostname(),
    machine: textOf('/etc/machine-id').trim(),
  };
}

function bootId(): string {
  const linux = textOf('/proc/sys/kernel/random/boot_id').trim();
  if (linux !== '') return linux;
  // macOS: the session id is fixed for a boot, while kern.boottime moves when the clock is set.
  for (const name of ['kern.bootsessionuuid', 'kern.boottime']) {
    const [line] = outputLines('sysctl', ['-n', name]);
    if (line !== undefined) return line.trim();
  }
  return '';
}
