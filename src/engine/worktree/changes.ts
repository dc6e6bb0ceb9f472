/**
 * Which paths differ between two commits of a worktree, and which any commit on the way touched. As git
 * says it; judges nothing.
 */
import type { Git } from './git.ts';
import type { Worktree } from './ground.ts';

export interface Changed {
  /** From the top of the repository. */
  readonly path: string;
  readonly kind: 'write' | 'create' | 'delete';
}

const KINDS = { A: 'create', D: 'delete' } as const;

export function changesOf(git: Git, base: string, commit: string): readonly Changed[] {
  const said = git.say(['diff-tree', '-r', '-z', '--no-renames', '--name-status', base, commit]);
  const parts = said.split('\0');
  const changed: Changed[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = KINDS[parts[at] as keyof typeof KINDS] ?? 'write';
    changed.push({ kind, path: parts[at + 1] ?? '' });
  }
  return changed;
}

/**
 * Whatever any of its commits touched, oldest first: what a later one takes back would be merged with
 * the history all the same. Of a merge what is in none of its sides.
 */
export function touchedBetween(
  { git, base, merging }: Pick<Worktree, 'git' | 'base' | 'merging'>,
  commit: string,
): readonly Changed[] {
  const range = [commit, `^${base}`, ...(merging === undefined ? [] : [`^${merging}`])];
  const how = ['--reverse', '--topo-order', '-c', '-r', '-z', '--no-renames', '--name-status'];
  const parts = git.say(['log', '--format=', ...how, ...range]).split('\0');
  const first = new Map<string, Changed>();
  for (let at = 0; at + 1 < parts.length; at++) {
    const status = parts[at] ?? '';
    // Between two commits stands nothing.
    if (status === '') continue;
    const path = parts[++at] ?? '';
    // What it made itself and took away again was never anybody's to write or to remove.
    const kind = /^A+$/.test(status) ? 'create' : /^D+$/.test(status) ? 'delete' : 'write';
    if (!first.has(path)) first.set(path, { path, kind });
  }
  return [...first.values()];
}
