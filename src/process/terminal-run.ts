/** Runs a program in this terminal, in our process group: Ctrl-C reaches it and the caller. */
import type { Environment } from './adapter.ts';
import { constants } from 'node:os';
import { spawn } from './child-process.ts';

/** Always resolves. `why` is empty when it ended well, `code` is a shell's, missing where nothing was started; `input` is its stdin in place of the keyboard. */
export function runInTerminal(
  argv: readonly string[],
  { cwd, env, input }: { readonly cwd: string; readonly env: Environment; readonly input?: string },
): Promise<{ readonly why: string; readonly code?: number }> {
  const [program = '', ...args] = argv;
  return new Promise((done) => {
    const from = input === undefined ? 'inherit' : 'pipe';
    const stdio = [from, 'inherit', 'inherit'] as const;
    const child = spawn(program, args, { cwd, env: { ...env }, stdio });
    // A pager that is left early reads no more.
    child.stdin?.on('error', () => undefined).end(input);
    child.once('error', (error) => done({ why: `cannot be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      if (signal !== null)
        done({ why: `was ended by ${signal}`, code: 128 + constants.signals[signal] });
      else if (code !== null) done({ why: code === 0 ? '' : `ended with code ${code}`, code });
    });
  });
}
