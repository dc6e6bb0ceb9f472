/** board: the states side by side, with their tasks. */
import { LIVE_STATES, STATES } from '../../task/core/model/state.ts';
import { listTasks } from '../../engine/queries/list.ts';
import { boardLines, boardOf } from '../output/board-text.ts';
import { screenOf } from '../output/text-width.ts';
import { emptyMessage } from '../output/empty-list.ts';
import { verb } from '../terminal/verb-context.ts';

export const runs = {
  board: verb(({ ws, out, frame }, flags: { all?: boolean }) => {
    const states = flags.all === true ? STATES : LIVE_STATES;
    const listing = listTasks(ws, { states: new Set(states) });
    for (const problem of listing.problems) out.problem(problem);
    const columns = boardOf(listing.tasks, states);
    for (const { state, tasks } of columns)
      out.data({ v: 1, event: 'column', state, count: tasks.length, tasks });
    const nothing = (): string => emptyMessage(ws, states, 'board');
    for (const line of boardLines(columns, screenOf(frame.streams), nothing)) out.print(line);
  }),
};
