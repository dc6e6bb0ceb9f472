/**
 * Temporaries of writers that died, by the form of their names: in the root, and anywhere below the folder of
 * tasks and `.contracts/`. They were never published, so the old ones may be removed.
 */
import { join } from 'node:path';
import { problem } from '../../task/core/model/problem.ts';
import { removeTree, type Entry } from '../../task/store/disk/disk.ts';
import { SETTINGS, shown } from '../../task/store/tasks/layout.ts';
import { entriesOf } from '../../task/store/snapshots/folder-snapshot.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Finding } from '../board/archive.ts';

/** Younger temporaries may belong to a live writer. */
const TEMPORARY_AGE_MS = 3_600_000;

export function temporaries(ws: Workspace): Finding[] {
  const { root, tasks } = ws.layout;
  const below = [join(root, SETTINGS), tasks].flatMap((one) => foldersBelow(ws, one));
  return [...new Set([root, ...below])].flatMap((one) => temporariesIn(ws, one));
}

/** With the folder itself, through no link. A working agent may have made one unreadable. */
function foldersBelow(ws: Workspace, folder: string): readonly string[] {
  const inner = entriesOf(ws.disk, folder).filter((one) => one.kind === 'folder' && !isOurs(one));
  return [folder, ...inner.flatMap(({ name }) => foldersBelow(ws, join(folder, name)))];
}

/** Agents and people may give their files any name: only the runner's own form counts. */
function isOurs({ name }: Entry): boolean {
  return /^\.(?:tmp|new)-[0-9a-f]{32}$/.test(name);
}

function temporariesIn(ws: Workspace, folder: string): Finding[] {
  const now = ws.machine.now().getTime();
  return entriesOf(ws.disk, folder)
    .filter(isOurs)
    .map(({ name }) => {
      const path = join(folder, name);
      const old = now - (ws.disk.stat(path)?.mtime_ms ?? now) > TEMPORARY_AGE_MS;
      const found = problem({
        code: 'leftover',
        severity: 'warning',
        file: shown(ws.layout, path),
        message: old
          ? 'a writer died and left this behind'
          : 'a temporary file, made within the last hour',
        fix: old ? 'contracts doctor --fix removes it' : 'Look again in an hour',
      });
      return old ? { problem: found, mend: () => removeTree(ws.disk, path) } : { problem: found };
    });
}
