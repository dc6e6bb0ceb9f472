/**
 * Where the worktrees of a workspace are: in the person's state folder and never inside a checkout, so
 * that no program in a worktree finds the packages or settings of another tree in a folder above it.
 */
import { dirname, isAbsolute, join } from 'node:path';
import { isSomebodyElses, kindOf, makeFolder } from '../../process/path-kind.ts';
import { isWithin } from '../../task/core/base/folders.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { oldWorktreesFolder, worktreesBelow } from '../../task/store/tasks/layout.ts';
import { keyOfFolder, realBelow, stateHome, stateInVar } from '../../workspace/open/state-home.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Hindrance } from '../../workspace/open/repository.ts';

/** What programs look for in each folder above the one that they run in. */
const LOOKED_FOR =
  '.git node_modules package.json tsconfig.json pnpm-workspace.yaml pyproject.toml conftest.py .venv';
const NEEDS = 'isolation: worktree needs a folder outside every checkout';
const CURE = 'export XDG_STATE_HOME=/an/absolute/folder outside every checkout';

type Known = Pick<Workspace, 'layout' | 'env' | 'disk'>;

/** Absolute and without links, as git records it; it may not exist. */
export function placeOf(ws: Known): string {
  const below = (state: string): string => worktreesBelow(state, keyOfFolder(ws.layout.root));
  const own = below(stateHome(ws.env));
  // A home may be a checkout itself; who names a folder has it there.
  const isNamed = isAbsolute(ws.env['XDG_STATE_HOME'] ?? '');
  return isNamed || foundAbove(ws, own) === undefined ? own : below(stateInVar());
}

/** The same where any folder for worktrees may be there: to look above it costs many looks. */
export function placeIfMade(ws: Known): string | undefined {
  const key = keyOfFolder(ws.layout.root);
  const made = [stateHome(ws.env), stateInVar()].some(
    (state) => ws.disk.stat(worktreesBelow(state, key)) !== undefined,
  );
  return made ? placeOf(ws) : undefined;
}

/** Why no worktree can be there, with the cure. */
export function noPlace(ws: Workspace): Hindrance | undefined {
  const [place, shared] = [placeOf(ws), stateInVar()];
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
  throw new Fault('git', `the folder for worktrees cannot be created: ${place}`, { fix });
}

/** A worktree of a task of this workspace: here, below another state folder, or of an earlier version. */
export function isOfWorkspace(ws: Workspace, folder: string): boolean {
  const all = dirname(folder);
  return (
    all === oldWorktreesFolder(ws.layout) ||
    all.endsWith(worktreesBelow('/', keyOfFolder(ws.layout.root)))
  );
}
