/** init: the folders of a workspace. Says what it made; what is there already is left alone. */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { init as initialise } from '../../engine/verbs/init.ts';
import { realPorts } from '../../engine/workspace.ts';
import { errorCode, type Disk } from '../../store/disk.ts';
import type { Frame } from '../frame.ts';
import { makeOutput } from '../output.ts';
import { example } from '../verb.ts';

export function init(command: Command, frame: Frame): void {
  command
    .argument('[folder]', 'where; the working directory when left out')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts init'))
    .action((folder: string | undefined, _flags: unknown, self: Command) => {
      const options = self.optsWithGlobals<{ json?: boolean; dir?: string }>();
      const out = makeOutput(frame.streams, options.json === true);
      const { disk } = { ...realPorts(), ...frame.ports };
      const place = resolve(folder ?? options.dir ?? '.');
      makeFolder(disk, place);
      const made = initialise(disk, place);
      out.data({ v: 1, event: 'initialised', ...made });
      if (made.made.length === 0) {
        out.say('Everything is there already; nothing was changed.');
        return;
      }
      for (const path of made.made.filter((one) => !one.endsWith('.gitkeep')))
        out.say(`made ${path}`);
      out.say('');
      out.say('Commit active_tasks/ with your project if you like; desks and logs are left out.');
      out.say('Next: contracts new "What you want" --adapter human, or --sh "commands"');
    });
}

/** With the folders above it, one by one. */
function makeFolder(disk: Disk, path: string): void {
  if (disk.stat(path) !== undefined || dirname(path) === path) return;
  makeFolder(disk, dirname(path));
  try {
    disk.mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
