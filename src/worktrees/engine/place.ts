/** Worktrees are never inside a checkout: programs would find its packages in a folder above. */
import { dirname, isAbsolute, join } from 'node:path';
import { findGit } from '../../git/find-git.ts';
import { isSomebodyElses, kindOf, makeFolder, realBelow } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { unlessShut } from '../../task/store/disk/disk.ts';
import { worktreesBelow } from '../../task/store/tasks/layout.ts';
import { keyOfFolder, stateHome, stateInVar } from '../../workspace/open/state-home.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Hindrance } from '../../workspace/open/repository.ts';

const LOOKED_FOR =
  'node_modules package.json tsconfig.json pnpm-workspace.yaml pyproject.toml conftest.py .venv';
const NEEDS = 'isolation: worktree needs a folder outside every checkout';
const CURE = 'export XDG_STATE_HOME=/an/absolute/folder outside every checkout';

type Known = Pick<Workspace, 'layout' | 'env' | 'disk'>;

/** Absolute and without links, as git records it; it may not exist. */
export function placeOf(ws: Known): string {
  const below = (state: string): string => worktreesBelow(state, keyOfFolder(ws.layout.root));
  const own = below(stateHome(ws.env));
  // A home may be a checkout itself; a folder that a person names is used as it is.
  const isNamed = isAbsolute(ws.env['XDG_STATE_HOME'] ?? '');
  return isNamed || foundAbove(ws, own) === undefined ? own : below(stateInVar());
}

/** undefined where no folder for worktrees exists: looking above it costs many stats. */
export function placeIfMade(ws: Known): string | undefined {
  const key = keyOfFolder(ws.layout.root);
  // What another user shuts is theirs.
  const isMade = (state: string): boolean =>
    unlessShut(() => ws.disk.stat(worktreesBelow(state, key))) !== undefined;
  return [stateHome(ws.env), stateInVar()].some(isMade) ? placeOf(ws) : undefined;
}

/** Why no worktree can be there, and how to mend it. */
export function noPlace(ws: Workspace): Hindrance | undefined {
  const [place, shared] = [placeOf(ws), stateInVar()];
  const found = foundAbove(ws, place);
  if (found !== undefined) return { why: `${NEEDS}: ${place} has ${found} above it`, fix: CURE };
  const isOther = realBelow(shared) !== shared || isSomebodyElses(shared);
  if (!isOther || !isWithin(realBelow(shared), place)) return undefined;
  return { why: `${NEEDS}: ${shared} belongs to another user`, fix: CURE };
}

function foundAbove(ws: Known, place: string): string | undefined {
  const checkout = findGit(ws, dirname(place))?.top;
  for (let above = dirname(place); ; above = dirname(above)) {
    if (above === checkout) return join(above, '.git');
    const found = LOOKED_FOR.split(' ').find((name) => ws.disk.stat(join(above, name)));
    if (found !== undefined) return join(above, found);
    if (above === dirname(above)) return undefined;
  }
}

export function makePlace(ws: Workspace): string {
  const place = placeOf(ws);
  // Checked again afterwards: another user may have been faster.
  for (const make of [makeFolder, kindOf]) {
    const missing = noPlace(ws);
    if (missing !== undefined) throw new Fault('git', missing.why, missing);
    make(place);
  }
  if (kindOf(place) === 'folder') return place;
  const fix = `Make it writable for you and move away any file in its path; or ${CURE}`;
  throw new Fault('git', `the folder for worktrees cannot be created: ${place}`, { fix });
}

/** Here, or below another state folder. */
export function isOfWorkspace(ws: Workspace, folder: string): boolean {
  return dirname(folder).endsWith(worktreesBelow('/', keyOfFolder(ws.layout.root)));
}
