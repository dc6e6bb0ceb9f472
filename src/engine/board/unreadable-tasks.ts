/** Tasks that the environment did not let us read, as problems, so that none is missing without a message. */
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { lastFolder } from './archive.ts';
import type { Board } from './board.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function unreadTasks(ws: Workspace, { faults }: Pick<Board, 'faults'>): Problem[] {
  return [...faults].map(([id, error]) => {
    const event = faultEvent(id, error);
    const [message, fix] = event.event === 'fault' ? [event.reason, event.fix] : ['', ''];
    const file = shown(ws.layout, lastFolder(ws, id));
    return problem({ code: 'environment', file, message, fix });
  });
}
