/** board: the states side by side, with their tasks. */
import type { Command } from 'commander';
import { LIVE_STATES, STATES } from '../../core/state.ts';
import { listTasks } from '../../engine/verbs/list.ts';
import { boardLines, boardOf } from '../board-text.ts';
import type { Frame } from '../frame.ts';
import { screenOf } from '../layout.ts';
import { nothingStands } from '../nothing.ts';
import { example, open } from '../verb.ts';

export function board(command: Command, frame: Frame): void {
  command
    .option('--all', 'done and aborted too')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts board'))
    .action((flags: { all?: boolean }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const states = flags.all === true ? STATES : LIVE_STATES;
      const listing = listTasks(verb.ws, { states: new Set(states) });
      for (const problem of listing.problems) verb.out.problem(problem);
      const columns = boardOf(listing.tasks, states);
      for (const { state, tasks } of columns)
        verb.out.data({ v: 1, event: 'column', state, count: tasks.length, tasks });
      const nothing = (): string => nothingStands(verb.ws, states, 'board');
      for (const line of boardLines(columns, screenOf(frame.streams), nothing)) verb.out.say(line);
    });
}
