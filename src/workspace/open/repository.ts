/** The git repository of the workspace, found in files alone: an agent can change where git itself looks. */
import { dirname, join, relative, resolve } from 'node:path';
import { isGone, ReadRefused, type Disk } from '../../task/store/disk/disk.ts';

export interface Repository {
  /** The main checkout, absolute. */
  readonly top: string;
  readonly git_dir: string;
  /** What all worktrees share: refs, objects, configuration. */
  readonly common_dir: string;
  /** The workspace below `top`; empty when it is `top`. */
  readonly prefix: string;
}

export interface Hindrance {
  readonly why: string;
  readonly fix: string;
}

const SMALL_BYTES = 64 * 1024;
const PACKED_BYTES = 256 * 1024 * 1024;

/** A repository with a commit, from which a worktree can start. */
export function findRepository(disk: Disk, root: string): Repository | Hindrance {
  const top = topOf(disk, root);
  const git_dir = top === undefined ? undefined : gitFolder(disk, top);
  if (top === undefined || git_dir === undefined) {
    return {
      why: 'isolation: worktree needs a git repository, and the workspace is not in one',
      fix: 'git init && git add -A && git commit, or isolation: shared',
    };
  }
  const shared = lineOf(disk, join(git_dir, 'commondir'));
  const common_dir = shared === undefined ? git_dir : resolve(git_dir, shared);
  const repository = { top, git_dir, common_dir, prefix: relative(top, root) };
  if (hasCommit(disk, repository)) return repository;
  return {
    why: 'isolation: worktree needs a first commit, and the repository has none',
    fix: 'git add -A && git commit, or isolation: shared',
  };
}

export function isRepository(found: Repository | Hindrance): found is Repository {
  return 'git_dir' in found;
}

/** A branch `contracts` makes branches `contracts/<id>` of tasks impossible. */
export function branchInTheWay(disk: Disk, { common_dir }: Repository): Hindrance | undefined {
  const loose = disk.stat(join(common_dir, 'refs/heads/contracts'))?.kind === 'file';
  if (!loose && !isPacked(disk, join(common_dir, 'packed-refs'))) return undefined;
  return {
    why: 'isolation: worktree needs branches contracts/<id>, and a branch named contracts prevents them',
    fix: 'git branch -m contracts another-name, or isolation: shared',
  };
}

/** The answer for the last file: it is asked for every task that is ready. */
const packed = new WeakMap<Disk, { readonly mark: string; readonly found: boolean }>();

function isPacked(disk: Disk, path: string): boolean {
  const stat = disk.stat(path);
  if (stat === undefined) return false;
  const mark = [path, stat.inode, stat.bytes, stat.mtime_ms, stat.ctime_ms].join(' ');
  const known = packed.get(disk);
  if (known?.mark === mark) return known.found;
  const found = / refs\/heads\/contracts$/m.test(textOf(disk, path, PACKED_BYTES) ?? '');
  packed.set(disk, { mark, found });
  return found;
}

export function topOf(disk: Disk, root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    // An empty folder of that name is nothing to git either.
    const git_dir = gitFolder(disk, folder);
    if (git_dir !== undefined && disk.stat(join(git_dir, 'HEAD')) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** `.git` is the folder, or a file that names it: in a linked worktree, or a submodule. */
function gitFolder(disk: Disk, top: string): string | undefined {
  const path = join(top, '.git');
  if (disk.stat(path)?.kind === 'folder') return path;
  const named = /^gitdir: (.+)$/.exec(lineOf(disk, path) ?? '')?.[1];
  return named === undefined ? undefined : resolve(top, named);
}

function hasCommit(disk: Disk, { git_dir, common_dir }: Repository): boolean {
  const head = lineOf(disk, join(git_dir, 'HEAD'));
  if (head === undefined) return false;
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return true;
  if (disk.stat(join(common_dir, ref)) !== undefined) return true;
  // Only git can read a table of refs.
  if (disk.stat(join(common_dir, 'reftable')) !== undefined) return true;
  return (textOf(disk, join(common_dir, 'packed-refs'), PACKED_BYTES) ?? '')
    .split('\n')
    .some((line) => line.endsWith(` ${ref}`));
}

function lineOf(disk: Disk, path: string): string | undefined {
  return textOf(disk, path, SMALL_BYTES)?.split('\n')[0]?.trim();
}

function textOf(disk: Disk, path: string, bytes_max: number): string | undefined {
  try {
    return Buffer.from(disk.read(path, bytes_max)).toString('utf8');
  } catch (error) {
    if (isGone(error) || error instanceof ReadRefused) return undefined;
    throw error;
  }
}
