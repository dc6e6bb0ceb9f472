/**
 * Where the worktrees of a workspace are: in the person's state folder and never inside a checkout, so
 * that no program in a worktree finds the packages or settings of another tree in a folder above it.
 */
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isSomebodyElses, kindOf, makeFolder, realOf } from '../../agent/kind-of.ts';
import { isWithin } from '../../core/open-folders.ts';
import { Fault } from '../../core/problem.ts';
import { sha256 } from '../../store/hash.ts';
import { oldWorktreesFolder, worktreesBelow } from '../../store/layout.ts';
import type { Workspace } from '../workspace.ts';
import type { NoRepository } from './repository.ts';

/** What programs look for in each folder above the one that they run in. */
const LOOKED_FOR =
  '.git node_modules package.json tsconfig.json pnpm-workspace.yaml pyproject.toml conftest.py .venv';
const NEEDS = 'isolation: worktree needs a folder outside every checkout';
const CURE = 'export XDG_STATE_HOME=/an/absolute/folder outside every checkout';

type Known = Pick<Workspace, 'layout' | 'env' | 'disk'>;

/** Absolute and without links, as git records it; it may not exist. */
export function placeOf(ws: Known): string {
  const { HOME = '', XDG_STATE_HOME = '' } = ws.env;
  const below = (state: string): string => worktreesBelow(realBelow(state), keyOf(ws));
  if (isAbsolute(XDG_STATE_HOME)) return below(XDG_STATE_HOME);
  const own = isAbsolute(HOME) ? below(join(HOME, '.local/state')) : undefined;
  return own === undefined || foundAbove(ws, own) !== undefined ? below(inVar()) : own;
}

/** For a home that is itself a checkout, and for a user without a home. */
function inVar(): string {
  return join(realBelow('/var/tmp'), `contracts-${process.getuid?.() ?? 'user'}`);
}

/** Why no worktree can be there, with the cure. */
export function noPlace(ws: Workspace): NoRepository | undefined {
  const [place, shared] = [placeOf(ws), inVar()];
  const found = foundAbove(ws, place);
  if (found !== undefined) return { why: `${NEEDS}: ${place} has ${found} above it`, fix: CURE };
  const isOther = realBelow(shared) !== shared || isSomebodyElses(shared);
  if (!isOther || !isWithin(realBelow(shared), place)) return undefined;
  return { why: `${NEEDS}: ${shared} belongs to another user`, fix: CURE };
}

/** What a program in that folder would find in a folder above it. */
function foundAbove(ws: Known, place: string): string | undefined {
  for (let above = dirname(place); ; above = dirname(above)) {
    const found = LOOKED_FOR.split(' ').find((name) => ws.disk.stat(join(above, name)));
    if (found !== undefined) return join(above, found);
    if (above === dirname(above)) return undefined;
  }
}

export function makePlace(ws: Workspace): string {
  const place = placeOf(ws);
  // Again when it is there: another user may have been faster.
  for (const make of [makeFolder, kindOf]) {
    const missing = noPlace(ws);
    if (missing !== undefined) throw new Fault('git', missing.why, missing);
    make(place);
  }
  if (kindOf(place) === 'folder') return place;
  const fix = `Make it writable for you and move away any file in its path; or ${CURE}`;
  throw new Fault('git', `the folder for worktrees cannot be made: ${place}`, { fix });
}

/** A worktree of a task of this workspace: here, below another state folder, or of an earlier version. */
export function isOfWorkspace(ws: Workspace, folder: string): boolean {
  const all = dirname(folder);
  return all === oldWorktreesFolder(ws.layout) || all.endsWith(worktreesBelow('/', keyOf(ws)));
}

function keyOf({ layout }: Known): string {
  const root = realOf(layout.root) ?? layout.root;
  return `${basename(root).replace(/[^\w.-]+/g, '-')}-${sha256(root).slice(0, 12)}`;
}

function realBelow(path: string): string {
  return realOf(path) ?? join(realBelow(dirname(path)), basename(path));
}
