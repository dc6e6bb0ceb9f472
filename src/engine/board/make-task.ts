/** A new task folder, whole before it is visible. May be repeated after a crash: what is there already is left as it is. */
import { join } from 'node:path';
import type { State } from '../../task/core/model/state.ts';
import { errorCode } from '../../task/store/disk/disk.ts';
import { stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { TEMPORARY } from '../../task/store/disk/put.ts';
import { locate, makeState, makeTasksFolder } from '../../task/store/tasks/tasks.ts';
import { isSomewhere } from './archive.ts';
import { bytesOf } from '../../workspace/tasks/attempt-context.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/**
 * The folder is made aside and renamed into its state: half of it is never visible. `false`: it is there, in
 * any state. Another process may make it too, and a runner may begin it.
 */
export function makeTaskOnce(ws: Workspace, state: State, id: string, text: string): boolean {
  if (isSomewhere(ws, id)) return false;
  const folder = taskFolder(ws.layout, state, id);
  makeTasksFolder(ws.disk, ws.layout);
  makeState(ws.disk, ws.layout, state);
  // Beside the states: what a crash leaves of it is in none of them, and is no task's folder.
  const prepared = join(ws.layout.tasks, `${TEMPORARY}${ws.putting.unique()}`);
  ws.disk.mkdir(prepared);
  try {
    ws.disk.create(join(prepared, 'contract.md'), bytesOf(text));
    ws.disk.sync(prepared);
    ws.disk.rename(prepared, folder);
  } catch (error) {
    discard(ws, prepared);
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
  // The other one was begun between our look and our rename: ours is the one without attempts.
  const isFirst = locate(ws.disk, ws.layout, id).length < 2;
  if (!isFirst) {
    ws.disk.remove(`${folder}/contract.md`);
    ws.disk.remove(folder);
  }
  ws.disk.sync(ws.layout.tasks);
  ws.disk.sync(stateFolder(ws.layout, state));
  return isFirst;
}

/** Best effort: what stays is found by `doctor`, and the error that led here is the one to report. */
function discard({ disk }: Workspace, prepared: string): void {
  for (const path of [join(prepared, 'contract.md'), prepared]) {
    try {
      disk.remove(path);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
    }
  }
}
