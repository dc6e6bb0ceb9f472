/** The git repository of the workspace as worktrees need it, read in files alone. */
import { join, relative } from 'node:path';
import type { Disk } from '../../task/store/disk/disk.ts';
import { bytesAt, lineAt, markAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { findGit, type Finding } from '../../git/find-git.ts';

export interface Repository {
  /** The main checkout, absolute. */
  readonly top: string;
  readonly git_dir: string;
  /** Folder that all worktrees share: refs, objects, configuration. */
  readonly common_dir: string;
  /** The workspace below `top`; empty when it is `top`. */
  readonly prefix: string;
}

export interface Hindrance {
  readonly why: string;
  readonly fix: string;
}

const PACKED_BYTES_MAX = 256 * 1024 * 1024;

/** A repository with a commit, from which a worktree can start. */
export function findRepository(finding: Finding, root: string): Repository | Hindrance {
  const found = findGit(finding, root);
  if (found === undefined) {
    return {
      why: 'isolation: worktree needs a git repository, and the workspace is not in one',
      fix: 'git init && git add -A && git commit, or isolation: shared',
    };
  }
  const { top, own: git_dir, common: common_dir } = found;
  const repository = { top, git_dir, common_dir, prefix: relative(top, root) };
  if (hasCommit(finding.disk, repository)) return repository;
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
  const now = markAt(disk, path);
  if (now === undefined) return false;
  const mark = `${path} ${now}`;
  const known = packed.get(disk);
  if (known?.mark === mark) return known.found;
  const found = / refs\/heads\/contracts$/m.test(packedRefs(disk, path));
  packed.set(disk, { mark, found });
  return found;
}

function hasCommit(disk: Disk, { git_dir, common_dir }: Repository): boolean {
  const head = lineAt(disk, join(git_dir, 'HEAD'));
  if (head === undefined) return false;
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return true;
  if (disk.stat(join(common_dir, ref)) !== undefined) return true;
  // Only git can read a table of refs.
  if (disk.stat(join(common_dir, 'reftable')) !== undefined) return true;
  return packedRefs(disk, join(common_dir, 'packed-refs'))
    .split('\n')
    .some((line) => line.endsWith(` ${ref}`));
}

function packedRefs(disk: Disk, path: string): string {
  return Buffer.from(bytesAt(disk, path, PACKED_BYTES_MAX) ?? []).toString('utf8');
}
