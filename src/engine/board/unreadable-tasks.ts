/** Tasks that the environment did not let us read, as problems, so that none is missing without a message. */
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import type { Board } from './board.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function unreadTasks(ws: Workspace, board: Board): Problem[] {
  return [...board.faults].map(([id, error]) => {
    const event = faultEvent(id, error);
    const [message, fix] = event.event === 'fault' ? [event.reason, event.fix] : ['', ''];
    const [state = 'draft'] = locate(ws.disk, ws.layout, id);
    const file = shown(ws.layout, taskFolder(ws.layout, state, id));
    return problem({ code: 'environment', file, message, fix });
  });
}
