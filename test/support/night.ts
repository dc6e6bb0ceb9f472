/**
 * The part of a long proof that one night plays: one in n, beginning at another place each night, so
 * that n nights in a row play all. NIGHT_SEED, which is printed, repeats a night; CRASH_EVERY=1 (and
 * STRACE_EVERY=1 for system calls) is everything, and another number a smaller or larger part.
 */
import { everyNth } from './share.ts';

const DAY_MS = 86_400_000;
export const NIGHT = Number(process.env['NIGHT_SEED'] ?? Math.floor(Date.now() / DAY_MS));

type Override = 'CRASH_EVERY' | 'STRACE_EVERY';

/** `shift`: for parts of one proof that should not begin at the same place. */
export function partOfNight<T>(
  all: readonly T[],
  n: number,
  by: Override = 'CRASH_EVERY',
  shift = 0,
): T[] {
  return everyNth(all, every(n, by), NIGHT + shift);
}

/** For the name of a test: a failure says how to play it again. */
export function sayNight(n: number, by: Override = 'CRASH_EVERY'): string {
  return `one in ${every(n, by)}, NIGHT_SEED=${NIGHT}`;
}

const every = (n: number, by: Override): number => Number(process.env[by] ?? n);
