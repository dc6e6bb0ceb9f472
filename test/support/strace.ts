/**
 * The real binary under strace: which system calls of a run touch the workspace, and the same run
 * with one of them refused, or with a SIGKILL at its entry. The runner's own thread only (no -f), so
 * that the agent lives on as after a real kill. Order by number holds for the synchronous calls of
 * the store; what was really hit is read from strace's own log.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { BINARY } from './binary.ts';
import { sealedFolder } from './sealed-folder.ts';

/** Words for a person when strace cannot be used here; undefined when it can. */
export function straceMissing(): string | undefined {
  const log = join(sealedFolder('probe'), 'log');
  const probe = spawnSync('strace', ['-o', log, 'true'], { encoding: 'utf8' });
  if (probe.error !== undefined) return 'strace is not installed';
  return probe.status === 0 ? undefined : `strace may not trace here: ${probe.stderr.trim()}`;
}

const CHANGING =
  'rename renameat renameat2 mkdir mkdirat unlink unlinkat rmdir fsync fdatasync write pwrite64'.split(
    ' ',
  );
const LOOKING = 'openat read pread64 close statx stat lstat newfstatat fstat getdents64'.split(' ');

export interface Call {
  readonly syscall: string;
  /** From 1, among all calls of that name. */
  readonly nth: number;
  readonly line: string;
  /** Whether it changes the disk, or makes a change durable. */
  readonly changes: boolean;
}

export interface Hit {
  /** 128 and more for a signal. */
  readonly code: number;
  readonly stderr: string;
  /** The line that strace marked, when the call was in the workspace. */
  readonly met: string | undefined;
}

/** All calls of a step in this workspace that touch it, in order. The step is really done. */
export function callsOf(root: string): Call[] {
  const log = `${root}.strace`;
  const names = [...CHANGING, ...LOOKING].map((name) => `?${name}`).join(',');
  strace(root, log, ['-e', `trace=${names}`]);
  const seen = new Map<string, number>();
  const calls: Call[] = [];
  for (const line of fs.readFileSync(log, 'utf8').split('\n')) {
    const syscall = /^(\w+)\(/.exec(line)?.[1];
    if (syscall === undefined) continue;
    const nth = (seen.get(syscall) ?? 0) + 1;
    seen.set(syscall, nth);
    if (!line.includes(root)) continue;
    const changes = CHANGING.includes(syscall) || line.includes('O_CREAT');
    calls.push({ syscall, nth, line, changes });
  }
  fs.rmSync(log);
  return calls;
}

/** `how` is what strace calls it: `signal=KILL`, `error=EIO`. */
export function stepWith(root: string, call: Call, how: string): Hit {
  const log = `${root}.strace`;
  const inject = `inject=${call.syscall}:${how}:when=${call.nth}`;
  const ended = strace(root, log, ['-e', `trace=${call.syscall}`, '-e', inject]);
  const lines = fs
    .readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  fs.rmSync(log);
  const marked = how.startsWith('signal')
    ? lines.findLast((line) => line.startsWith(call.syscall))
    : lines.find((line) => line.includes('(INJECTED)'));
  const met = marked?.includes(root) === true ? marked : undefined;
  return { code: ended.status ?? 137, stderr: ended.stderr, met };
}

function strace(
  root: string,
  log: string,
  options: readonly string[],
): { status: number | null; stderr: string } {
  // An error that hits a pipe of Node itself stops it for ever, and strace heeds no SIGTERM: the whole group is killed.
  const argv = ['strace', '-y', '-s', '300', '-o', log, ...options];
  const step = [process.execPath, BINARY, 'step', '--dir', root];
  return spawnSync('timeout', ['-s', 'KILL', '60', ...argv, ...step], { encoding: 'utf8' });
}
