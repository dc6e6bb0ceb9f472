/**
 * Runs a program in this very terminal, with our own streams, and waits for it. It stands in our
 * process group, so that Ctrl-C reaches it: whoever calls does not end by that. Knows no task; a
 * program that cannot be started is told, not thrown.
 */
import { spawn } from './child.ts';

/** `why` is empty when it ended well. */
export interface TerminalEnd {
  readonly why: string;
}

/** Always resolves. */
export function runInTerminal(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<TerminalEnd> {
  const [program = '', ...args] = argv;
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    child.once('error', (error) => done({ why: `cannot be started: ${error.message}` }));
    child.once('exit', (code, signal) => {
      if (signal !== null) done({ why: `was ended by ${signal}` });
      else done({ why: code === 0 ? '' : `ended with code ${code}` });
    });
  });
}
