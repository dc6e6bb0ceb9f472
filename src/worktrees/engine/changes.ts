/** Paths that differ between two commits, and those that any commit between them touched. */
import type { Change } from '../../task/store/snapshots/folder-snapshot.ts';
import type { Git } from './git.ts';
import type { Worktree } from './workdir.ts';

const NAMES = ['-r', '-z', '--no-renames', '--name-status'];

/** Paths from the top of the repository. */
export function changesOf(git: Git, base: string, commit: string): readonly Change[] {
  return changesIn(git.list(['diff-tree', ...NAMES, base, commit]));
}

/** Pairs of status and path, separated by NUL. */
function changesIn(parts: readonly string[]): readonly Change[] {
  return parts.flatMap((status, at) => {
    if (at % 2 === 1) return [];
    // Created and removed again: no permission for an existing file is needed.
    const kind = /^A+$/.test(status) ? 'create' : /^D+$/.test(status) ? 'delete' : 'write';
    return { path: parts[at + 1] ?? '', kind };
  });
}

/** By any of its commits, oldest first, since a merge brings all; of a merge commit what is in no parent. */
export function touchedBetween(
  { git, base, merging }: Pick<Worktree, 'git' | 'base' | 'merging'>,
  commit: string,
): readonly Change[] {
  const range = [commit, `^${base}`, ...(merging === undefined ? [] : [`^${merging}`])];
  const how = ['--format=', '--reverse', '--topo-order', '-c', ...NAMES];
  const first = new Map<string, Change>();
  for (const one of changesIn(git.list(['log', ...how, ...range]))) {
    if (!first.has(one.path)) first.set(one.path, one);
  }
  return [...first.values()];
}
