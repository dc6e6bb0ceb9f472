/**
 * The processes of the system, from /proc (Linux) or `ps` (macOS). A process that is gone is
 * undefined; an unreadable table (EMFILE) is a Fault, because "could not look" is not "dead".
 */
import { closeSync, existsSync, openSync, readFileSync, readdirSync, readSync } from 'node:fs';
import { Fault } from '../task/core/model/problem.ts';
import { execFileSync } from './child-process.ts';

export const MARK_NAME = 'CONTRACTS_MARK';

export interface ProcessRow {
  readonly pid: number;
  /** As in ps; Z and X have ended and are not reaped yet. */
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Opaque and comparable for equality: clock ticks since boot (Linux) or a UTC date (ps). */
  readonly start: string;
  /** A thread of the kernel, not a program. */
  readonly kernel: boolean;
}

export type Mark = 'carried' | 'absent' | 'unsettled';

/** PF_KTHREAD in the flags of /proc/<pid>/stat. */
const KERNEL_THREAD = 0x00200000;
let procIsThere: boolean | undefined;

export function hasProc(): boolean {
  procIsThere ??= existsSync('/proc/self/stat');
  return procIsThere;
}

export function hasEnded(row: ProcessRow): boolean {
  return row.state === 'Z' || row.state === 'X' || row.state === 'x';
}

/** The row of a process, even of an ended one; undefined when there is none, or it is hidden. */
export function processRow(pid: number): ProcessRow | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (hasProc()) return statRow(pid);
  return psRows(['-p', String(pid)])[0];
}

/** The numbers of all that we can see. Empty without /proc. */
export function processNumbers(): number[] {
  if (!hasProc()) return [];
  return readdirSync('/proc').flatMap((name) => (/^[1-9]\d*$/.test(name) ? Number(name) : []));
}

/** Rows that we can see, in no order, without processes that end in the meantime, and without `except`. */
export function processRows(except?: ReadonlySet<number>): ProcessRow[] {
  if (!hasProc()) return psRows(['-A']);
  const rows: ProcessRow[] = [];
  for (const pid of processNumbers()) {
    const row = except?.has(pid) === true ? undefined : statRow(pid);
    if (row !== undefined && !row.kernel) rows.push(row);
  }
  return rows;
}

/** `unsettled`: it is between fork and exec, or its environment is empty; a later look may show more. */
export function markOf(pid: number, mark: string): Mark {
  if (mark === '') return 'absent';
  const environment = unlessGone(`/proc/${pid}/environ`, (file) => readFileSync(file, 'latin1'));
  if (environment === undefined) return 'absent';
  if (environment === '') return 'unsettled';
  return environment.split('\0').includes(`${MARK_NAME}=${mark}`) ? 'carried' : 'absent';
}

/** Without /proc: pids whose `ps` line shows the mark. Empty when ps cannot show it. */
export function markedByPs(mark: string): number[] {
  return outputLines('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='])
    .filter((line) => line.split(/\s+/).includes(`${MARK_NAME}=${mark}`))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 0);
}

/** True when a signal could be sent or was only forbidden: works where /proc hides other users. */
export function answersSignals(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The output of a small system program; none when it is missing or fails. */
export function outputLines(program: string, args: readonly string[]): string[] {
  try {
    const text = execFileSync(program, [...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 10_000,
    });
    return text
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch {
    return [];
  }
}

function statRow(pid: number): ProcessRow | undefined {
  const text = unlessGone(`/proc/${pid}/stat`, readStat);
  if (text === undefined) return undefined;
  // The name may hold spaces and brackets, so fields are counted after the last ")": state is 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  const [state, start] = [fields[0], fields[19]];
  if (state === undefined || start === undefined) return undefined;
  const kernel = (Number(fields[6]) & KERNEL_THREAD) !== 0;
  return { pid, state, group: Number(fields[2]), session: Number(fields[3]), start, kernel };
}

/** One line of numbers and a name of 64 bytes at most, read whole. Hundreds are read. */
const STAT_BYTES_MAX = 4096;
let line: Buffer | undefined;

function readStat(file: string): string {
  line ??= Buffer.allocUnsafe(STAT_BYTES_MAX);
  const fd = openSync(file, 'r');
  try {
    return line.toString('latin1', 0, readSync(fd, line, 0, STAT_BYTES_MAX, null));
  } finally {
    closeSync(fd);
  }
}

function psRows(select: readonly string[]): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of outputLines('ps', [...select, '-o', 'pid=,pgid=,stat=,lstart='])) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S)\S*\s+(.*\S)\s*$/.exec(line);
    if (match === null) continue;
    const [, pid, group, state = '', start = ''] = match;
    rows.push({ pid: Number(pid), group: Number(group), session: 0, state, start, kernel: false });
  }
  return rows;
}

/** undefined when it is gone or another user's: not ours. A machine without file handles is a fault. */
function unlessGone(file: string, read: (file: string) => string): string | undefined {
  try {
    return read(file);
  } catch (cause) {
    const code = codeOf(cause);
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return undefined;
    const fix = 'Free file handles or memory on this machine, then run again';
    throw new Fault('program', `${file} cannot be read (${code})`, { cause, fix });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
