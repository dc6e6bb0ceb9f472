/**
 * Read-only entries beside what globs name: a folder must be open for one file in it, and what else is
 * there is shut one by one. New names, links, and more than some hundred entries stay open.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, orNothing } from '../../process/path-kind.ts';
import { globMatcher } from '../../task/core/base/glob.ts';
import { globsMeet } from '../../task/core/base/glob-overlap.ts';
import type { SandboxPlace } from './bwrap-args.ts';

/** A mount each: 500 of them take bubblewrap a third of a second, twice as many four times as long. */
const SHUT_MAX = 500;
const FOLDERS_MAX = 100;

export interface Beside {
  readonly places: readonly SandboxPlace[];
  /** True if nothing that exists beside them can be written. */
  readonly is_whole: boolean;
}

/**
 * `folders` are open, relative to `root`. A path must be named in each of `lists`. `isPlaced`: decided
 * already.
 */
export function besideNamed(
  root: string,
  folders: readonly string[],
  lists: readonly (readonly string[])[],
  isPlaced: (path: string) => boolean,
): Beside {
  const named = lists.map((globs) => globs.map((glob) => ({ glob, isMatch: globMatcher(glob) })));
  const isOpen = (path: string, isFolder: boolean): boolean =>
    named.every((globs) =>
      globs.some(({ glob, isMatch }) => isMatch(path) || (isFolder && mayLieIn(path, glob))),
    );
  const isAllOpen = (path: string): boolean =>
    lists.every((globs) => globs.some((glob) => glob === '**' || glob === `${path}/**`));
  const places: SandboxPlace[] = [];
  const all = folders.map((folder) => (folder === '.' ? '' : folder));
  let is_whole = true;
  for (let i = 0; i < all.length; i++) {
    const folder = all[i] ?? '';
    if (isAllOpen(folder)) continue;
    const shut: SandboxPlace[] = [];
    for (const name of namesIn(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const stat = orNothing(() => lstatSync(join(root, path)));
      if (stat === undefined || isPlaced(join(root, path))) continue;
      const isFolder = stat.isDirectory();
      if (isOpen(path, isFolder)) {
        if (isFolder) all.push(path);
      } else if (!stat.isSymbolicLink()) {
        shut.push({ path: join(root, path), as: 'read', may_go: true, beside: true });
      } else is_whole = false;
    }
    const fits = i < FOLDERS_MAX && places.length + shut.length <= SHUT_MAX;
    if (fits) places.push(...shut);
    else is_whole = false;
    if (i >= FOLDERS_MAX) break;
  }
  return { places, is_whole };
}

/** A name with signs of a glob counts as one that may. */
function mayLieIn(folder: string, glob: string): boolean {
  return /[*?[\]\\]/.test(folder) || globsMeet(glob, `${folder}/**`);
}
