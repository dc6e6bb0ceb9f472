/**
 * Starts a program that nobody waits for: a notification. Knows no task. Its output and its failure
 * are dropped, and what keeps running is killed after its time, also when the runner has ended by
 * then: a small sh beside it holds the watch. Never throws.
 */
import { spawn } from './child-process.ts';
import { GATE_SHELL } from './gate.ts';

export interface Detached {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeout_seconds: number;
}

/**
 * $1 is the time in seconds, the rest is the program. The shell leads a group of its own ($$ also
 * within the brackets), so that the whole group can be killed; what ends by itself takes the watch
 * with it: by KILL, since a sleep that was only just forked would still catch a TERM. argv travels as
 * positional parameters and is never interpolated.
 */
const SCRIPT = `seconds=$1
shift
(trap 'kill -KILL $!; exit' TERM; sleep "$seconds" & wait; kill -KILL -$$) &
bell=$!
"$@"
kill "$bell"
`;

export function runDetached({ argv, cwd, env, timeout_seconds }: Detached): void {
  if (argv.length === 0) return;
  try {
    const args = ['-c', SCRIPT, 'contracts-bell', String(timeout_seconds), ...argv];
    const stdio = ['ignore', 'ignore', 'ignore'] as const;
    const child = spawn(GATE_SHELL, args, { cwd, env, detached: true, stdio });
    child.on('error', () => {
      // A bell that does not ring stops no work.
    });
    child.unref();
  } catch {
    // Nor does one that cannot be rung at all: an argument with a NUL.
  }
}
