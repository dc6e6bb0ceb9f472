/**
 * Runs a program in this very terminal, with our own streams, and waits for it. It stands in our
 * process group, so that Ctrl-C reaches it: whoever calls does not end by that. Knows no task; a
 * program that cannot be started is told, not thrown.
 */
import type { Environment } from './adapter.ts';
import { spawn } from './child-process.ts';

/** `why` is empty when it ended well. */
export interface TerminalEnd {
  readonly why: string;
}

/** Always resolves. */
export function runInTerminal(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<TerminalEnd> {
  const [program = '', ...args] = argv;
  return new Promise((done) => {
    const stdio = ['inherit', 'inherit', 'inherit'] as const;
    const child = spawn(program, args, { cwd, env: { ...env }, stdio });
    child.once('error', (error) => done({ why: `cannot be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      if (signal !== null) done({ why: `was ended by ${signal}` });
      else done({ why: code === 0 ? '' : `ended with code ${code}` });
    });
  });
}
