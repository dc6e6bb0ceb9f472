/** The ledger shows tasks with live child tasks as epics. */
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { stateOfTask } from '../../engine/board/archive.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Epic, LiveTasks } from '../../workspace/tasks/ledger-part.ts';
import { childrenOf, contractOf } from './child-tasks.ts';

export function epicsOf(ws: Workspace, tasks: LiveTasks, parents: Set<string>): readonly Epic[] {
  return [...parents].flatMap((id) => {
    const task = tasks.get(id);
    if (task === undefined) return [];
    const folder = taskFolder(ws.layout, task.state, id);
    const children = childrenOf(ws, folder, id, task.attempts).map((child) => {
      const { contract, state = stateOfTask(ws, child.id) } = tasks.get(child.id) ?? {};
      const known = contract?.ok === true ? contract.value : contractOf(ws, child.id);
      const { title = child.name, head } = known ?? {};
      return { id: child.id, title, agent: head?.agent ?? '', state };
    });
    const title = task.contract.ok ? task.contract.value.title : '';
    return { id, title, tasks: children };
  });
}
