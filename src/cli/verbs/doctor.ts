/** doctor: what is wrong with the tree, and what this machine can do. */
import type { Command } from 'commander';
import { doctor as examine } from '../../engine/verbs/doctor.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { example, open } from '../verb.ts';

export function doctor(command: Command, frame: Frame): void {
  command
    .option('--fix', 'mend what can be mended without losing anything')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts doctor --fix'))
    .action((flags: { fix?: boolean }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const found = examine(verb.ws, { fix: flags.fix === true });
      for (const line of found.fixed) {
        verb.out.data({ v: 1, event: 'fixed', text: line });
        verb.out.say(`fixed  ${escapeText(line)}`);
      }
      for (const problem of found.problems) verb.out.problem(problem);
      for (const ability of found.abilities) {
        verb.out.data({ v: 1, event: 'ability', ...ability });
        verb.out.say(
          `${ability.holds ? 'yes' : 'no '}  ${ability.name.padEnd(16)} ${ability.means}`,
        );
      }
      if (found.problems.length === 0) verb.out.say('Nothing is wrong with the tree.');
      if (found.problems.some((one) => one.severity === 'error')) frame.code = EXIT.people;
    });
}
