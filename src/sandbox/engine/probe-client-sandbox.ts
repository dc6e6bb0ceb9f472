/**
 * Whether the sandbox of a client works here. Tried with a command, because a setting proves
 * nothing.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { execFileSync } from '../../process/child-process.ts';

const PROBE_TIMEOUT_MS = 20_000;
const PROBE = '(: >"$1") 2>/dev/null; echo ran';

/** `argv` runs a command in it; `file` is outside of all that it opens. */
export function ownSandboxHolds(
  argv: readonly string[],
  file: string,
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): boolean {
  const [program = '', ...args] = [...argv, '/bin/sh', '-c', PROBE, 'contracts-probe', file];
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const said = execFileSync(program, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PROBE_TIMEOUT_MS,
    });
    return said.toString() === 'ran\n' && !existsSync(file);
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}
