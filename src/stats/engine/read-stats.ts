/** Reads the attempts of all tasks: live, ended and archived ones. */
import { dirname } from 'node:path';
import { archivedState } from '../../engine/board/archive.ts';
import { readPlaces } from '../../engine/board/board.ts';
import { unreadTasks } from '../../engine/board/unreadable-tasks.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { archiveFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing, listState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readArchived, readTask } from '../../workspace/tasks/read-task.ts';
import type { TaskSeen } from '../core/figures.ts';

/** `unreadable`: so many tasks cannot be read whole; what can be read of them counts. */
export function readStats(ws: Workspace) {
  const problems: Problem[] = [...ws.problems, ...readPlaces(ws).problems];
  const tasks: TaskSeen[] = [];
  let unreadable = 0;
  const look = (id: string, state?: State): void => {
    const found: Problem[] = [];
    try {
      const task = state ? readTask(ws, state, id) : readArchived(ws, 'done', id);
      if (task === undefined) return;
      const { contract, attempts } = task;
      const { squad = '', plan = '' } = contract.ok ? contract.value.head : {};
      const is_done = state ? state === 'done' : archivedState(ws, id) === 'archived_done';
      tasks.push({ squad, plan, is_done, attempts });
      found.push(...(contract.ok ? [] : contract.problems), ...task.problems);
    } catch (error) {
      found.push(...unreadTasks(ws, { faults: new Map([[id, error]]) }));
    }
    problems.push(...found);
    if (found.length > 0) unreadable++;
  };
  const { disk, layout } = ws;
  for (const state of STATES) for (const id of listState(disk, layout, state).ids) look(id, state);
  for (const { name, kind } of listOrNothing(disk, dirname(archiveFolder(layout, 'x'))))
    if (kind === 'folder' && isTaskId(name)) look(name);
  return { tasks, unreadable, problems };
}
