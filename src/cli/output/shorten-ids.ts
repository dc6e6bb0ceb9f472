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
