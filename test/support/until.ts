/**
 * The only wait of tests: for what a process, a file or a screen comes to. The limit ends a run that hangs and decides
 * nothing else: it is a multiple of the time that a program takes to start here and now.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const LEAST_MS = 120_000;
const STARTS = 2_500;

/** How long a wait may take as the machine is now, in ms. */
export function limitNow_ms(): number {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return Math.max(LEAST_MS, Math.ceil(STARTS * (performance.now() - began)));
}

type Look<T> = () => T | undefined | false;

/** What `look` gives once it is something else than undefined or false. `what` and `seen` go into the error. */
export async function until<T>(
  what: string | Look<T>,
  look: Look<T> = what as Look<T>,
  seen: () => string = () => '',
): Promise<T> {
  const began = performance.now();
  const isOver = (limit_ms: number): boolean => performance.now() - began > limit_ms;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    // Measured before the run, and once more, because the machine may have become slower.
    if (isOver(Number(process.env['CONTRACTS_TEST_LIMIT_MS'])) && isOver(limitNow_ms())) {
      throw new Error(`waited in vain: ${String(what)}\n${seen()}`);
    }
    await pause(LOOK_MS);
  }
}
