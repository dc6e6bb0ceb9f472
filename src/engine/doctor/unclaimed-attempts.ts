/**
 * Attempt folders without an owner.md: a claim makes both in one rename, so no runner made the folder, and
 * the task waits for nothing. An empty one can be removed without loss.
 */
import { problem } from '../../task/core/model/problem.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { attemptFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Finding } from './temporaries.ts';

export function unclaimed(ws: Workspace, task: TaskRead): Finding[] {
  const folder = taskFolder(ws.layout, task.state, task.id);
  return task.attempts.flatMap(({ number, lost, outcome }): Finding[] => {
    const path = attemptFolder(folder, number, lost);
    if (outcome !== undefined || ws.disk.stat(`${path}/owner.md`) !== undefined) return [];
    const file = shown(ws.layout, path);
    const isFolder = ws.disk.stat(path)?.kind === 'folder';
    const empty = isFolder && listOrNothing(ws.disk, path).length === 0;
    const away = `Move it away: mv ${file} ${task.id}-attempt-${number}`;
    const found = problem({
      code: 'missing_file',
      file,
      message: `it has no owner.md, so no runner made attempt ${number}; the task waits for it`,
      fix: empty ? 'It is empty: contracts doctor --fix removes it' : away,
    });
    return [{ problem: found, ...(empty ? { mend: () => ws.disk.remove(path) } : {}) }];
  });
}
