/**
 * Deliverables, hashed and compared with the first claim of this round of work
 * (docs/concepts.md#checks-and-receipts). For a glob, one of the matching files must be new or changed. In a
 * worktree it must be in the commit as well.
 */
import { join, posix } from 'node:path';
import type { DeliverableSeen } from '../core/judge/unmet.ts';
import { roundStart } from '../../task/core/attempts/counters.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { ReadRefused } from '../../task/store/disk/disk.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { sha256OfFile } from '../../task/store/disk/real-disk.ts';
import { inside, listOrNothing } from '../../task/store/tasks/tasks.ts';
import { snapshot, type Snapshot } from '../../task/store/snapshots/fingerprint.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { attemptFolder, PLACED, SETTINGS, type Layout } from '../../task/store/tasks/layout.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Committed } from '../../worktrees/engine/committed.ts';
import type { Workdir } from '../../worktrees/engine/workdir.ts';
import { isPlacedBy } from '../../workspace/tasks/placed.ts';
import { findPlace, type Running } from '../../workspace/tasks/attempt-context.ts';

/** Larger files are not read at once. */
const READ_BYTES_MAX = 64 * 1024 * 1024;
/** Larger files are compared by size and time instead of their contents. */
const HASH_BYTES_MAX = 4 * 1024 ** 3;
export const ABSENT = 'absent';
/** In the place of a hash: the files that match this pattern are listed beside it. */
export const PATTERN = 'glob';

export function isGlob(path: string): boolean {
  return /[*?[\]]/.test(path);
}

export function matching(files: Snapshot | undefined, pattern: string): string[] {
  const matches = globMatcher(pattern);
  return [...(files ?? new Map<string, string>()).keys()].filter((path) => matches(path)).sort();
}

/** `sha256`: where its contents were read. */
type Looked = Pick<DeliverableSeen, 'hash' | 'bytes' | 'refused'> & { readonly sha256?: string };

export function look(ws: Workspace, path: string, { root }: Layout = ws.layout): Looked {
  const found = inside(ws.disk, root, path);
  if (!found.ok) {
    return { hash: undefined, bytes: 0, ...(!found.missing && { refused: found.why }) };
  }
  if (found.bytes > HASH_BYTES_MAX) {
    return { hash: sha256(`${found.bytes} ${found.mtime_ms}`), bytes: found.bytes };
  }
  try {
    const isLarge = found.bytes > READ_BYTES_MAX;
    const hash = isLarge
      ? sha256OfFile(found.path)
      : sha256(ws.disk.read(found.path, READ_BYTES_MAX));
    return { hash, bytes: found.bytes, sha256: hash };
  } catch (error) {
    if (!(error instanceof ReadRefused)) throw error;
    return { hash: undefined, bytes: 0, refused: error.message };
  }
}

/**
 * `<sha256 or absent> <path>`, for owner.md: what was there before the agent was called. A pattern is there
 * too, as `glob <pattern>`, which shows that it was looked for when nothing matched.
 */
export function baseline(ws: Workspace, deliverables: readonly string[]): string[] {
  const files = deliverables.some(isGlob) ? snapshot(ws.disk, ws.layout) : undefined;
  return deliverables.flatMap((path) => {
    const paths = isGlob(path) ? matching(files, path) : [path];
    const lines = paths.map((one) => `${look(ws, one).hash ?? ABSENT} ${one}`);
    return isGlob(path) ? [`${PATTERN} ${path}`, ...lines] : lines;
  });
}

export function parsed(line: string): { readonly hash: string; readonly path: string } {
  const at = line.indexOf(' ');
  return { hash: line.slice(0, at), path: line.slice(at + 1) };
}

/** Files that a claim of the task had found, and that are gone at the end of this attempt. */
export function goneOf({ ws, task, owner }: Running): string[] | undefined {
  const owners = [...task.attempts.map((attempt) => attempt.owner), owner];
  const found = owners.flatMap((one) => one?.baseline ?? []).map(parsed);
  const there = found.filter(({ hash }) => hash !== ABSENT && hash !== PATTERN);
  const paths = new Set(there.map(({ path }) => path));
  const gone = [...paths].filter((path) => !inside(ws.disk, ws.layout.root, path).ok);
  return gone.length === 0 ? undefined : gone;
}

/**
 * What was there at the first claim of this round that looked for it; a path that is not listed was absent.
 * A file that was removed between two attempts counts as absent from then on.
 */
function before(attempts: readonly Attempt[]): ReadonlyMap<string, string> {
  const from = roundStart(attempts);
  const known = new Map<string, string>();
  const looked: ((path: string) => boolean)[] = [];
  let gone: ReadonlySet<string> = new Set();
  for (const attempt of attempts) {
    if (attempt.number <= from || attempt.kind !== 'work') continue;
    const lines = (attempt.owner?.baseline ?? []).map(parsed);
    for (const { hash, path } of lines) {
      if (hash === PATTERN || (known.has(path) && (hash !== ABSENT || gone.has(path)))) continue;
      known.set(path, looked.some((matches) => matches(path)) ? ABSENT : hash);
    }
    const patterns = lines.filter(({ hash }) => hash === PATTERN);
    const matchers = patterns.map(({ path }) => globMatcher(path));
    const listed = new Set(lines.map(({ path }) => path));
    for (const path of known.keys()) {
      if (listed.has(path) || gone.has(path)) continue;
      if (matchers.some((matches) => matches(path))) known.set(path, ABSENT);
    }
    looked.push(...matchers);
    gone = new Set(attempt.outcome?.gone);
  }
  return known;
}

/** The root below which a path is looked up: documents that were handed in are in the workspace alone. */
export function rootOf(running: Running, { root }: Workdir, path: string): string {
  const { disk, layout } = running.ws;
  if (root === layout.root || !path.startsWith(`${SETTINGS}/`)) return root;
  if (isGlob(path)) return layout.root;
  const folder = findPlace(running)?.folder ?? '';
  const name = `${PLACED}/${path.slice(SETTINGS.length + 1)}`;
  const isPlaced = listAttempts(disk, folder).some(
    ({ number, lost }) => disk.stat(`${attemptFolder(folder, number, lost)}/${name}`) !== undefined,
  );
  return isPlaced ? layout.root : root;
}

export function inspectDeliverables(
  running: Running,
  deliverables: readonly string[],
  layout: Layout,
  committed?: Committed,
): readonly DeliverableSeen[] {
  const { ws, task } = running;
  const known = before(task.attempts);
  const files = deliverables.some(isGlob) ? snapshot(ws.disk, layout) : undefined;
  const see = (path: string): DeliverableSeen => {
    const was = known.get(path);
    const { hash, bytes, sha256, ...refused } = look(ws, path, layout);
    const file = { path, bytes, ...(sha256 === undefined ? {} : { sha256 }) };
    const found = hash === undefined ? [] : [file];
    const before = was === ABSENT ? undefined : was;
    return { path, hash, bytes, ...refused, before, files: found };
  };
  const isIn = (path: string): boolean => committed?.has(path) !== false;
  const judged = (seen: DeliverableSeen): DeliverableSeen =>
    committed === undefined || isIn(seen.path)
      ? seen
      : { ...seen, unmergeable: committed.why(seen.path) };
  return deliverables.map((path) => {
    if (!isGlob(path)) return judged(see(path));
    // No snapshot has documents. Of those only the task's own count, and runners continue them.
    const at = posix.dirname(path);
    const beside = listOrNothing(ws.disk, join(layout.root, at)).map(({ name }) => `${at}/${name}`);
    const matches = globMatcher(path);
    const own = findPlace(running)?.folder ?? '';
    const placed = beside.filter((one) => matches(one) && isPlacedBy(ws, own, one));
    const seen = matching(files, path).map(see);
    const good = [...seen, ...placed.map(see)].filter(
      (one) => one.hash !== undefined && one.bytes > 0 && one.hash !== one.before,
    );
    const one = good.find(({ path: name }) => isIn(name)) ?? good[0] ?? seen[0];
    if (one === undefined) return { path, hash: undefined, bytes: 0, before: undefined };
    return { ...judged(one), path, files: seen.flatMap(({ files }) => files ?? []) };
  });
}
