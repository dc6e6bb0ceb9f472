/** states: the table of transitions. */
import { tableRows } from '../../task/core/model/transitions.ts';
import { statesTable } from '../output/states-table.ts';
import { bare } from '../terminal/verb-context.ts';

export const runs = {
  states: bare(({ out }) => {
    out.say(statesTable());
    for (const row of tableRows()) out.data({ v: 1, event: 'transition', ...row });
  }),
};
