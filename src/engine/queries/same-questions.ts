/**
 * Open questions of all tasks as one form. Equal ones of several tasks that were asked before the work are one question
 * of it, and one answer is given to each: equal but for case, blanks and punctuation. Who asked in the midst of the work
 * meant that work alone.
 */
import { given } from '../../task/core/base/defined-fields.ts';
import { lastAsker } from '../../task/core/attempts/counters.ts';
import type { FormQuestion, Same } from '../../task/core/model/documents.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { parseQuestions } from '../../task/text/documents/documents.ts';
import { original } from '../../workspace/tasks/read-attempts.ts';
import { changeIn } from '../../task/text/documents/confirmation.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { tasksIn } from '../board/board.ts';

/** Code: between fences, indented as in a list, or between backticks. */
const CODE =
  /^ *(`{3,}|~{3,})[^\n]*\n[^]*?^ *\1|^(?: {7}|\t)[^\n]+(?:\n+(?: {7}|\t)[^\n]+)*|(?<!`)(`+)(?!`)[^]+?(?<!`)\2(?!`)/gm;
/** Words in bold. */
const BOLD = /(?<![^\s(])\*\*([^\s*]+(?:\s[^\s*]+)*)\*\*(?=[\s).,;:!?]|$)/gu;
const QUOTES = /["“”„‘’«»¿¡]/gu;
/** Punctuation behind a word; two dots are a folder or a range. */
const ENDS = /(?<=[\p{L}\p{N})\]}%+#\0])(?:\.{3}|(?<!\.)\.(?!\.)|[,;:!?…])+(?=[\s)]|$)/gu;

/** Words as they are compared; in code each mark counts, as much hangs on it. */
function wordsOf(said: string): string {
  const codes: string[] = [];
  const keep = (code: string): string => {
    codes.push(code.replaceAll(/^(`+)(?!`)([^\n]+)\1$/g, '$2').trim());
    return '\0';
  };
  return said
    .normalize('NFC')
    .replaceAll('\0', '')
    .replaceAll(CODE, keep)
    .toLowerCase()
    .replaceAll(BOLD, '$1')
    .replaceAll(QUOTES, '')
    .replaceAll(ENDS, '')
    .replaceAll(/\s+(?:[–—]\s+)?/gu, ' ')
    .trim()
    .replaceAll('\0', () => codes.shift() ?? '');
}

interface Open extends Omit<FormQuestion, 'of'>, Same {
  /** Equal ones have the same. */
  readonly words: string;
  readonly answer: string;
}

/** `own`: of this task those that are answered, too. */
function openIn(ws: Workspace, isWanted?: (id: string) => boolean, own?: string): readonly Open[] {
  return tasksIn(ws, ['questions'], isWanted).flatMap(({ id, state, attempts, kind }) => {
    if (kind.decision !== undefined) return [];
    const before = lastAsker(attempts)?.kind === 'ask';
    const attempt = attempts.at(-1)?.number ?? 0;
    const folder = taskFolder(ws.layout, state, id);
    const whole = textIfThere(ws.disk, `${folder}/questions.md`) ?? '';
    if (changeIn(whole) !== '') return [];
    const { questions } = parseQuestions(whole, original(ws, folder, attempts));
    return questions.flatMap(({ number, text, quote, options, said = '', answer, missing }) => {
      const words = before ? wordsOf(said) : '';
      const more = given({ quote, options });
      const isOpen = (answer === '' || id === own) && missing !== true;
      return isOpen ? [{ id, attempt, number, before, words, text, answer, ...more }] : [];
    });
  });
}

/** Lists them in the order of the tasks. Two questions of one task stay two. */
function formOf(all: readonly Open[]): readonly FormQuestion[] {
  const form = new Map<string, FormQuestion>();
  for (const { words, id, attempt, number, quote, answer: _, ...question } of all) {
    const isShared = words !== '' && !form.get(`= ${words}`)?.of.some((one) => one.id === id);
    const key = isShared ? `= ${words}` : `${id} ${number}`;
    const { of = [] } = form.get(key) ?? {};
    const one = { id, attempt, number, ...given({ quote }) };
    form.set(key, { ...(form.get(key) ?? question), of: [...of, one] });
  }
  return [...form.values()];
}

export const questionForm = (ws: Workspace): readonly FormQuestion[] => formOf(openIn(ws));

/** Others that ask one of the questions that are open here, by its number. */
export function sameQuestions(ws: Workspace, id: string): ReadonlyMap<number, readonly Same[]> {
  const isHere = (one: Same): boolean => one.id === id;
  const entries = questionForm(ws).flatMap(({ of }) =>
    of.filter(isHere).map((own) => [own.number, of.filter((one) => one !== own)] as const),
  );
  return new Map(entries);
}

/** Others that still ask what was answered here with these words: who shared them may have died. */
export function unshared(ws: Workspace, id: string, answer: string): readonly Same[] {
  const all = openIn(ws, undefined, id);
  const own = all.filter((one) => one.id === id && one.answer === answer.trim());
  const words = new Set(own.map((one) => one.words));
  return all.filter((one) => one.id !== id && one.words !== '' && words.has(one.words));
}

/** Counts those that were asked before the work and are open, equal ones once, and their tasks. */
export function openQuestions(ws: Workspace, ids: readonly string[]) {
  const all = openIn(ws, (id) => ids.includes(id)).filter(({ before }) => before);
  return { questions: formOf(all).length, tasks: new Set(all.map(({ id }) => id)).size };
}
