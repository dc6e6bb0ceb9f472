/** Finds one task by its id in any state; refuses what is missing or in two states. */
import { isTaskId } from '../../task/core/model/id.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { archiveFolder, shown, stateFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { archivedState, isArchived } from '../board/archive.ts';
import { readArchived, readTask } from '../../workspace/tasks/read-task.ts';
import { doubleProblem } from '../step/next-action.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** A task that moves between the look and the reading is looked for again, a few times. */
export function findTask(ws: Workspace, id: string, tries = 3): Result<TaskRead> {
  const states = isTaskId(id) ? locate(ws.disk, ws.layout, id) : [];
  const [state] = states;
  if (state === undefined && isArchived(ws, id)) {
    const file = shown(ws.layout, archiveFolder(ws.layout, id));
    return refused({
      code: 'missing_file',
      file,
      message: `${id} is archived in ${file}`,
      fix: `Move it back to ${shown(ws.layout, stateFolder(ws.layout, 'done'))}/; see which are left: contracts list`,
    });
  }
  if (tries === 0 || state === undefined) {
    return refused({
      code: 'missing_file',
      file: shown(ws.layout, ws.layout.tasks),
      message: `there is no task ${id}`,
      fix: 'See which there are: contracts list',
    });
  }
  if (states.length > 1) return refused([doubleProblem(ws, id, states)]);
  const task = readTask(ws, state, id);
  return task === undefined ? findTask(ws, id, tries - 1) : ok(task);
}

export interface FoundTask {
  readonly task: TaskRead;
  readonly folder: string;
  readonly archived: boolean;
}

/** In the archive, too; then its state is what it was. */
export function findAny(ws: Workspace, id: string): Result<FoundTask> {
  const old = isArchived(ws, id) && locate(ws.disk, ws.layout, id).length === 0;
  const was = old && archivedState(ws, id) === 'archived_aborted' ? 'aborted' : 'done';
  const task = old ? readArchived(ws, was, id) : undefined;
  if (task !== undefined) return ok({ task, folder: archiveFolder(ws.layout, id), archived: true });
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const folder = taskFolder(ws.layout, found.value.state, id);
  return ok({ task: found.value, folder, archived: false });
}
