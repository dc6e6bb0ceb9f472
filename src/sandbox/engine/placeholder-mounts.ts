/**
 * Empty folders in place of missing settings folders, which an agent could create otherwise. The
 * name of the folder in it has the attempt, so the next step or `doctor --fix` removes left ones.
 */
import { join } from 'node:path';
import { SETTING_FOLDERS } from '../../task/core/model/permissions.ts';
import { errorCode, isGone } from '../../task/store/disk/disk.ts';
import { desksFolder, SETTINGS } from '../../task/store/tasks/layout.ts';
import { entriesOf } from '../../task/store/snapshots/folder-snapshot.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { mustBeThere, type Workspace } from '../../workspace/open/workspace.ts';
import { placeIfMade } from '../../worktrees/engine/place.ts';

/** The sticky bit marks it as ours: no person sets it there. */
const MODE = 0o1755;
const STICKY = 0o1000;
/** Each time another process created or removed it just then. */
const TRIES_MAX = 100;
/** `.contracts-<task>.<NNNN>.<random>`; git ignores folders without files. */
const USER = /^\.contracts-(.+\.\d{4,9})\.[0-9a-f]+$/;
const NAMES = SETTING_FOLDERS.filter((name) => name !== SETTINGS);
const LIVE = new Set('alive orphan orphan_overdue elsewhere unknown'.split(' '));

/** Created so that an agent can write in them. */
const opened = new Set<string>();

/** `folders` are absolute, `attempt` is `<task>.<NNNN>`; `over` leaves out those of a person. */
export function standIn(ws: Workspace, folders: readonly string[], attempt: string) {
  const user = `.contracts-${attempt}.${ws.machine.nonce().slice(0, 12)}`;
  const over = folders.filter((folder) => use(ws, folder, join(folder, user)));
  const letGo = (): void => {
    for (const folder of over) tryRemove(ws, [join(folder, user), folder]);
  };
  return { over, letGo };
}

function use(ws: Workspace, folder: string, user: string): boolean {
  for (let tries = 1; ; tries++) {
    try {
      if (ws.disk.stat(folder) === undefined) ws.disk.mkdir(folder, MODE);
      else if (!isStandIn(ws, folder)) return false;
      ws.disk.mkdir(user, MODE);
      return true;
    } catch (error) {
      if (tries === TRIES_MAX || !(isGone(error) || errorCode(error) === 'EEXIST')) throw error;
    }
  }
}

/** One that is removed at this moment still counts. */
export function isStandIn({ disk }: Workspace, folder: string): boolean {
  const { kind, mode = 0 } = disk.stat(folder) ?? { kind: 'folder', mode: STICKY };
  const entries = entriesOf(disk, folder);
  const marked = entries.length > 0 || (mode & STICKY) !== 0;
  return kind === 'folder' && marked && entries.every(({ name }) => USER.test(name));
}

/** Stand-ins that no live attempt uses, in the workspace and its worktrees. */
export function leftStandIns(ws: Workspace, worktrees = true) {
  const place = worktrees ? placeIfMade(ws) : undefined;
  const roots = place ? entriesOf(ws.disk, place).map(({ name }) => join(place, name)) : [];
  const folders = [ws.layout.root, ...roots].flatMap((root) => NAMES.map((one) => join(root, one)));
  return folders.flatMap((folder) => {
    if (ws.disk.stat(folder) === undefined) return [];
    const entries = entriesOf(ws.disk, folder).map(({ name }) => name);
    const left = entries.filter((one) => USER.test(one) && !isLive(ws, USER.exec(one)?.[1] ?? ''));
    const whole = left.length === entries.length && isStandIn(ws, folder);
    const paths = [...left.map((name) => join(folder, name)), ...(whole ? [folder] : [])];
    return paths.length === 0 ? [] : [{ folder, remove: () => tryRemove(ws, paths) }];
  });
}

/** After a step: what a dead runner or a failed attempt left; `acted`: in worktrees too. */
export function clearStandIns(ws: Workspace, acted: boolean): void {
  mustBeThere(ws);
  for (const { remove } of leftStandIns(ws, acted)) remove();
  closeOpened(ws, []);
}

/** Removes those that stayed empty once no other attempt runs, which may use them too. */
export function closeOpened(ws: Workspace, made: readonly string[], attempt = ''): void {
  for (const folder of made) opened.add(folder);
  if (opened.size === 0) return;
  const desks = entriesOf(ws.disk, desksFolder(ws.layout));
  if (desks.some(({ name }) => name !== attempt && isLive(ws, name))) return;
  tryRemove(ws, [...opened].sort().toReversed());
  opened.clear();
}

/** `<task>.<NNNN>` has not ended, and its runner or agent lives. */
function isLive(ws: Workspace, attempt: string): boolean {
  const [, id = '', number] = /^(.+)\.(\d+)$/.exec(attempt) ?? [];
  // A task that moves at this moment may be missed once.
  return [1, 2].some(() =>
    (id === '' ? [] : locate(ws.disk, ws.layout, id)).some((state) => {
      const task = readTask(ws, state, id);
      const found = task?.attempts.find((one) => one.number === Number(number) && !one.lost);
      return task && found && !found.outcome && LIVE.has(holderOf(ws, task));
    }),
  );
}

/** In this order; one that is in use, or gone, is skipped. */
function tryRemove(ws: Workspace, paths: readonly string[]): void {
  for (const path of paths) {
    try {
      ws.disk.remove(path);
    } catch (error) {
      const stays = 'ENOENT ENOTDIR ENOTEMPTY EEXIST EACCES EPERM EROFS EBUSY'.split(' ');
      if (!stays.includes(errorCode(error) ?? '')) throw error;
    }
  }
}
