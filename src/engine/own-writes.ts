/**
 * What this process itself wrote below the plans while agents may be at work in the same tree: who
 * compares the tree before and after an attempt leaves that out, and nothing else. A file that somebody
 * else changed in between is no link of the chain any more, and is told as ever.
 */
import { markAt } from '../store/sight.ts';
import { putIfUnchanged, type PutIf } from '../store/put.ts';
import { shown } from '../store/layout.ts';
import type { Workspace } from './workspace.ts';

/** By path relative to the workspace: from the mark that it had to the one that it got. */
type Writes = Map<string, Map<string | undefined, string | undefined>>;

/** By what all steps of one opened workspace share: each may have a workspace of its own. */
const known = new WeakMap<Workspace['active'], Writes>();
const moved = new WeakMap<Workspace['active'], Set<string>>();

/** As putIfUnchanged, and remembered as the runner's own. */
export function putOwn(
  ws: Workspace,
  path: string,
  seen: string | undefined,
  bytes: Uint8Array,
): PutIf {
  const before = markAt(ws.disk, path);
  const written = putIfUnchanged(ws.putting, path, seen, bytes);
  if (written !== 'put') return written;
  const writes = known.get(ws.active) ?? new Map();
  known.set(ws.active, writes);
  const file = shown(ws.layout, path);
  const links = writes.get(file) ?? new Map();
  writes.set(file, links.set(before, markAt(ws.disk, path)));
  return written;
}

/** Nobody but this process led from the one mark to the other. */
export function isOwnWrite(
  ws: Workspace,
  file: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  const links = known.get(ws.active)?.get(file);
  if (links === undefined) return false;
  const passed = new Set<string | undefined>();
  let mark = before;
  while (links.has(mark) && !passed.has(mark)) {
    passed.add(mark);
    mark = links.get(mark);
    if (mark === after) return true;
  }
  return false;
}

/** A task that was done stands somewhere again, and no agent put it there. */
export function noteTakenUp(ws: Workspace, id: string): void {
  const ids = moved.get(ws.active) ?? new Set();
  moved.set(ws.active, ids.add(id));
}

export function isTakenUp(ws: Workspace, id: string): boolean {
  return moved.get(ws.active)?.has(id) === true;
}
