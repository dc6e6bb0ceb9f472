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

/** What programs look for in each folder above the one that they run in. */
const LOOKED_FOR = [
  '.git',
  'node_modules',
  'package.json',
  'tsconfig.json',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  'conftest.py',
  '.venv',
  'go.work',
  'Cargo.toml',
];
const CURE = 'export XDG_STATE_HOME=/an/absolute/folder outside every checkout';

export interface NoPlace {
  readonly why: string;
  readonly fix: string;
}

/** Absolute and without links, as git records it; it may not exist yet. undefined: no variable names one. */
export function placeOf(ws: Pick<Workspace, 'layout' | 'env'>): string | undefined {
  const { HOME, XDG_STATE_HOME } = ws.env;
  const home = HOME === undefined ? undefined : join(HOME, '.local/state');
  const state = [XDG_STATE_HOME, home].find((one) => one !== undefined && isAbsolute(one));
  return state && worktreesBelow(realBelow(state), keyOf(ws));
}

/** Why no worktree can be there, with the cure. */
export function noPlace(ws: Workspace): NoPlace | undefined {
  const place = placeOf(ws);
  if (place === undefined) {
    return {
      why: 'isolation: worktree needs a folder outside every checkout, and neither XDG_STATE_HOME nor HOME names one',
      fix: CURE,
    };
  }
  for (let above = dirname(place); ; above = dirname(above)) {
    const found = LOOKED_FOR.find((name) => ws.disk.stat(join(above, name)) !== undefined);
    if (found !== undefined) {
      return {
        why: `isolation: worktree keeps worktrees in ${place}, and programs there would find ${join(above, found)}`,
        fix: `${CURE}, or remove ${join(above, found)}`,
      };
    }
    if (dirname(above) === above) return undefined;
  }
}

/** The same, made. */
export function makePlace(ws: Workspace): string {
  const missing = noPlace(ws);
  if (missing !== undefined) throw new Fault(missing.why, { fix: missing.fix });
  const place = placeOf(ws) ?? '';
  makeFolder(place);
  if (kindOf(place) === 'folder') return place;
  throw new Fault(`the folder for worktrees cannot be made: ${place}`, {
    fix: `Make it writable for you and move away any file in its path; or ${CURE}`,
  });
}

/** A worktree of a task of this workspace: here, below another state folder, or of an earlier version. */
export function isOfWorkspace(ws: Workspace, folder: string): boolean {
  const all = dirname(folder);
  return all === oldWorktreesFolder(ws.layout) || all.endsWith(worktreesBelow('/', keyOf(ws)));
}

/** By the name of its folder, for people, and by where it is. */
function keyOf({ layout }: Pick<Workspace, 'layout'>): string {
  const root = realOf(layout.root) ?? layout.root;
  const name = basename(root)
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 40);
  return `${name}-${sha256(root).slice(0, 12)}`;
}

function realBelow(path: string): string {
  const real = realOf(path);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(realBelow(dirname(path)), basename(path));
}
