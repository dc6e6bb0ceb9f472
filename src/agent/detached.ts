/** Starts a program that nobody waits for: notifications. Its output and its failure are dropped. */
import { spawn } from 'node:child_process';

export function runDetached(argv: readonly string[], cwd: string): void {
  const [program, ...args] = argv;
  if (program === undefined) return;
  const child = spawn(program, args, { cwd, detached: true, stdio: 'ignore' });
  child.on('error', () => {
    // A bell that does not ring stops no work.
  });
  child.unref();
}
