/** states: the table of transitions. */
import type { Command } from 'commander';
import { tableRows } from '../../core/transitions.ts';
import type { Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { statesTable } from '../states-table.ts';
import { example } from '../verb.ts';

export function states(command: Command, frame: Frame): void {
  command
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts states'))
    .action((flags: { json?: boolean }) => {
      const out = makeOutput(frame.streams, flags.json === true);
      out.say(statesTable());
      for (const row of tableRows()) out.data({ v: 1, event: 'transition', ...row });
    });
}
