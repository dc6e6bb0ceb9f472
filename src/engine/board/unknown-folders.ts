/** What is beside the state folders and is no state: a task in a mistyped folder would wait unseen. Looks at names alone. */
import { join } from 'node:path';
import { isTaskId, slugOf } from '../../task/core/model/id.ts';
import { nearest } from '../../task/core/base/nearest.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { isState, STATES, type State } from '../../task/core/model/state.ts';
import { shown, stateFolder, TASK_FILES } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import { readText } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { shellWord } from '../../task/core/base/shell-quote.ts';

export function strangeStates(ws: Workspace): Problem[] {
  return listOrNothing(ws.disk, ws.layout.tasks)
    .filter(({ name }) => !name.startsWith('.') && !isState(name) && !/^readme\b/i.test(name))
    .map(({ name, kind }) => {
      const at = shown(ws.layout, join(ws.layout.tasks, name));
      if (kind === 'folder' && isTask(ws, ws.layout.tasks, name)) {
        const folder = stateFolder(ws.layout, 'draft');
        const draft = shellWord(shown(ws.layout, folder));
        const make = ws.disk.stat(folder) ? '' : `mkdir ${draft} && `;
        return problem({
          code: 'leftover',
          file: at,
          message: 'this task is in no state folder',
          expected: STATES.join(', '),
          fix: `${make}mv ${shellWord(at)} ${draft}/`,
        });
      }
      const tasks = kind === 'folder' ? tasksIn(ws, join(ws.layout.tasks, name)) : 0;
      const meant = nearest(name, STATES);
      const held =
        kind === 'folder' ? ` and holds ${tasks === 1 ? '1 task' : `${tasks} tasks`}` : '';
      const move = tasks === 0 ? 'Move it out of active_tasks' : 'Move what it holds into a state';
      return problem({
        code: tasks > 0 ? 'leftover' : 'bad_value',
        severity: tasks > 0 || meant !== undefined ? 'error' : 'warning',
        file: at,
        message: `${name} is no state${held}`,
        expected: STATES.join(', '),
        fix: meant === undefined ? move : `Did you mean ${meant}? ${move}`,
      });
    });
}

function tasksIn(ws: Workspace, folder: string): number {
  return listOrNothing(ws.disk, folder).filter(
    ({ name, kind }) => kind === 'folder' && isTask(ws, folder, name),
  ).length;
}

function isTask(ws: Workspace, folder: string, name: string): boolean {
  return isTaskId(name) && ws.disk.stat(join(folder, name, 'contract.md')) !== undefined;
}

/** `mv draft/x ready/` where there is no `ready/` renames the task: its files are then in the state. */
export function renamedToState(ws: Workspace, state: State): Problem {
  const folder = stateFolder(ws.layout, state);
  const at = shown(ws.layout, folder);
  const held = [...TASK_FILES, 'notes', 'attempts'].filter((name) =>
    ws.disk.stat(join(folder, name)),
  );
  const text = readText(ws.disk, join(folder, 'contract.md'), at);
  // Only a name to propose: every list of names comes through here, so no more of the contract is read.
  const [, own = '', title = ''] =
    /^(?:id: *([a-z0-9_-]+)|(?:title:|#) *(.+))\s*$/m.exec(text.ok ? text.value : '') ?? [];
  const id = isTaskId(own) ? own : slugOf(title) || 'task';
  const [target, ...files] = [id, ...held].map((name) => shellWord(`${at}/${name}`));
  return problem({
    code: 'leftover',
    file: `${at}/contract.md`,
    message: `a task has the place of the folder ${state}: it was moved there before ${state}/ existed`,
    fix: `Give it a folder of its own: mkdir ${target} && mv ${files.join(' ')} ${target}/`,
  });
}
