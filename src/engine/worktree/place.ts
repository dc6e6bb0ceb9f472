/**
 * Where the worktrees of a workspace are: in the person's state folder and never inside a checkout, so
 * that no program in a worktree finds the packages or settings of another tree in a folder above it.
 */
import { basename, dirname, isAbsolute, join } from 'node:path';
import { kindOf, makeFolder, realOf } from '../../agent/kind-of.ts';
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

/** Absolute and without links, as git records it; it may not exist. undefined: no variable names one. */
export function placeOf(ws: Pick<Workspace, 'layout' | 'env'>): string | undefined {
  const { HOME = '', XDG_STATE_HOME = '' } = ws.env;
  const state = [XDG_STATE_HOME, join(HOME, '.local/state')].find((one) => isAbsolute(one));
  return state && worktreesBelow(realBelow(state), keyOf(ws));
}

/** Why no worktree can be there, with the cure. */
export function noPlace(ws: Workspace): NoRepository | undefined {
  const place = placeOf(ws);
  let why = place === undefined ? 'neither XDG_STATE_HOME nor HOME names one' : '';
  for (let above = place ?? '/'; why === '' && above !== dirname(above);) {
    above = dirname(above);
    const found = LOOKED_FOR.split(' ').find((name) => ws.disk.stat(join(above, name)));
    if (found !== undefined) why = `${place} has ${join(above, found)} above it`;
  }
  return why === '' ? undefined : { why: `${NEEDS}: ${why}`, fix: CURE };
}

export function makePlace(ws: Workspace): string {
  const [place = '', missing] = [placeOf(ws), noPlace(ws)];
  if (missing !== undefined) throw new Fault('git', missing.why, missing);
  makeFolder(place);
  if (kindOf(place) === 'folder') return place;
  const fix = `Make it writable for you and move away any file in its path; or ${CURE}`;
  throw new Fault('git', `the folder for worktrees cannot be made: ${place}`, { fix });
}

/** A worktree of a task of this workspace: here, below another state folder, or of an earlier version. */
export function isOfWorkspace(ws: Workspace, folder: string): boolean {
  const all = dirname(folder);
  return all === oldWorktreesFolder(ws.layout) || all.endsWith(worktreesBelow('/', keyOf(ws)));
}

function keyOf({ layout }: Pick<Workspace, 'layout'>): string {
  const root = realOf(layout.root) ?? layout.root;
  return `${basename(root).replace(/[^\w.-]+/g, '-')}-${sha256(root).slice(0, 12)}`;
}

function realBelow(path: string): string {
  return realOf(path) ?? join(realBelow(dirname(path)), basename(path));
}
