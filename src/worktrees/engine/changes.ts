/**
 * Which paths differ between two commits of a worktree, and which any commit on the way touched. As git
 * says it; judges nothing.
 */
import type { Change } from '../../task/store/snapshots/folder-snapshot.ts';
import type { Git } from './git.ts';
import type { Worktree } from './workdir.ts';

const NAMES = ['-r', '-z', '--no-renames', '--name-status'];

/** Their paths are from the top of the repository. */
export function changesOf(git: Git, base: string, commit: string): readonly Change[] {
  return changesIn(git.say(['diff-tree', ...NAMES, base, commit]));
}

/** A status and a path, in turn. Between two commits stands nothing. */
function changesIn(said: string): readonly Change[] {
  const parts = said.split('\0').filter((part) => part !== '');
  return parts.flatMap((status, at) => {
    if (at % 2 === 1) return [];
    // What it made itself and took away again was never anybody's to write or to remove.
    const kind = /^A+$/.test(status) ? 'create' : /^D+$/.test(status) ? 'delete' : 'write';
    return { path: parts[at + 1] ?? '', kind };
  });
}

/**
 * Whatever any of its commits touched, oldest first: what a later one takes back would be merged with
 * the history all the same. Of a merge what is in none of its sides.
 */
export function touchedBetween(
  { git, base, merging }: Pick<Worktree, 'git' | 'base' | 'merging'>,
  commit: string,
): readonly Change[] {
  const range = [commit, `^${base}`, ...(merging === undefined ? [] : [`^${merging}`])];
  const how = ['--format=', '--reverse', '--topo-order', '-c', ...NAMES];
  const first = new Map<string, Change>();
  for (const one of changesIn(git.say(['log', ...how, ...range]))) {
    if (!first.has(one.path)) first.set(one.path, one);
  }
  return [...first.values()];
}
