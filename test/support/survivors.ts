/**
 * Processes that a test started and did not end. All of them know the folder of their test file: it is in their working
 * directory, environment or command line, for one that left its parents behind too. Where there is no /proc, none is found.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;

interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** Another text for each child that this process has reaped. */
export function reaped(): string {
  return statOf('self', 11);
}

/** True for a child that nothing waits for, too. */
export function hasChildren(): boolean {
  const childrenOf = (task: string): string => textOf(`/proc/self/task/${task}/children`);
  return namesIn('/proc/self/task').some((task) => childrenOf(task) !== '');
}

/** Seconds since the machine started, as the start of a process is given. */
export const uptime_s = (): number => Number(textOf('/proc/uptime').split(' ')[0]);

/** Those that started after `since_s`: a file may start some for all of its tests. */
export function survivors(folder: string, since_s: number): readonly Survivor[] {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => knows(pid, folder) && startOf_s(pid) > since_s)
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
    .filter(({ command }) => command !== '');
}

/** Throws with their names after `patience_ms`, and ends them, so that only the test that left them fails. */
export async function noSurvivors(
  folder: string,
  since_s: number,
  patience_ms: number,
): Promise<void> {
  const end = performance.now() + patience_ms;
  let left = survivors(folder, since_s);
  while ((left.length > 0 || hides(folder, since_s)) && performance.now() < end) {
    await pause(LOOK_MS);
    left = survivors(folder, since_s);
  }
  if (left.length === 0) return;
  for (const { pid } of left) endOf(pid);
  throw new Error(
    `still running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`,
  );
}

/** Looks again where none was found: one that became another program meanwhile was not seen. */
const hides = (folder: string, since_s: number): boolean =>
  someBegin(since_s) || survivors(folder, since_s).length > 0;

/**
 * True while a process becomes another program: for that moment it has neither words nor an environment, and what it
 * knows is not seen. A zombie has none either, nor have the kernel's own, whose parent is 0 or 2.
 */
function someBegin(since_s: number): boolean {
  return namesIn('/proc').some(
    (name) =>
      /^\d+$/.test(name) &&
      startOf_s(name) > since_s &&
      commandOf(name) === '' &&
      !/^[ZX]?$/.test(statOf(name, 3)) &&
      !/^[02]$/.test(statOf(name, 4)),
  );
}

function knows(pid: string, folder: string): boolean {
  const at = `/proc/${pid}`;
  return (
    `${linkOf(`${at}/cwd`)}/`.startsWith(`${folder}/`) ||
    ['environ', 'cmdline'].some((name) => textOf(`${at}/${name}`).includes(`${folder}/`))
  );
}

/** Empty for a zombie, whose parent has not asked for its end yet. */
const commandOf = (pid: string): string =>
  textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** A field of proc_pid_stat(5); the second is a name, in which anything may stand. */
function statOf(pid: string, field: number): string {
  return textOf(`/proc/${pid}/stat`).replace(/.*\) /, '').split(' ')[field - 3] ?? '';
}

/** In ticks, a hundred a second. */
const startOf_s = (pid: string): number => Number(statOf(pid, 22)) / 100;

function endOf(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function orEmpty<T>(read: () => T, empty: T): T {
  try {
    return read();
  } catch {
    return empty;
  }
}
const namesIn = (path: string) => orEmpty(() => readdirSync(path), []);
const textOf = (path: string) => orEmpty(() => readFileSync(path, 'utf8'), '');
const linkOf = (path: string) => orEmpty(() => readlinkSync(path), '');
