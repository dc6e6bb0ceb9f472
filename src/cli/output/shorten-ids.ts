/** Ids for people: short names in lines, and ids that are cut to a column. Ids are ASCII: a letter is a cell. */
import { shortNames, stemOf } from '../../task/core/model/id.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { locate, namesInState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** A word that may be an id, and no part of a path. */
const WORD = /(?<![\w./@:~-])[a-z0-9][a-z0-9_-]*(?![\w/-]|\.\w)/g;

/** Puts short names in the place of ids; tasks that are made later are looked up when they occur. */
export function idShortener(ws: Workspace): (line: string) => string {
  const ids = new Set<string>();
  const others = new Set<string>();
  let short: ReadonlyMap<string, string> = new Map();
  const learn = (id: string): void => {
    for (const state of LIVE_STATES)
      for (const one of namesInState(ws.disk, ws.layout, state)) ids.add(one);
    (locate(ws.disk, ws.layout, id).length > 0 ? ids : others).add(id);
    short = shortNames(ids);
  };
  return (line) =>
    line.replace(WORD, (id) => {
      if (stemOf(id) === id) return id;
      if (!short.has(id) && !others.has(id)) learn(id);
      return short.get(id) ?? id;
    });
}

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
