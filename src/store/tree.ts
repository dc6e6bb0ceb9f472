/**
 * The files of the workspace as the runner sees them: which there are, whether they changed. Sizes
 * and times, not contents, so that a large tree stays cheap; never through a link. Above the limit
 * there is no answer rather than a partial one.
 */
import type { Disk } from './disk.ts';
import { isGone } from './disk.ts';
import { sha256 } from './hash.ts';
import { SETTINGS, type Layout } from './layout.ts';
import { isShut, markAt } from './sight.ts';

export const TREE_FILES_MAX = 20_000;
/** Not part of what an agent's work is judged by. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'LEDGER.md']);
/** What the runner itself writes beside the settings. The settings count: they decide what runs. */
const OWN = new Set(
  ['archive', 'cache', 'memory', 'plans', 'worktrees'].map((name) => `${SETTINGS}/${name}`),
);

/** Path (relative, forward slashes) to a mark that changes when the file does. */
export type Snapshot = ReadonlyMap<string, string>;

/** undefined when there are more than TREE_FILES_MAX files. */
export function snapshot(disk: Disk, layout: Layout): Snapshot | undefined {
  const files = new Map<string, string>();
  const root = layout.root === '/' ? '' : layout.root;
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries: ReturnType<Disk['list']>;
    try {
      entries = disk.list(folder === '' ? layout.root : `${root}/${folder}`);
    } catch (error) {
      if (!isShut(error)) throw error;
      if (!isGone(error)) files.set(`${folder}/`, 'shut');
      continue;
    }
    for (const entry of entries) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (OWN.has(path)) continue;
      if (entry.kind === 'folder') {
        if (`${root}/${path}` !== layout.tasks) folders.push(path);
        continue;
      }
      const mark = markAt(disk, `${root}/${path}`);
      if (mark === undefined) continue;
      files.set(path, mark);
      if (files.size > TREE_FILES_MAX) return undefined;
    }
  }
  return files;
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

/** Paths that are new, gone or different, sorted. */
export function changedFiles(before: Snapshot | undefined, after: Snapshot | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const changed = [...after]
    .filter(([path, mark]) => before.get(path) !== mark)
    .map(([path]) => path);
  const gone = [...before.keys()].filter((path) => !after.has(path));
  return [...changed, ...gone].sort();
}
