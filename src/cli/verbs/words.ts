/**
 * answer, resolve, note: a person's words into the files of a task. At a terminal answer and resolve
 * ask for what was left out: which task, and the words.
 */
import type { Command } from 'commander';
import { escapeText } from '../../text/terminal.ts';
import { DECISIONS, type Decision } from '../../core/documents.ts';
import { findTask } from '../../engine/verbs/find-task.ts';
import { decides } from '../../engine/verbs/answer-checkpoint.ts';
import type { Written } from '../../engine/verbs/file-edit.ts';
import { addNote, answer as give, questionsOf, resolveBlocked } from '../../engine/verbs/words.ts';
import type { Asker } from '../ask.ts';
import { screenOf, wrap } from '../layout.ts';
import { EXIT, type Frame } from '../frame.ts';
import { typedOrChosen, type ToPick } from '../pick.ts';
import {
  cannotAsk,
  example,
  idOf,
  missing,
  misused,
  open,
  refuse,
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
    .allowExcessArguments()
    .option('--json', 'one JSON value a line')
    .addHelpText('after', example('contracts answer ID "Use PostgreSQL"\ncontracts answer'))
    .action(
      async (
        typed: string | undefined,
        text: string | undefined,
        flags: { question?: number },
        self: Command,
      ) => {
        const more = wordsBehind(self);
        const meant = await whichTask(frame, self, [typed, text], {
          shown: 'contracts answer ID "Use PostgreSQL"',
          state: 'questions',
          question: 'Which task do you answer?',
          none: 'Nothing waits for an answer.',
        });
        if (meant === undefined) return;
        const { verb, id } = meant;
        if (more !== '' && !isDecided(verb, id)) refuseMore(self);
        if (text !== undefined) {
          const written = answered(verb, id, `${text}${more}`, flags.question);
          if (written !== undefined) saidNext(verb, id, written.open);
        } else if (verb.ask !== undefined) {
          if (await askThrough(verb, verb.ask, id, flags.question)) saidNext(verb, id, 0);
        }
      },
    );
}

/** What stands behind one word that decides: `answer ID REVIEW "look at the links"`. */
function wordsBehind(self: Command): string {
  const [, word = '', ...more] = self.args;
  if (more.length === 0) return '';
  if (!DECISIONS.some((one) => one === word.toUpperCase())) refuseMore(self);
  return `: ${more.join(' ')}`;
}

/** Whether it is a checkpoint that a person may decide now. */
export function isDecided({ ws }: Verb, id: string): boolean {
  const found = findTask(ws, id);
  return found.ok && decides(found.value);
}

/** A number between the task and the words is meant as a question's; words in no quotes as one text. */
function refuseMore(self: Command): never {
  const { args } = self;
  const numbered = args.length === 3 && /^[1-9]\d{0,2}$/.test(args[1] ?? '');
  const shown = numbered ? `contracts answer ID -q ${args[1]} "…"` : 'contracts answer ID "…"';
  self.error(
    `error: too many arguments for 'answer'. Expected 2 arguments but got ${args.length}.\nGive it: ${shown}`,
    { code: 'commander.excessArguments', exitCode: EXIT.usage },
  );
}

/**
 * The task that is typed, or chosen among those that wait. Words that are missing are refused at once
 * where nobody can be asked; `shown` is the whole command then. undefined after it was said why.
 */
async function whichTask(
  frame: Frame,
  self: Command,
  [typed, text]: readonly [id: string | undefined, text: string | undefined],
  { shown, ...wanted }: ToPick & { readonly shown: string },
): Promise<{ readonly verb: Verb; readonly id: string } | undefined> {
  if (text === undefined && cannotAsk(frame, self))
    missing(self, typed === undefined ? 'id' : 'text', shown);
  const verb = open(frame, self);
  if (verb === undefined) return undefined;
  const id = await typedOrChosen(verb, typed, verb.ask, wanted);
  return id === undefined ? undefined : { verb, id };
}

function saidNext(verb: Verb, id: string, open: number): void {
  if (open > 0) verb.out.say(`${open} still open: contracts answer ${id} "…"`);
  else verb.out.say('Next: contracts run');
}

function answered(verb: Verb, id: string, text: string, number?: number): Written | undefined {
  const written = unwrap(verb, give(verb.ws, id, text, number));
  if (written !== undefined) saidWritten(verb, 'answered', written);
  return written;
}

const MEANINGS: Readonly<Record<Decision, string>> = {
  GO: 'the next wave begins',
  PAUSE: 'what waits for it goes on waiting, until it is decided anew',
  REVIEW: 'what is done of this wave is verified and reviewed anew',
  ABORT: 'all that depends on this checkpoint is given up',
};

/** Question by question, each answer written before the next is asked. True when none is left. */
export async function askThrough(
  verb: Verb,
  ask: Asker,
  id: string,
  number?: number,
): Promise<boolean> {
  if (isDecided(verb, id)) {
    const choices = DECISIONS.map((one) => ({ value: one, label: `${one}: ${MEANINGS[one]}` }));
    const decision = await ask.choose('How does the plan go on?', choices);
    return answered(verb, id, decision) !== undefined;
  }
  const all = unwrap(verb, questionsOf(verb.ws, id));
  if (all === undefined) return false;
  const wanted = all.filter((one) =>
    number === undefined ? one.answer === '' && one.missing !== true : one.number === number,
  );
  if (number !== undefined && wanted.length === 0) {
    const found = `there is no question ${number}; there are ${all.length}`;
    refuse(verb.frame, verb.out, [misused(found, `See them: contracts show ${id}`)]);
    return false;
  }
  let open = all.filter((one) => one.answer === '').length;
  if (wanted.length === 0 && open > 0)
    verb.out.say(`${open} are not in questions.md any more; see: contracts show ${id}`);
  const { limit } = screenOf(verb.frame.streams);
  for (const question of wanted) {
    const words = `Question ${question.number} of ${all.length}: ${escapeText(question.text)}`;
    for (const line of ['', ...wrap(words, limit, 2)]) verb.out.say(line);
    const written = answered(verb, id, await ask.text('Your answer'), question.number);
    if (written === undefined) return false;
    ({ open } = written);
  }
  return open === 0;
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
        const meant = await whichTask(frame, self, [typed, text], {
          shown: 'contracts resolve ID "Use the other"',
          state: 'blocked',
          question: 'Which task do you resolve?',
          none: 'Nothing is blocked.',
        });
        if (meant !== undefined && (await resolved(meant.verb, meant.id, text)))
          meant.verb.out.say('Next: contracts run');
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
