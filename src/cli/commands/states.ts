/** states: the table of transitions, and that of stories. */
import { STORY_LIFECYCLE } from '../../plans/core/story.ts';
import { tableRows } from '../../task/core/model/transitions.ts';
import { statesTable, storiesTable } from '../output/states-table.ts';
import { bare } from '../terminal/verb-context.ts';

export const runs = {
  states: bare(({ out }, flags: { stories?: boolean }) => {
    if (flags.stories === true) {
      out.say(storiesTable());
      for (const row of STORY_LIFECYCLE) out.data({ v: 1, event: 'story_transition', ...row });
      return;
    }
    out.say(statesTable());
    for (const row of tableRows()) out.data({ v: 1, event: 'transition', ...row });
  }),
};
