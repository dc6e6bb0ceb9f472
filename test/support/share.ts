/**
 * The share of a long proof that one run plays: each n-th of its points, beginning at a place that the
 * commit chooses, so that commits one after another play all of them. SHARE=NUMBER, which the names of
 * such tests print, plays a share again; IN_FULL=1, which the nightly set gives, plays everything.
 */
import { spawnSync } from 'node:child_process';
import picomatch from 'picomatch';
import { IN_PART } from './sets.ts';

/** Whether all points, all runs of a property and the largest inputs are played, as at night. */
export const IN_FULL = process.env['IN_FULL'] === '1';

/** How long a text is that means harm: at night as long as any that is read. */
export const LONG_BYTES = (IN_FULL ? 256 : 64) * 1024;

const SHARE = IN_FULL ? 0 : Number(process.env['SHARE'] || 0);
if (!Number.isInteger(SHARE)) throw new Error(`SHARE is no whole number: ${process.env['SHARE']}`);

/** A number from the commit's hash, for all files of a run; 0 where git knows none. */
export function ofCommit(): number {
  const ran = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return ran.status === 0 ? Number.parseInt(ran.stdout.slice(0, 6), 16) : 0;
}

/** `shift`: for parts of one proof that should not begin at the same place. */
export function share<T>(points: readonly T[], n: number, shift = 0): T[] {
  return IN_FULL ? [...points] : everyNth(points, n, SHARE + shift);
}

/** Whether the nth point is in the share: for points that are no list. */
export const isInShare = (point: number, n: number, commit = SHARE): boolean =>
  IN_FULL || (point + commit) % n === 0;

/**
 * Whether a run plays this test of a file of IN_PART. `id`: vitest's, whose numbers after the first are the
 * places of its describes and its own: what two describes have alike is played in one of them. Each file
 * begins elsewhere.
 */
export function isPlayed(file: string, id: string, commit?: number): boolean {
  if (IS_UPDATE) return true;
  const n = IN_PART.find(([pattern]) => picomatch.isMatch(file, pattern))?.[1] ?? 1;
  const places = id.split('_').slice(1).map(Number);
  const begin = [...file].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return isInShare(
    places.reduce((sum, place) => sum + place, begin),
    n,
    commit,
  );
}

/** Expected files are written anew by tests that play, so that all must. */
const IS_UPDATE = Object.keys(process.env).some((name) => name.startsWith('UPDATE_'));

/** For the name of a test: what is left out, and how a failure is played again. */
export const sayShare = (n: number): string => (IN_FULL ? 'all' : `one in ${n}, SHARE=${SHARE}`);

export function everyNth<T>(all: readonly T[], n: number, offset = 0): T[] {
  return all.filter((_, i) => i % n === offset % n);
}
