/**
 * What a sandbox let a program write, as data that can be kept: of an agent whose runner died it is
 * known afterwards as well what it cannot have done. Pure.
 */
import { isWithin } from '../../task/core/base/folders.ts';

export interface Reach {
  readonly writes: readonly string[];
  /** Below one of those, and not to be written all the same. */
  readonly shut: readonly string[];
}

interface Place {
  /** Absolute. */
  readonly path: string;
  readonly as: string;
  /** What is shown there in its place: what lies there itself is not reached. */
  readonly from?: string;
}

/** Of two places for one path the later one counts. */
export function reachOf(places: readonly Place[]): Reach {
  const byPath = new Map(
    places.map(({ path, as, from }) => [path, from === undefined ? as : 'read']),
  );
  const paths = [...byPath.keys()].sort();
  const writes = paths.filter((path) => byPath.get(path) === 'write');
  const shut = paths.filter(
    (path) => byPath.get(path) !== 'write' && writes.some((open) => isWithin(open, path)),
  );
  return { writes, shut };
}

/** By the nearest place above it. */
export function reaches({ writes, shut }: Reach, path: string): boolean {
  const nearest = (places: readonly string[]): number =>
    Math.max(-1, ...places.filter((one) => isWithin(one, path)).map(({ length }) => length));
  return nearest(writes) > nearest(shut);
}
