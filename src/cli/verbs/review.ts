/**
 * review: everything that waits for the person, one after the other. At a terminal each is shown and
 * acted on; without one they are listed, each with its command, and the exit code says whether any is.
 */
import type { Command } from 'commander';
import type { ListedTask } from '../../engine/verbs/list.ts';
import { waitingForPerson } from '../../engine/verbs/waiting.ts';
import { escapeText } from '../../text/terminal.ts';
import { EXIT, type Frame } from '../frame.ts';
import { colourState } from '../output.ts';
import { walkThrough } from '../review-walk.ts';
import { example, idsOf, open, type Verb } from '../verb.ts';

export function review(command: Command, frame: Frame): void {
  command
    .argument('[id...]', 'only these')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts review\ncontracts review ID'))
    .action(async (typed: string[], _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const ids = idsOf(verb, typed);
      if (ids === undefined) return;
      const waiting = waitingForPerson(verb.ws).filter(
        ({ id }) => ids.length === 0 || ids.includes(id),
      );
      if (waiting.length === 0) verb.out.say('Nothing waits for you.');
      else if (verb.ask === undefined) listWaiting(verb, waiting);
      else await walkThrough(verb, verb.ask, waiting);
    });
}

function listWaiting(verb: Verb, waiting: readonly ListedTask[]): void {
  for (const task of waiting) {
    verb.out.data({ v: 1, event: 'waiting', ...task });
    verb.out.say(
      `${colourState(task.state, task.state.padEnd(11))} ${task.id}  ${escapeText(task.title)}`,
    );
    verb.out.say(`            ${escapeText(task.reason)}  → ${escapeText(task.fix)}`);
  }
  verb.frame.code = EXIT.people;
}
