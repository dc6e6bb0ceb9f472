/** Reverts violations: only what is still as the comparison saw it, never through a link. */
import { dirname, join } from 'node:path';
import type { Found } from '../../core/judge-changes.ts';
import { attemptName } from '../../../task/core/attempts/record.ts';
import { unlessGone } from '../../../task/store/disk/disk.ts';
import { shown } from '../../../task/store/tasks/layout.ts';
import { put } from '../../../task/store/disk/put.ts';
import { entriesOf, markAt } from '../../../task/store/snapshots/folder-snapshot.ts';
import type { Running } from '../../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import type { Compared } from './compare.ts';
import type { Baseline } from './snapshot.ts';
import { shellWord } from '../../../task/core/base/shell-quote.ts';

export function revertViolations(running: Running, baseline: Baseline, compared: Compared): void {
  for (const found of compared.violating) {
    const { area, path } = found;
    const why =
      area === 'file' || area === 'settings'
        ? putBack(running, baseline, compared, found)
        : 'it is not a file of the tree';
    running.emit({
      event: 'wrote',
      task: running.id,
      file: path,
      reason: why === undefined ? 'restored' : `not restored:  ${why}`,
      ...(why === undefined ? {} : { left: true }),
    });
  }
}

/** A person may have made noticed changes, or the strength refuses nothing. */
export function reportLeft(
  { id, number, ws, emit }: Running,
  { noticing }: Compared,
  in_patch: ReadonlySet<string>,
): void {
  const tasks = shellWord(shown(ws.layout, ws.layout.tasks));
  // The task is in another state soon.
  const patch = `${tasks}/*/${id}/attempts/${attemptName(number)}/noticed.patch`;
  for (const { path, by_agent } of noticing) {
    const why = by_agent ? 'its strength refuses nothing' : 'it is not known who changed it';
    const how = in_patch.has(path) ? `; by hand: git apply -R ${patch}` : '';
    const reason = `not reverted: ${why}${how}`;
    emit({ event: 'wrote', task: id, file: path, reason, left: true });
  }
}

/** Why it was not restored; undefined when it was. */
function putBack(
  { ws }: Running,
  baseline: Baseline,
  compared: Compared,
  { path, kind }: Found,
): string | undefined {
  const { disk, layout } = ws;
  const full = join(layout.root, path);
  if (!isReached(ws, baseline, path)) return 'a folder in its path is a link, or missing';
  if (markAt(disk, full) !== compared.after.tree?.files.get(path))
    return 'it has changed since then';
  if (kind === 'create') {
    disk.remove(full);
    removeEmpty(ws, baseline, dirname(path));
    return undefined;
  }
  const kept = baseline.kept.get(path);
  if (kept === undefined) return 'its earlier content was not saved';
  const mode = kept.mode === undefined ? {} : { mode: kept.mode };
  put(ws.putting, full, kept.bytes, { durable: true, ...mode });
  return undefined;
}

/** False where a folder above is a link or missing; one that existed before is created again. */
function isReached(ws: Workspace, baseline: Baseline, path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.every((_name, i) => {
    const folder = folders.slice(0, i + 1).join('/');
    const full = join(ws.layout.root, folder);
    const kind = ws.disk.stat(full)?.kind;
    if (kind !== undefined) return kind === 'folder';
    if (baseline.seen.tree?.folders.has(folder) !== true) return false;
    ws.disk.mkdir(full);
    return true;
  });
}

/** Removes new folders above it that are empty. */
function removeEmpty(ws: Workspace, baseline: Baseline, folder: string): void {
  const known = baseline.seen.tree?.folders;
  for (let path = folder; path !== '.' && known?.has(path) === false; path = dirname(path)) {
    const full = join(ws.layout.root, path);
    if (entriesOf(ws.disk, full).length > 0) return;
    unlessGone(() => ws.disk.remove(full), undefined);
  }
}
