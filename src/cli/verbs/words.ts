/**
 * answer, resolve, note: a person's words into the files of a task. At a terminal answer and resolve
 * ask for what was left out: which task, and the words.
 */
import type { Command } from 'commander';
import { escapeText } from '../../text/terminal.ts';
import { addNote, answer as give, questionsOf, resolveBlocked } from '../../engine/verbs/words.ts';
import type { Asker } from '../ask.ts';
import type { Frame } from '../frame.ts';
import { typedOrChosen } from '../pick.ts';
import {
  cannotAsk,
  example,
  idOf,
  missing,
  open,
  saidWritten,
  stands,
  unwrap,
  type Verb,
} from '../verb.ts';

export function answer(command: Command, frame: Frame): void {
  command
    .argument('[id]', 'which task; asked for at a terminal')
    .argument('[text]', 'the answer; asked for at a terminal')
    .option('-q, --question <n>', 'which one; the first open one when left out', Number)
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts answer ID "Use PostgreSQL"\ncontracts answer'))
    .action(
      async (
        typed: string | undefined,
        text: string | undefined,
        flags: { question?: number },
        self: Command,
      ) => {
        if (text === undefined && cannotAsk(frame, self))
          missing(
            self,
            typed === undefined ? 'id' : 'text',
            'contracts answer ID "Use PostgreSQL"',
          );
        const verb = open(frame, self);
        if (verb === undefined) return;
        const id = await typedOrChosen(verb, typed, verb.ask, {
          state: 'questions',
          question: 'Which task do you answer?',
          none: 'Nothing waits for an answer.',
        });
        if (id === undefined) return;
        if (text !== undefined) answered(verb, id, text, flags.question);
        else if (verb.ask !== undefined) await askThrough(verb, verb.ask, id, flags.question);
      },
    );
}

function answered(verb: Verb, id: string, text: string, number?: number): boolean {
  const written = unwrap(verb, give(verb.ws, id, text, number));
  if (written === undefined) return false;
  saidWritten(verb, 'answered', written);
  if (written.open > 0) verb.out.say(`${written.open} still open: contracts answer ${id} "…"`);
  else verb.out.say('Next: contracts run');
  return true;
}

/** Question by question, each answer written before the next is asked. True when none is left. */
export async function askThrough(
  verb: Verb,
  ask: Asker,
  id: string,
  number?: number,
): Promise<boolean> {
  const all = unwrap(verb, questionsOf(verb.ws, id));
  if (all === undefined) return false;
  const wanted = all.filter((one) =>
    number === undefined ? one.answer === '' && one.missing !== true : one.number === number,
  );
  if (wanted.length === 0) {
    verb.out.say(
      number === undefined
        ? 'Every question is answered. Next: contracts run'
        : `There is no question ${number}; there are ${all.length}.`,
    );
    return number === undefined;
  }
  for (const question of wanted) {
    verb.out.say(`\nQuestion ${question.number} of ${all.length}: ${escapeText(question.text)}`);
    const text = await ask.text('Your answer');
    if (!answered(verb, id, text, question.number)) return false;
  }
  return true;
}

export function resolve(command: Command, frame: Frame): void {
  command
    .argument('[id]', 'which task; asked for at a terminal')
    .argument('[text]', 'how it can go on; asked for at a terminal')
    .option('--json', 'one JSON value a line')
    .addHelpText(
      'after',
      example('contracts resolve ID "Use the staging database"\ncontracts resolve'),
    )
    .action(
      async (
        typed: string | undefined,
        text: string | undefined,
        _flags: unknown,
        self: Command,
      ) => {
        if (text === undefined && cannotAsk(frame, self))
          missing(
            self,
            typed === undefined ? 'id' : 'text',
            'contracts resolve ID "Use the other"',
          );
        const verb = open(frame, self);
        if (verb === undefined) return;
        const id = await typedOrChosen(verb, typed, verb.ask, {
          state: 'blocked',
          question: 'Which task do you resolve?',
          none: 'Nothing is blocked.',
        });
        if (id !== undefined) await resolved(verb, id, text);
      },
    );
}

/** False when nothing was written. */
export async function resolved(verb: Verb, id: string, text?: string): Promise<boolean> {
  const words =
    text ?? (stands(verb, id, 'blocked') ? await verb.ask?.text('How can it go on?') : '');
  const written = unwrap(verb, resolveBlocked(verb.ws, id, words ?? ''));
  if (written === undefined) return false;
  saidWritten(verb, 'resolved', written);
  verb.out.say('Next: contracts run');
  return true;
}

export function note(command: Command, frame: Frame): void {
  command
    .argument('<id>')
    .argument('<text>')
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts note ID "The API changed yesterday"'))
    .action((typed: string, text: string, _flags: unknown, self: Command) => {
      const verb = open(frame, self);
      if (verb === undefined) return;
      const id = idOf(verb, typed);
      if (id === undefined) return;
      const written = unwrap(verb, addNote(verb.ws, id, text));
      if (written !== undefined) saidWritten(verb, 'noted', written);
    });
}
