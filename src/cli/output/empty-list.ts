/** The words where no task is shown: there is none, or all are done or aborted. Looks at names alone. */
import { STATES, type State } from '../../task/core/model/state.ts';
import { countTasks } from '../../engine/queries/count-by-state.ts';
import { idleWords } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function emptyMessage(ws: Workspace, shown: readonly State[], flag = '') {
  const left_out = STATES.filter((state) => !shown.includes(state));
  const ended = countTasks(ws, left_out).filter(({ tasks }) => tasks > 0);
  const idle = idleWords(ws)
    .map((words) => `\n${words}`)
    .join('');
  if (ended.length === 0) return `No tasks. Make one: contracts new "What you want"${idle}`;
  const counts = ended.map(({ state, tasks }) => `${tasks} ${state}`).join(', ');
  return `No live tasks; ${counts}. See them: contracts list ${flag}--all${idle}`;
}
