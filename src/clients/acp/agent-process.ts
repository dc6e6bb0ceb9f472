/**
 * The agent's own process: started with pipes in our group, so that whoever ends the group ends both,
 * and asked to go when the talk is over. Its stderr goes on to ours, a line at a time, so that nothing
 * there can pass for an event of the driver.
 */
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '../../process/child-process.ts';

export interface AgentProcess {
  readonly input: WritableStream<Uint8Array>;
  readonly output: ReadableStream<Uint8Array>;
  /** How it ended, in words; undefined when it still runs after that time. */
  ended(within_ms: number): Promise<string | undefined>;
  /** Closes its stdin, then TERM, then KILL; resolves when it is gone, or cannot be ended. */
  close(patience_ms: number): Promise<void>;
}

const TERM_PATIENCE_MS = 1_000;

/** `noise` gets each line of its stderr. Throws what `spawn` throws. */
export function startAgent(
  argv: readonly string[],
  cwd: string,
  noise: (line: string) => void,
): AgentProcess {
  const [program = '', ...rest] = argv;
  const stdio = ['pipe', 'pipe', 'pipe'] as const;
  const child = spawn(program, rest, { cwd, stdio }) as ChildProcessWithoutNullStreams;
  // A pipe whose reader is gone: the connection says it.
  child.stdin.on('error', () => undefined);
  const how = endOf(child);
  tellLines(child.stderr, noise);
  const ended = (within_ms: number): Promise<string | undefined> =>
    Promise.race([how, pause(within_ms, undefined, { ref: false })]);
  return {
    input: Writable.toWeb(child.stdin),
    output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ended,
    close: async (patience_ms) => {
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

function tellLines(from: Readable, tell: (line: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    // A line that does not end is told in parts.
    rest = (lines.pop() ?? '').slice(0, 65_536);
    for (const line of lines) tell(line);
  });
  from.on('end', () => {
    if (rest !== '') tell(rest);
  });
  from.on('error', () => undefined);
}
