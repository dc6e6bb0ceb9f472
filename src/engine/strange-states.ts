/**
 * What stands beside the state folders and is no state: a task in a mistyped folder is in no state
 * and would wait unseen. Names alone are looked at; nothing is touched.
 */
import { join } from 'node:path';
import { isTaskId } from '../core/id.ts';
import { nearest } from '../core/nearest.ts';
import { problem, type Problem } from '../core/problem.ts';
import { isState, STATES } from '../core/state.ts';
import { shown } from '../store/layout.ts';
import { listOrNothing } from '../store/tasks.ts';
import type { Workspace } from './workspace.ts';

export function strangeStates(ws: Workspace): Problem[] {
  return listOrNothing(ws.disk, ws.layout.tasks)
    .filter(({ name }) => !name.startsWith('.') && !isState(name) && !/^readme\b/i.test(name))
    .map(({ name, kind }) => {
      const tasks = kind === 'folder' ? tasksIn(ws, join(ws.layout.tasks, name)) : 0;
      const meant = nearest(name, STATES);
      const held =
        kind === 'folder' ? ` and holds ${tasks === 1 ? '1 task' : `${tasks} tasks`}` : '';
      const move = tasks === 0 ? 'Move it out of active_tasks' : 'Move what it holds into a state';
      return problem({
        code: 'bad_value',
        severity: tasks > 0 || meant !== undefined ? 'error' : 'warning',
        file: shown(ws.layout, join(ws.layout.tasks, name)),
        message: `${name} is no state${held}`,
        expected: STATES.join(', '),
        fix: meant === undefined ? move : `Did you mean ${meant}? ${move}`,
      });
    });
}

function tasksIn(ws: Workspace, folder: string): number {
  return listOrNothing(ws.disk, folder).filter(
    ({ name, kind }) =>
      kind === 'folder' &&
      isTaskId(name) &&
      ws.disk.stat(join(folder, name, 'contract.md')) !== undefined,
  ).length;
}
