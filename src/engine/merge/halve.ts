/** Finds which of several may be merged together, by halving those that fail. Runs nothing itself. */

export interface Left<T, F> {
  readonly task: T;
  readonly failure: F;
  /** Tasks that pass apart from the task and fail together with it; empty where it fails alone. */
  readonly together: readonly T[];
  /** The one that was left out, without which it cannot be merged. */
  readonly needs?: T;
}

/** `passed` pass together, in the given order. `fails` is asked once for each selection; `needs`: whether the first brings the second along. */
export async function halve<T extends { readonly id: string }, F>(
  all: readonly T[],
  fails: (some: readonly T[]) => Promise<F | undefined>,
  needs: (task: T, other: T) => boolean,
): Promise<{ readonly passed: readonly T[]; readonly left: readonly Left<T, F>[] }> {
  const known = new Map<string, F | undefined>();
  const left: Left<T, F>[] = [];
  const failure = async (some: readonly T[]): Promise<F | undefined> => {
    const key = some.map(({ id }) => id).join(' ');
    if (!known.has(key)) known.set(key, await fails(some));
    return known.get(key);
  };
  const isFree = (task: T): boolean => {
    const other = left.find((one) => needs(task, one.task));
    if (other !== undefined) left.push({ ...other, task, together: [], needs: other.task });
    return other === undefined;
  };
  const add = async (base: readonly T[], given: readonly T[]): Promise<readonly T[]> => {
    const more = given.filter(isFree);
    const [first] = more;
    const why = first && (await failure([...base, ...more]));
    if (first === undefined || why === undefined) return [...base, ...more];
    if (more.length > 1) {
      const [some, rest] = inHalves(more);
      return add(await add(base, some), rest);
    }
    const alone = base.length === 0 ? why : await failure([first]);
    const among = alone === undefined ? base : [];
    left.push(await partners(among, first, alone ?? why));
    return base;
  };
  const partners = async (together: readonly T[], task: T, why: F): Promise<Left<T, F>> => {
    for (const half of together.length > 1 ? inHalves(together) : []) {
      const found = await failure([...half, task]);
      if (found !== undefined) return partners(half, task, found);
    }
    return { task, failure: why, together };
  };
  return { passed: await add([], all), left };
}

function inHalves<T>(all: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
