/** plan new: a request becomes a contract for the plan agent; its path on stdout, the rest on stderr. */
import type { Command } from 'commander';
import { askForPlan } from '../../engine/verbs/plan-new.ts';
import { escapeText } from '../../text/terminal.ts';
import type { Frame } from '../frame.ts';
import { COMMAND_LINE } from '../output.ts';
import { example, misused, open, refuse } from '../verb.ts';

interface Flags {
  readonly squad?: readonly string[];
  readonly name?: string;
  readonly id?: string;
}

export function newPlan(command: Command, frame: Frame): void {
  command
    .argument('<request>', 'what you want, in words')
    .option(
      '--squad <name>',
      'whose plan it is; else the one that the words point to. Further ones get sections of their own',
      (said: string, before: readonly string[] = []) => [...before, ...said.split(',')],
    )
    .option('--name <name>', 'of the plan; else made of the words')
    .option('--id <id>', 'choose the id of the contract yourself')
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      example(
        'contracts plan new "a landing page for the summer sale"\ncontracts plan new "log in with a passkey" --squad dev --name passkey',
      ),
    )
    .action((request: string, flags: Flags, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      if (request.trim() === '') {
        const fix = 'Say what you want: contracts plan new "a newsletter for our customers"';
        return refuse(frame, verb.out, [misused('there is nothing to plan', fix)]);
      }
      const { squad: named = [], ...rest } = flags;
      const squads = named.map((one) => one.trim()).filter((one) => one !== '');
      const asked = askForPlan(verb.ws, { request: request.trim(), squads, ...rest });
      if (!asked.ok) {
        const typed = asked.problems.map((one) => ({ ...one, file: COMMAND_LINE }));
        return refuse(frame, verb.out, typed);
      }
      const { created, choice, plan } = asked.value;
      verb.out.data({ v: 1, event: 'created', ...created });
      verb.out.data({ v: 1, event: 'squad_choice', ...choice });
      verb.out.say(verb.out.path(created.file));
      if (verb.out.json) return;
      for (const problem of created.problems) verb.out.problem(problem);
      const sure =
        choice.how === 'inferred' ? `, ${Math.round(choice.confidence * 100)} % sure` : '';
      const why = choice.how === 'explicit' ? '' : ` (${choice.how}${sure}: ${choice.why})`;
      const { err } = frame.streams;
      const also = squads.slice(1).map((one) => `, with sections for ${one}`);
      err(`${escapeText(`For the squad ${choice.name}${why}${also.join('')}.`)}\n`);
      const doomed = created.problems.some(({ severity }) => severity === 'error');
      const first = doomed ? 'mend what is in the way, then ' : '';
      err(`Next: ${first}contracts confirm ${created.id}, contracts run, `);
      err(`and once it is done: contracts plan start ${plan}\n`);
    });
}
