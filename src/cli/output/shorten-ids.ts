/** Ids in a column, cut to a few cells so that they still differ. Ids are ASCII: a letter is a cell. */

/** Ids begin alike and differ at the end, so the end keeps most of the room. */
export function cutId(id: string, cells: number): string {
  if (id.length <= cells) return id;
  if (cells < 3) return cells <= 0 ? '' : `${id.slice(0, cells - 1)}…`;
  const third = Math.floor((cells - 1) / 3);
  const first = id.indexOf('_');
  const start = first > 0 && first < third ? first : third;
  return `${id.slice(0, start)}…${id.slice(start + 1 - cells)}`;
}

/** Ids that would look alike show the part in which they differ. */
export function idCutter(ids: readonly string[], cells: number): (id: string) => string {
  const alike = new Map<string, Set<string>>();
  for (const id of ids) {
    if (id.length <= cells) continue;
    const short = cutId(id, cells);
    alike.set(short, (alike.get(short) ?? new Set()).add(id));
  }
  return (id) => {
    const short = cutId(id, cells);
    const others = alike.get(short);
    if (others === undefined || others.size < 2 || cells < 4) return short;
    return around(id, sharedStart([...others]), cells);
  };
}

/** The part before and after the letter at `at`, where they begin to differ. */
function around(id: string, at: number, cells: number): string {
  if (id.length - at < cells) return `…${id.slice(1 - cells)}`;
  const from = Math.max(1, at - Math.floor((cells - 2) / 3));
  return `…${id.slice(from, from + cells - 2)}…`;
}

function sharedStart(ids: readonly string[]): number {
  const [first = '', ...others] = ids;
  let shared = 0;
  while (shared < first.length && others.every((other) => other[shared] === first[shared])) {
    shared += 1;
  }
  return shared;
}
