/** states: the table of transitions, and that of stories. */
import type { Command } from 'commander';
import { STORY_LIFECYCLE } from '../../core/story.ts';
import { tableRows } from '../../core/transitions.ts';
import type { Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { statesTable, storiesTable } from '../states-table.ts';
import { example } from '../verb.ts';

export function states(command: Command, frame: Frame): void {
  command
    .option('--stories', 'the lifecycle of a story, and who may bring it further')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts states\ncontracts states --stories'))
    .action((flags: { json?: boolean; stories?: boolean }) => {
      const out = makeOutput(frame.streams, flags.json === true);
      if (flags.stories === true) {
        out.say(storiesTable());
        for (const row of STORY_LIFECYCLE) out.data({ v: 1, event: 'story_transition', ...row });
        return;
      }
      out.say(statesTable());
      for (const row of tableRows()) out.data({ v: 1, event: 'transition', ...row });
    });
}
