/** A program of ours that runs tests, from within a test: it must not take itself for a part of this run. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Gives its exit code; what it prints is shown. */
export function runAlone(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): number | null {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const ran = spawnSync(process.execPath, args, {
    cwd: PROJECT,
    env: { ...Object.fromEntries(own), ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return ran.status;
}
