/** What a sandbox let a program write, as data that outlives the runner. */
import { isWithin } from '../../task/core/base/folders.ts';

export interface Reach {
  readonly writes: readonly string[];
  /** Read-only paths below a writable one. */
  readonly shut: readonly string[];
}

interface Place {
  /** Absolute. */
  readonly path: string;
  readonly as: string;
  /** File that is shown there; the one at `path` itself is not reached. */
  readonly from?: string;
  /** Shut as long as nobody replaces it outside of the sandbox: it stays in reach. */
  readonly beside?: true;
}

/** The later of two places for one path counts. */
export function reachOf(places: readonly Place[]): Reach {
  const lasting = places.filter(({ beside }) => beside !== true);
  const byPath = new Map(
    lasting.map(({ path, as, from }) => [path, from === undefined ? as : 'read']),
  );
  const paths = [...byPath.keys()].sort();
  const writes = paths.filter((path) => byPath.get(path) === 'write');
  const shut = paths.filter(
    (path) => byPath.get(path) !== 'write' && writes.some((open) => isWithin(open, path)),
  );
  return { writes, shut };
}

/** The nearest place above it decides. */
export function reaches({ writes, shut }: Reach, path: string): boolean {
  const nearest = (places: readonly string[]): number =>
    Math.max(-1, ...places.filter((one) => isWithin(one, path)).map(({ length }) => length));
  return nearest(writes) > nearest(shut);
}
