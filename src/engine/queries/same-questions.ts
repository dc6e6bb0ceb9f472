/**
 * Open questions of all tasks as one form. Equal ones of several tasks that were asked before the work are one question
 * of it, and one answer is given to each: equal but for case, blanks and punctuation. Who asked in the midst of the work
 * meant that work alone.
 */
import { given } from '../../task/core/base/defined-fields.ts';
import { lastAsker } from '../../task/core/attempts/counters.ts';
import type { FormQuestion, Question, Same } from '../../task/core/model/documents.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { parseQuestions } from '../../task/text/documents/documents.ts';
import { original } from '../../workspace/tasks/read-attempts.ts';
import { changeIn } from '../../task/text/documents/confirmation.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { tasksIn } from '../board/board.ts';

const SLOT = /^#{3,4}\s*an(?:swer|twort)\b/i;

/** Words as they are compared. */
function wordsOf(text: string): string {
  const all = text.normalize('NFC').toLowerCase();
  // Of punctuation what is between words or at their end: C# and C++ stay two.
  return all.replaceAll(/(?<![\p{L}\p{N}])[\p{P}\s]+|[.,;:!?…]+(?=\s|$)|\s+/gu, ' ').trim();
}

/** Reads a question with its options, and without its number and what it quotes of its own contract. */
function wordsAt(lines: readonly string[], { line }: Question, next: number | undefined): string {
  const block = lines.slice(line - 1, next === undefined ? undefined : next - 1);
  const end = block.findIndex((one, k) => k > 0 && (/^##?\s/.test(one) || SLOT.test(one)));
  const own = (end === -1 ? block : block.slice(0, end)).filter((one) => !/^\s*>/.test(one));
  return wordsOf(own.join('\n').replace(/^[\s#*]*\d+[.):]\s/, ''));
}

interface Open extends Omit<FormQuestion, 'of'>, Same {
  /** Equal ones have the same. */
  readonly words: string;
}

function openIn(ws: Workspace, isWanted?: (id: string) => boolean): readonly Open[] {
  return tasksIn(ws, ['questions'], isWanted).flatMap(({ id, state, attempts, kind }) => {
    if (kind.decision !== undefined) return [];
    const before = lastAsker(attempts)?.kind === 'ask';
    const folder = taskFolder(ws.layout, state, id);
    const whole = textIfThere(ws.disk, `${folder}/questions.md`) ?? '';
    if (changeIn(whole) !== '') return [];
    const { questions } = parseQuestions(whole, original(ws, folder, attempts));
    const isOpen = ({ answer, missing }: Question): boolean => answer === '' && missing !== true;
    const lines = whole.split('\n');
    return questions.flatMap((one, at) => {
      const { number, text, head, quote, options } = one;
      const words = before ? wordsAt(lines, one, questions[at + 1]?.line) : '';
      return isOpen(one)
        ? [{ id, number, before, words, text, ...given({ head, quote, options }) }]
        : [];
    });
  });
}

/** Lists them in the order of the tasks. */
function formOf(all: readonly Open[]): readonly FormQuestion[] {
  const form = new Map<string, FormQuestion>();
  for (const { words, id, number, ...question } of all) {
    const key = words || `${id} ${number}`;
    const { of = [] } = form.get(key) ?? {};
    form.set(key, { ...(form.get(key) ?? question), of: [...of, { id, number }] });
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

/** Counts those that were asked before the work and are open, equal ones once, and their tasks. */
export function openQuestions(ws: Workspace, ids: readonly string[]) {
  const all = openIn(ws, (id) => ids.includes(id)).filter(({ before }) => before);
  return { questions: formOf(all).length, tasks: new Set(all.map(({ id }) => id)).size };
}
