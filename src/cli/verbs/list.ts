/** list: what stands where, and what it waits for. */
import type { Command } from 'commander';
import { isState, STATES, type State } from '../../core/state.ts';
import { listTasks } from '../../engine/verbs/list.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Frame } from '../frame.ts';
import { colourState, makeOutput } from '../output.ts';
import { collectValues, example, misused, open, refuse } from '../verb.ts';

interface ListFlags {
  readonly state: readonly string[];
  readonly all?: boolean;
  readonly ids?: boolean;
  readonly json?: boolean;
}

export function list(command: Command, frame: Frame): void {
  command
    .option('--state <state>', 'only this state; may be repeated', collectValues, [])
    .option('--all', 'done and aborted too')
    .option('--ids', 'nothing but the ids')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts list\ncontracts list --state blocked'))
    .action((flags: ListFlags, self: Command) => {
      const unknown = flags.state.find((text) => !isState(text));
      if (unknown !== undefined) {
        const out = makeOutput(frame.streams, flags.json === true);
        const message = `there is no state of this name; there are ${STATES.join(', ')}`;
        refuse(frame, out, [misused(message, 'Name one: contracts list --state ready', unknown)]);
        return;
      }
      const verb = open(frame, self);
      if (verb === undefined) return;
      const wanted = flags.state.filter(isState);
      const states = flags.all === true ? STATES : wanted.length > 0 ? wanted : undefined;
      const listing = listTasks(verb.ws, states === undefined ? undefined : new Set<State>(states));
      for (const problem of listing.problems) verb.out.problem(problem);
      for (const task of listing.tasks) {
        verb.out.data({ v: 1, event: 'task', ...task });
        verb.out.say(
          flags.ids === true
            ? task.id
            : `${colourState(task.state, task.state.padEnd(11))} ${task.id}  ${escapeText(task.title)}\n            ${escapeText(task.reason)}`,
        );
      }
      if (listing.tasks.length === 0 && listing.problems.length === 0)
        verb.out.say('No tasks. Make one: contracts new "What you want"');
    });
}
