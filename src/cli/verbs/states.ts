/** states: the table of transitions. */
import type { Command } from 'commander';
import { tableRows } from '../../core/transitions.ts';
import type { Frame } from '../frame.ts';
import { jsonLine } from '../output.ts';
import { statesTable } from '../states-table.ts';
import { example } from '../verb.ts';

export function states(command: Command, frame: Frame): void {
  command
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts states'))
    .action((flags: { json?: boolean }) => {
      if (flags.json !== true) frame.streams.out(`${statesTable()}\n`);
      else for (const row of tableRows()) frame.streams.out(`${jsonLine({ v: 1, ...row })}\n`);
    });
}
