/** answer, note: a person's words into the files of a task. */
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { LIVE_STATES } from '../../task/core/model/state.ts';
import { endOrphans } from '../../engine/commands/abort.ts';
import { findTask } from '../../engine/queries/find-task.ts';
import type { Written } from '../../workspace/tasks/capability.ts';
import {
  addNote,
  answer as give,
  decides,
  stopNow,
  questionsOf,
  resolveBlocked,
} from '../../engine/commands/write-words.ts';
import { beginningOf, tookWords } from '../../engine/core/words/answers.ts';
import { questionForm, unshared } from '../../engine/queries/same-questions.ts';
import { currentText } from '../../engine/queries/waiting.ts';
import type { FormQuestion, Question, Same } from '../../task/core/model/documents.ts';
import type { DecisionForm } from '../../task/core/model/task.ts';
import { kindsIn } from '../../workspace/tasks/kinds.ts';
import { changeIn } from '../../task/text/documents/confirmation.ts';
import { Cancelled, type Asker } from '../terminal/ask.ts';
import { cut, screenOf, wrap } from '../output/text-width.ts';
import { onTask } from '../prompts/pick-task.ts';
import { runNow } from './step.ts';
import { Misread } from '../terminal/command-shape.ts';
import type { Line } from '../../workspace/tasks/verb.ts';
import {
  refuseUse,
  printWritten,
  isIn,
  unwrap,
  type Place,
  type Verb,
} from '../terminal/verb-context.ts';

interface Answering {
  readonly question?: number;
  readonly run?: boolean;
}

export const runs = {
  answer: onTask<Answering>(
    {
      state: 'questions',
      question: 'Which task do you answer?',
      none: 'Nothing waits for an answer.',
      shown: 'contracts answer ID "Use PostgreSQL"',
      needs: ['id', 'text'],
      early: wordsBehind,
    },
    async (verb, id, text, { question, run }) => {
      const more = wordsBehind(verb);
      if (more !== '' && decisionIn(verb, id) === undefined) refuseMore(verb.line);
      if (isIn(verb, id, 'blocked') && decisionIn(verb, id) === undefined) {
        // No round of questions is left, or none was asked: the words are how it goes on.
        await resolved(verb, id, text);
        await next(verb, id, run);
      } else if (text !== undefined) {
        const each = question === undefined ? byNumber(verb, id, text) : [];
        const all = each.length > 0 ? each : ([[question, `${text}${more}`]] as const);
        let written: Written | undefined;
        for (const [at, words] of all) {
          written = answered(verb, id, words, at);
          const { number, text: asked = '' } = written.took ?? {};
          if (number !== undefined)
            verb.out.printWrapped(escapeText(`${tookWords(words, number)}: ${beginningOf(asked)}`));
        }
        await next(verb, id, run, written);
      } else if (verb.ask !== undefined) {
        if (await askThrough(verb, verb.ask, id, question)) await next(verb, id, run);
      }
    },
  ),
  note: onTask<{ now?: boolean }>(
    {
      state: LIVE_STATES,
      question: 'Which task is it about?',
      none: 'No task is live.',
      shown: 'contracts note ID "The API changed yesterday"',
      needs: ['id', 'text'],
    },
    async (verb, id, text, flags) => {
      const words = text ?? (await verb.ask?.text('What must the next attempt know?')) ?? '';
      printWritten(verb, 'noted', unwrap(verb, addNote(verb.ws, id, words)));
      const over = (['done', 'aborted'] as const).find((state) => isIn(verb, id, state));
      if (over !== undefined)
        return verb.out.print(
          `It is ${over}: no agent reads this  → contracts retry ${id} --again`,
        );
      if (flags.now !== true) return;
      const stopped = stopNow(verb.ws, id);
      await endOrphans(verb.ws, 'in_progress', id);
      const next = stopped
        ? 'The attempt is stopped, and does not count. The next step continues with the note.'
        : 'No agent works on it now. The next attempt reads the note.';
      verb.out.print(next);
    },
  ),
};

const NUMBERED = /^\s*(\d{1,3})[.):]\s+(\S.*)$/;

/** Answers to several open questions, each on a line behind its number; none for any other text. */
function byNumber(verb: Verb, id: string, text: string): readonly (readonly [number, string])[] {
  const lines = text.trim().split('\n');
  const each = lines.flatMap((line) => {
    const [, number, words] = NUMBERED.exec(line) ?? [];
    return words === undefined ? [] : [[Number(number), words.trim()] as const];
  });
  if (each.length < 2 || each.length < lines.length) return [];
  const asked = questionsOf(verb.ws, id);
  const answers = new Map(asked.ok ? asked.value.map((one) => [one.number, one.answer]) : []);
  if (!each.every(([at]) => answers.has(at))) return [];
  const isOpen = ([at]: readonly [number, string]): boolean => answers.get(at) === '';
  // What another call wrote before it was killed is not refused.
  const left = each.filter(
    ([at, words]) => answers.get(at) !== words || unshared(verb.ws, id, words).length > 0,
  );
  if (left.length === 0) return each;
  for (const [at] of each.filter((one) => !left.includes(one)))
    verb.out.print(`question ${at} has this answer already`);
  // An answered one is refused before anything is written.
  return [...left.filter((one) => !isOpen(one)), ...left.filter(isOpen)];
}

/** The words after one that decides: `answer ID REVIEW "look at the links"`. */
function wordsBehind({ frame, line }: Place): string {
  const [, word = '', ...more] = line.words;
  if (more.length === 0) return '';
  const kinds = kindsIn(frame.capabilities);
  const decides = kinds.some(({ decision }) => decision?.words.has(word.toUpperCase()));
  // As in a verdict, a text has a space in it: `go on` leaves no note.
  if (!decides || more.length > 1 || !/\s/.test(more[0] ?? '')) {
    refuseMore(line, decides ? ` ${word.toUpperCase()}` : '');
  }
  return `: ${more[0]}`;
}

/** How it is decided by a person now; undefined where it asks in another way. */
export function decisionIn({ ws }: Verb, id: string): DecisionForm | undefined {
  const found = findTask(ws, id);
  return found.ok && decides(found.value) ? found.value.kind.decision : undefined;
}

/** A number before the words means a question; words without quotes mean one text. */
function refuseMore({ words }: Line, decision = ''): never {
  const numbered = words.length === 3 && /^[1-9]\d{0,2}$/.test(words[1] ?? '');
  const shown = `contracts answer ID${numbered ? ` -q ${words[1]}` : decision} "…"`;
  const message = `error: too many arguments for 'answer'. Expected 2 arguments but got ${words.length}.\nGive it: ${shown}`;
  throw new Misread(message, 'commander.excessArguments');
}

async function next(
  verb: Verb,
  id: string,
  wants: boolean | undefined,
  { open = 0, next }: Partial<Written> = {},
): Promise<void> {
  const run = isIn(verb, id, 'ready') ? ', or continue without: contracts run' : '';
  const which = next === undefined ? '' : `, ${next.number}: ${escapeText(beginningOf(next.text))}`;
  const fix = `contracts answer ${id} "…"${run}`;
  if (open > 0) verb.out.printWrapped(`${open} still open${which}  → ${fix}`);
  else await runNow(verb, wants);
}

function answered(verb: Verb, id: string, text: string, number?: number): Written {
  const written = unwrap(verb, give(verb.ws, id, text, number));
  printWritten(verb, 'answered', written);
  return written;
}

const CONTRACTS = [
  { value: 'restore', label: 'restore: the contract as it was confirmed' },
  { value: 'take', label: 'take: the contract as it is now' },
] as const;

/** Question by question, each answer written before the next is asked. True when none is left. */
export async function askThrough(verb: Verb, ask: Asker, id: string, number?: number) {
  const form = decisionIn(verb, id);
  if (form !== undefined) {
    const choices = [...form.words].map(([value, means]) => ({
      value,
      label: `${value}: ${means}`,
    }));
    const decision = await ask.choose(form.question, choices);
    answered(verb, id, decision);
    return true;
  }
  const change = changeIn(currentText(verb.ws, 'questions', id, 'questions.md') ?? '');
  if (change !== '') {
    for (const line of change.split('\n')) verb.out.print(escapeText(line));
    answered(verb, id, await ask.choose('Which contract is valid?', CONTRACTS));
    return true;
  }
  const round = number === undefined ? formWith(verb, id) : [];
  if (round.length > 0) return formThrough(verb, ask, id, round);
  const all = unwrap(verb, questionsOf(verb.ws, id));
  const wanted = all.filter((one) =>
    number === undefined ? one.answer === '' && one.missing !== true : one.number === number,
  );
  if (number !== undefined && wanted.length === 0) {
    const found = `there is no question ${number}; there are ${all.length}`;
    refuseUse(verb, found, `See them: contracts show ${id}`);
  }
  let open = all.filter((one) => one.answer === '').length;
  if (wanted.length === 0 && open > 0)
    verb.out.printWrapped(`${open} are not in questions.md any more; see: contracts show ${id}`);
  for (const question of wanted) {
    printQuestion(verb, `Question ${question.number} of ${all.length}`, question, [question]);
    const left = leftWords(id, wanted.indexOf(question), open);
    ({ open } = answered(verb, id, await wordsFor(ask, question, left), question.number));
  }
  return open === 0;
}

type Asked = Pick<Question, 'text' | 'options'>;

/** All that was asked before the work, that of this task first; none where it was not asked then. */
function formWith({ ws }: Verb, id: string): readonly FormQuestion[] {
  const all = questionForm(ws).filter(({ before }) => before);
  const isOwn = ({ of }: FormQuestion): boolean => of.some((one) => one.id === id);
  const own = all.filter(isOwn);
  return own.length === 0 ? [] : [...own, ...all.filter((one) => !isOwn(one))];
}

async function formThrough(verb: Verb, ask: Asker, id: string, form: readonly FormQuestion[]) {
  const { out } = verb;
  let many = 0;
  const idsOf = ({ of }: FormQuestion): readonly string[] => [...new Set(of.map((one) => one.id))];
  const own = form.findIndex((one) => !idsOf(one).includes(id));
  const isShared = form.some((one) => idsOf(one).length > 1) || own > 0;
  for (const [at, question] of form.entries()) {
    if (at === own) {
      const more = form.length - own === 1 ? 'question' : 'questions';
      out.print(
        `\n${form.length - own} more ${more} of other tasks, asked before the work. Esc: not now.`,
      );
    }
    printQuestion(verb, `Question ${at + 1} of ${form.length}`, question, question.of);
    if (isShared) out.printWrapped(`  asked for ${idsOf(question).join(', ')}`);
    const left = leftWords(id, many, form.length - at);
    const words = await wordsFor(ask, question, left).catch((error: unknown) => {
      // Those of the task itself are answered.
      if (own === -1 || at < own || !(error instanceof Cancelled)) throw error;
      if (error.by === 'interrupt') throw error;
    });
    if (words === undefined) break;
    const one = question.of.find((same) => same.id === id) ?? question.of[0]!;
    const written = give(verb.ws, one.id, words, one.number, one);
    if (written.ok) many++;
    if (written.ok) printWritten(verb, 'answered', written.value);
    // Somebody else has settled it since: the others are still open.
    else for (const { message } of written.problems) out.printWrapped(escapeText(message));
  }
  return true;
}

type Quoting = Pick<Same, 'quote'> & Partial<Pick<Same, 'id'>>;

/** With the words that each task quotes. */
function printQuestion(verb: Verb, place: string, { text }: Asked, of: readonly Quoting[]): void {
  const { out, frame } = verb;
  const { limit } = screenOf(frame.streams);
  const quotes = new Map<string, string[]>();
  for (const { quote = '', id = '' } of of) quotes.set(quote, [...(quotes.get(quote) ?? []), id]);
  const below = [...quotes].flatMap(([quote, ids]) => {
    const whose = quotes.size > 1 ? ` (${ids.join(', ')})` : '';
    return quote === '' ? [] : wrap(`  > ${escapeText(quote)}${whose}`, limit, 4);
  });
  for (const line of ['', ...wrap(`${place}: ${escapeText(text)}`, limit, 2), ...below])
    out.print(line);
}

const OTHER = '';
const ASKED_CELLS = 58;

/** Words about what is answered, and what is still open, for who cancels now. */
const leftWords = (id: string, many: number, left: number): string | undefined =>
  many === 0 ? undefined : `${many} answered, ${left} still open: contracts answer ${id}`;

/** Answers with one of its boxes, or in other words; `left`: said to who cancels. */
async function wordsFor(ask: Asker, asked: Asked, left: string | undefined): Promise<string> {
  return chosenFor(ask, asked).catch((error: unknown) => {
    throw error instanceof Cancelled ? new Cancelled(error.by, left) : error;
  });
}

async function chosenFor(ask: Asker, { text, options = [] }: Asked): Promise<string> {
  const boxes = options.map((value) => ({ value, label: value }));
  if (boxes.length === 0) return ask.text('Your answer');
  // In sight above the choices, whatever scrolled away.
  const asked = `Your answer to: ${cut(text, ASKED_CELLS)}`;
  const chosen = await ask.choose(asked, [...boxes, { value: OTHER, label: 'other words' }]);
  return chosen === OTHER ? ask.text('Your answer') : chosen;
}

export async function resolved(verb: Verb, id: string, text?: string): Promise<void> {
  const words =
    text ?? (isIn(verb, id, 'blocked') ? await verb.ask?.text('How can it continue?') : '');
  printWritten(verb, 'resolved', unwrap(verb, resolveBlocked(verb.ws, id, words ?? '')));
}
