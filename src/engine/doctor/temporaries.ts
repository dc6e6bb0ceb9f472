/**
 * Temporaries of writers that died: where put and claim make them, on desks that a runner was filling, and
 * anywhere below `.contracts/`. They were never published, so the old ones may be removed.
 */
import { join } from 'node:path';
import { problem } from '../../task/core/model/problem.ts';
import { STATES } from '../../task/core/model/state.ts';
import { listAttempts, PREPARED } from '../../task/store/tasks/claims.ts';
import { removeTree, type Entry } from '../../task/store/disk/disk.ts';
import {
  desksFolder,
  oldWorktreesFolder,
  SETTINGS,
  shown,
  stateFolder,
} from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { entriesOf, isShut } from '../../task/store/snapshots/folder-snapshot.ts';
import { listOrNothing, listState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Finding } from '../board/archive.ts';

/** Younger temporaries may belong to a live writer. */
const TEMPORARY_AGE_MS = 3_600_000;

export function temporaries(ws: Workspace): Finding[] {
  const folders = [
    ws.layout.tasks,
    ...STATES.flatMap((state) => {
      const home = stateFolder(ws.layout, state);
      const ids = listState(ws.disk, ws.layout, state).ids.map((id) => join(home, id));
      return [
        home,
        ...ids.flatMap((task) => [
          task,
          join(task, 'attempts'),
          join(task, 'notes'),
          ...listAttempts(ws.disk, task).map(({ name }) => join(task, 'attempts', name)),
        ]),
      ];
    }),
  ];
  const desks = [
    ...listOrNothing(ws.disk, desksFolder(ws.layout)).map(({ name }) =>
      join(desksFolder(ws.layout), name),
    ),
    ...folders.map((one) => join(one, 'desk')),
  ].flatMap((desk) => [desk, join(desk, 'previous')]);
  const { root } = ws.layout;
  const below = foldersBelow(ws, join(root, SETTINGS));
  const ours = [...desks.filter((one) => isOpenFolder(ws, one)), root, ...below];
  return [
    ...folders.flatMap((one) => temporariesIn(ws, one, isTemporary)),
    ...ours.flatMap((one) => temporariesIn(ws, one, isOfRunner)),
  ];
}

/** With the folder itself, through no link. */
function foldersBelow(ws: Workspace, folder: string): readonly string[] {
  const inner = entriesOf(ws.disk, folder).filter(
    (entry) => entry.kind === 'folder' && !isOfRunner(entry),
  );
  const paths = inner.map(({ name }) => join(folder, name));
  // Those of earlier versions are trees of the project.
  const own = paths.filter((path) => path !== oldWorktreesFolder(ws.layout));
  return [folder, ...own.flatMap((path) => foldersBelow(ws, path))];
}

/** A working agent may have made its desk unreadable. */
function isOpenFolder(ws: Workspace, path: string): boolean {
  try {
    return ws.disk.stat(path)?.kind === 'folder';
  } catch (error) {
    if (isShut(error)) return false;
    throw error;
  }
}

function isTemporary({ name }: Entry): boolean {
  return name.startsWith(TEMPORARY) || name.startsWith(PREPARED);
}

/** Agents and people may give their files any name: only the runner's own form counts. */
function isOfRunner({ name }: Entry): boolean {
  return /^\.(?:tmp|new)-[0-9a-f]{32}$/.test(name);
}

function temporariesIn(ws: Workspace, folder: string, isOne: (entry: Entry) => boolean): Finding[] {
  const now = ws.machine.now().getTime();
  return entriesOf(ws.disk, folder)
    .filter(isOne)
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
