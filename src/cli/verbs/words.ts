/** answer, resolve, note: a person's words into the files of a task. */
import type { Command } from 'commander';
import { addNote, answer as give, resolveBlocked } from '../../engine/verbs/words.ts';
import type { Frame } from '../frame.ts';
import { example, open, saidWritten, unwrap } from '../verb.ts';

export function answer(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .argument('<text>')
    .option('-q, --question <n>', 'which one; the first open one when left out', Number)
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts answer ID "Use PostgreSQL"'))
    .action((id: string, text: string, flags: { question?: number }, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const written = unwrap(verb, give(verb.ws, id, text, flags.question));
      if (written === undefined) return;
      saidWritten(verb, 'answered', written);
      if (written.open > 0) verb.out.say(`${written.open} still open: contracts answer ${id} "…"`);
      else verb.out.say('Next: contracts run');
    });
}

export function resolve(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .argument('<text>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts resolve ID "Use the staging database"'))
    .action((id: string, text: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const written = unwrap(verb, resolveBlocked(verb.ws, id, text));
      if (written === undefined) return;
      saidWritten(verb, 'resolved', written);
      verb.out.say('Next: contracts run');
    });
}

export function note(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .argument('<text>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts note ID "The API changed yesterday"'))
    .action((id: string, text: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const written = unwrap(verb, addNote(verb.ws, id, text));
      if (written !== undefined) saidWritten(verb, 'noted', written);
    });
}
