/**
 * The files of the workspace as the runner sees them: which there are, whether they changed. Sizes
 * and times, not contents, so that a large tree stays cheap; never through a link. Above the limit
 * there is no answer rather than a partial one.
 */
import { relative } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { sha256 } from '../disk/hash.ts';
import { SETTINGS, type Layout } from '../tasks/layout.ts';
import { snapshotFolder } from './folder-snapshot.ts';

export const TREE_FILES_MAX = 20_000;
/** Not part of what an agent's work is judged by. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'LEDGER.md']);
/** What the runner itself writes beside the settings. The settings count: they decide what runs. */
export const OWN: ReadonlySet<string> = new Set(
  ['archive', 'cache', 'memory', 'plans', 'worktrees'].map((name) => `${SETTINGS}/${name}`),
);

/** Path (relative, forward slashes) to a mark that changes when the file does. */
export type Snapshot = ReadonlyMap<string, string>;

/** undefined when there are more than TREE_FILES_MAX files. */
export function snapshot(disk: Disk, layout: Layout): Snapshot | undefined {
  return snapshotFolder(disk, layout.root, {
    files_max: TREE_FILES_MAX,
    left_out: LEFT_OUT,
    skipped: new Set([...OWN, relative(layout.root, layout.tasks)]),
  })?.files;
}

/** Empty when the tree is too large to take: then it equals nothing, and nothing is reused. */
export function fingerprint(files: Snapshot | undefined): string {
  if (files === undefined) return '';
  return sha256(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flat()
      .join('\n'),
  );
}
