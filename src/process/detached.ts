/** Starts a notification; a small sh kills it after its time, even without the runner. */
import { spawn } from './child-process.ts';
import { GATE_SHELL } from './gate.ts';

export interface Detached {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** PATH of the program alone, where that of `env` is for what starts it. */
  readonly path?: string | undefined;
  readonly timeout_seconds: number;
}

/**
 * $1 is the time in seconds, $2 the PATH of the program, which is the rest. The shell leads a group ($$ also within the
 * brackets), which is killed whole; a program that ends takes the timer with it, by KILL, since a
 * newly forked sleep would still catch a TERM. argv is never interpolated.
 */
const SCRIPT = `seconds=$1 path=$2
shift 2
(trap 'kill -KILL $!; exit' TERM; sleep "$seconds" & wait; kill -KILL -$$) &
timer=$!
PATH=$path "$@"
kill "$timer"
`;

export function runDetached({ argv, cwd, env, path, timeout_seconds }: Detached): void {
  if (argv.length === 0) return;
  try {
    const own = path ?? env['PATH'] ?? '';
    const args = ['-c', SCRIPT, 'contracts-notify', String(timeout_seconds), own, ...argv];
    const stdio = ['ignore', 'ignore', 'ignore'] as const;
    const child = spawn(GATE_SHELL, args, { cwd, env, detached: true, stdio });
    child.on('error', () => {
      // A failed notification stops no work.
    });
    child.unref();
  } catch {
    // Nor does one that cannot be started: an argument with a NUL.
  }
}
