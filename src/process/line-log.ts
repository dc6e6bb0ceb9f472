/** Logs of lines beside the workspace's own disk: one file a day, read by its user alone. */
import { appendFileSync, constants, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf, makeFolder, namesIn, orNothing } from './path-kind.ts';

/** Days whose lines are kept. */
const LOGS_MAX = 31;
const LOG = /^wrote-\d{4}-\d{2}-\d{2}\.log$/;
/** Bytes at the end of a log that are read. */
const READ_BYTES_MAX = 16 * 1024 * 1024;
/** A FIFO in place of a log keeps nobody waiting. */
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const APPEND = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK;

/** Names of the logs in a folder, the oldest first. */
export function logsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => LOG.test(name))
    .sort();
}

/** Size of a log in bytes; 0 where there is none. */
export function logBytes(file: string): number {
  return orNothing(() => statSync(file).size) ?? 0;
}

/** Logs that this process has written to. */
const begun = new Set<string>();

/** Appends to the log of a day. Each line begins with a newline, so that a torn one spoils no other. */
export function appendLines(folder: string, day: Date, lines: readonly string[]): void {
  const file = join(folder, `wrote-${day.toISOString().slice(0, 10)}.log`);
  if (!begun.has(file)) {
    makeFolder(folder);
    if (kindOf(file) === undefined)
      for (const old of logsIn(folder).slice(0, 1 - LOGS_MAX)) rmSync(join(folder, old));
    begun.add(file);
  }
  try {
    append(file, lines);
  } catch {
    // Its folder was removed since then.
    makeFolder(folder);
    append(file, lines);
  }
}

/** In one write: lines of other processes come before or after it. */
function append(file: string, lines: readonly string[]): void {
  appendFileSync(file, lines.map((line) => `\n${line}`).join(''), {
    mode: 0o600,
    flag: APPEND as never,
  });
}

/** Lines of a log from a number of bytes on; none where it cannot be read. */
export function linesFrom(file: string, from: number): readonly string[] {
  const bytes =
    orNothing(() => readFileSync(file, { flag: (O_RDONLY | O_NONBLOCK) as never })) ??
    Buffer.alloc(0);
  const start = Math.max(from, bytes.length - READ_BYTES_MAX);
  return bytes.subarray(start).toString('utf8').split('\n');
}
