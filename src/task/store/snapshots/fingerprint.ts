/** The files of the workspace by sizes and times, not contents, so that a large tree stays cheap. */
import { relative } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { sha256 } from '../disk/hash.ts';
import { SETTINGS, type Layout } from '../tasks/layout.ts';
import { snapshotFolder } from './folder-snapshot.ts';

export const TREE_FILES_MAX = 20_000;
/** An agent's work is not judged by these. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'LEDGER.md']);
/** Paths that the runner itself writes. The settings beside them count: they decide what runs. */
export const OWN: ReadonlySet<string> = new Set(
  ['archive', 'assumptions', 'cache', 'handoffs', 'keys', 'memory', 'plans', 'worktrees'].map(
    (name) => `${SETTINGS}/${name}`,
  ),
);

/** Path (relative, forward slashes) to a mark that changes when the file does. */
export type Snapshot = ReadonlyMap<string, string>;

/** undefined above TREE_FILES_MAX files: no answer rather than a partial one. */
export function snapshot(disk: Disk, layout: Layout): Snapshot | undefined {
  return snapshotFolder(disk, layout.root, {
    files_max: TREE_FILES_MAX,
    left_out: LEFT_OUT,
    skipped: new Set([...OWN, relative(layout.root, layout.tasks)]),
  })?.files;
}

/** Empty for a tree that is too large; nothing is reused then. */
export function fingerprint(files: Snapshot | undefined): string {
  if (files === undefined) return '';
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(sorted.flat().join('\n'));
}
