/**
 * The only finder of the git repository of a folder, by git's own rules and without running git: an agent can
 * change where git itself looks. What vanishes or cannot be read during the look is not there.
 */
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { namesIn, orNothing, realOf } from '../process/path-kind.ts';
import { isWithin } from '../task/core/base/folders.ts';
import type { Disk } from '../task/store/disk/disk.ts';
import { lineAt } from '../task/store/snapshots/folder-snapshot.ts';
import type { GitFolders } from '../task/store/snapshots/git-snapshot.ts';

export interface Finding {
  readonly disk: Disk;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** undefined where there is none, or where git refuses a `.git` file. */
export function findGit({ disk, env }: Finding, from: string): GitFolders | undefined {
  const isCeiling = ceilings(env['GIT_CEILING_DIRECTORIES'] ?? '', resolve(from));
  for (let top = resolve(from); ; top = dirname(top)) {
    const found = gitIn(disk, top);
    if (found !== undefined) return found === 'refused' ? undefined : found;
    if (top === dirname(top) || isCeiling(dirname(top))) return undefined;
  }
}

/**
 * Trees that agents of a workspace write, or that reach it by a merge: the workspace, the checkout that it is
 * in, the main one and the linked ones. Absolute. A repository that holds the whole home counts by the
 * workspace alone.
 */
export function treesAround(finding: Finding, root: string): readonly string[] {
  const git = findGit(finding, root);
  if (git === undefined) return [root];
  const { disk, env } = finding;
  const admins = join(git.common, 'worktrees');
  const linked = namesIn(admins).flatMap((name) => {
    const dot = resolve(admins, name, lineAt(disk, join(admins, name, 'gitdir')) ?? '.');
    // A record may name any folder, so the folder must have the file of a linked checkout.
    return basename(dot) === '.git' && kindOf(disk, dot) === 'file' ? [dirname(dot)] : [];
  });
  const main = basename(git.common) === '.git' ? [dirname(git.common)] : [];
  const home = env['HOME'] || '/';
  const all = [git.top, ...main, ...linked].filter((tree) => !isWithin(tree, home));
  return [...new Set([root, ...all])];
}

/** As in git(1): a ceiling is not looked at from below, and behind an empty entry links are not resolved. */
function ceilings(list: string, from: string): (folder: string) => boolean {
  if (list === '') return () => false;
  const all = resolved.get(list) ?? resolvedIn(list);
  resolved.set(list, all);
  // What is above a folder without links has none.
  const isReal = realOf(from) === from;
  return (folder) => all.includes(isReal ? folder : (realOf(folder) ?? folder));
}

/** The ceilings of a list, for the life of this process. */
const resolved = new Map<string, readonly string[]>();

function resolvedIn(list: string): readonly string[] {
  const entries = list.split(delimiter);
  const plain = entries.includes('') ? entries.indexOf('') : entries.length;
  return entries.flatMap((one, i) => {
    if (i > plain) return one.replace(/(.)\/$/, '$1') || [];
    return (isAbsolute(one) && realOf(one)) || [];
  });
}

/** A `commondir` in a main checkout is not followed: git makes none there, so it is somebody's trap. */
function gitIn(disk: Disk, top: string): GitFolders | 'refused' | undefined {
  const path = join(top, '.git');
  const first = kindOf(disk, path);
  const dot = first === 'other' ? (realOf(path) ?? path) : path;
  const kind = dot === path ? first : kindOf(disk, dot);
  if (kind === 'folder') return isGit(disk, dot, dot) ? { top, own: dot, common: dot } : undefined;
  if (kind !== 'file') return undefined;
  const named = /^gitdir: (.+)$/.exec(lineAt(disk, dot) ?? '')?.[1];
  if (named === undefined) return 'refused';
  const own = resolve(top, named);
  const common = resolve(own, lineAt(disk, join(own, 'commondir')) ?? '.');
  return isGit(disk, own, common) ? { top, own, common } : 'refused';
}

/** git's is_git_directory: an empty folder, or one without HEAD, is none. */
function isGit(disk: Disk, own: string, common: string): boolean {
  const head = join(own, 'HEAD');
  // A HEAD of early versions is a link.
  const text = lineAt(disk, head) ?? orNothing(() => disk.link?.(head)) ?? '';
  const isHead = /^(?:ref:\s*refs\/|refs\/|[0-9a-f]{40})/i.test(text);
  return isHead && ['objects', 'refs'].every((name) => kindOf(disk, join(common, name)));
}

function kindOf(disk: Disk, path: string) {
  return orNothing(() => disk.stat(path)?.kind);
}
