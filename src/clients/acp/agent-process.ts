/**
 * The agent's own process, in our process group, so that whoever ends the group ends both. Its stderr goes on to
 * ours line by line, marked, so that nothing there can pass for an event of the driver.
 */
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '../../process/child-process.ts';

const TERM_PATIENCE_MS = 1_000;

/** `noise` gets each line of its stderr. Throws what `spawn` throws. */
export function startAgent(argv: readonly string[], cwd: string, noise: (line: string) => void) {
  const [program = '', ...rest] = argv;
  const stdio = ['pipe', 'pipe', 'pipe'] as const;
  const child = spawn(program, rest, { cwd, stdio }) as ChildProcessWithoutNullStreams;
  // The connection reports a pipe whose reader is gone.
  child.stdin.on('error', () => undefined);
  const how = endOf(child);
  eachLine(child.stderr, noise);
  /** How it ended, in words; undefined when it still runs after that time. */
  const ended = (within_ms: number): Promise<string | undefined> =>
    Promise.race([how, pause(within_ms, undefined, { ref: false })]);
  return {
    input: Writable.toWeb(child.stdin),
    output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ended,
    /** Closes its stdin, then TERM, then KILL; resolves when it is gone, or cannot be ended. */
    close: async (patience_ms: number): Promise<void> => {
      child.stdin.end();
      if ((await ended(patience_ms)) !== undefined) return;
      child.kill('SIGTERM');
      if ((await ended(TERM_PATIENCE_MS)) !== undefined) return;
      child.kill('SIGKILL');
      await ended(TERM_PATIENCE_MS);
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not be started (${error.message})`));
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `ended with exit ${code ?? 0}` : `was ended by ${signal}`);
    });
  });
}

function eachLine(from: Readable, use: (line: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    // Of a line that does not end only the beginning is held.
    rest = (lines.pop() ?? '').slice(0, 65_536);
    for (const line of lines) use(line);
  });
  from.on('end', () => {
    if (rest !== '') use(rest);
  });
  from.on('error', () => undefined);
}
