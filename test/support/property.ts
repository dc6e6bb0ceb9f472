/**
 * fast-check, as all tests use it. A property says how often it runs in full, at night; everybody's run
 * plays at most a hundred of these with a seed that never changes, so that what failed fails again.
 * At night the seed is another each time, and is printed; PROPERTY_SEED repeats it.
 */
import * as check from 'fast-check';
import { IN_FULL } from './share.ts';

const RUNS = 100;
const SEED = Number(process.env['PROPERTY_SEED'] ?? (IN_FULL ? Date.now() % 2 ** 31 : 1));
if (IN_FULL) console.log(`PROPERTY_SEED=${SEED}`);

export * from 'fast-check';

export function assert<T>(property: check.IProperty<T>, told?: check.Parameters<T>): void;
export function assert<T>(
  property: check.IAsyncProperty<T>,
  told?: check.Parameters<T>,
): Promise<void>;
export function assert<T>(
  property: check.IRawProperty<T>,
  told: check.Parameters<T> = {},
): Promise<void> | void {
  const numRuns = runsOf(told.numRuns, told.examples?.length);
  return check.assert(property as check.IProperty<T>, { seed: SEED, ...told, numRuns });
}

/** More runs than this have met what a property is about: at night so many, else none. */
export const met = (full: number): number => (IN_FULL ? full : 0);

/** How often a property runs here that runs so often in full; its examples are always played. */
export function runsOf(full = RUNS, examples = 0): number {
  return IN_FULL ? full : Math.max(Math.min(full, RUNS), examples);
}
