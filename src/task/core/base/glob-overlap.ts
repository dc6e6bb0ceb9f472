/** Whether two globs can mean the same path: exact, in at most the product of both lengths. */
import { addTo } from './groups.ts';
import { isInClass, partsOf, type GlobPart } from './glob.ts';

type Segment = 'stars' | readonly GlobPart[];

const WILD = /[*?[]/;

export function globsMeet(a: string, b: string): boolean {
  if (!WILD.test(a) && !WILD.test(b)) return a === b;
  return meet(segmentsOf(a), segmentsOf(b), (one) => one === 'stars', segmentsMeet);
}

function segmentsOf(glob: string): readonly Segment[] {
  return glob.split('/').map((text) => (text === '**' ? 'stars' : partsOf(text)));
}

function segmentsMeet(a: Segment, b: Segment): boolean {
  if (a === 'stars' || b === 'stars') return true;
  return meet(a, b, (one) => one === 'star', classesMeet);
}

/** True if one sequence fits both, where a star takes any number of items. */
function meet<T>(
  a: readonly T[],
  b: readonly T[],
  isStar: (one: T) => boolean,
  itemsMeet: (a: T, b: T) => boolean,
): boolean {
  // Row by row from the end: whether the rest of `a` and the rest of `b` meet.
  let below: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = [];
    for (let j = b.length; j >= 0; j--) row[j] = cell(i, j, row, below);
    below = row;
  }
  return below[0] ?? false;

  function cell(i: number, j: number, row: readonly boolean[], next: readonly boolean[]): boolean {
    const [one, other] = [a[i], b[j]];
    if (one === undefined && other === undefined) return true;
    const down = one !== undefined && next[j] === true;
    const right = other !== undefined && row[j + 1] === true;
    if (one !== undefined && isStar(one)) return down || right;
    if (other !== undefined && isStar(other)) return down || right;
    if (one === undefined || other === undefined) return false;
    return next[j + 1] === true && itemsMeet(one, other);
  }
}

/** Looks at the ends of ranges and just beside them: two sets that meet do so there. */
function classesMeet(a: GlobPart, b: GlobPart): boolean {
  if (a === 'star' || b === 'star') return true;
  const ends = [...a.ranges, ...b.ranges].flat().flatMap(besides);
  return [...ends, '.', '0', 'a'].some(
    (char) => char !== '/' && isInClass(a, char) && isInClass(b, char),
  );
}

function besides(char: string): readonly string[] {
  const code = char.codePointAt(0) ?? 0;
  return [code - 1, code, code + 1]
    .filter((one) => one >= 0 && one <= 0x10_ffff)
    .map((one) => String.fromCodePoint(one));
}

/** Globs that a contract lets write, as far as it says so. */
export function writesOf(head: {
  readonly deliverables: readonly string[];
  readonly write?: readonly string[] | undefined;
}): readonly string[] {
  return head.write === undefined ? head.deliverables : [...head.deliverables, ...head.write];
}

/** Another task that writes the same. */
export interface Rival {
  readonly id: string;
  /** Its own pattern. */
  readonly path: string;
  /** In the tree that all share, and not in a worktree of its own. */
  readonly shared: boolean;
}

/** Tasks by what they write: plain paths are found at once, patterns are tried one after the other. */
export class Writers {
  readonly #plain = new Map<string, Rival[]>();
  readonly #wild: Rival[] = [];

  add(id: string, paths: readonly string[], shared: boolean): void {
    for (const path of paths) {
      const rival = { id, path, shared };
      if (WILD.test(path)) this.#wild.push(rival);
      else addTo(this.#plain, path, rival);
    }
  }

  get isEmpty(): boolean {
    return this.#plain.size + this.#wild.length === 0;
  }

  /** The first other one that fits, with the path that both write. */
  rivalOf(
    id: string,
    paths: readonly string[],
    fits: (rival: Rival) => boolean,
  ): Rival | undefined {
    for (const path of paths) {
      const isRival = (one: Rival): boolean => one.id !== id && fits(one);
      const found = this.#like(path).find((one) => isRival(one) && globsMeet(path, one.path));
      if (found !== undefined) return { ...found, path: WILD.test(path) ? found.path : path };
    }
    return undefined;
  }

  #like(path: string): readonly Rival[] {
    if (!WILD.test(path)) return [...(this.#plain.get(path) ?? []), ...this.#wild];
    return [...[...this.#plain.values()].flat(), ...this.#wild];
  }
}
