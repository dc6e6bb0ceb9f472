/**
 * Equal questions of several tasks that were asked before the work: one answer is given to each. Equal but for case,
 * blanks and punctuation; who asked in the midst of the work meant that work alone.
 */
import { lastAsker } from '../../task/core/attempts/counters.ts';
import type { Question } from '../../task/core/model/documents.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { parseQuestions } from '../../task/text/documents/documents.ts';
import { original } from '../../workspace/tasks/read-attempts.ts';
import { textIfThere } from '../../workspace/open/text-file.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { tasksIn } from '../board/board.ts';

export interface Same {
  readonly id: string;
  readonly number: number;
}

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

interface Open extends Same {
  readonly words: string;
}

function openIn(ws: Workspace, isWanted?: (id: string) => boolean): readonly Open[] {
  return tasksIn(ws, ['questions'], isWanted).flatMap(({ id, state, attempts, kind }) => {
    if (lastAsker(attempts)?.kind !== 'ask' || kind.decision !== undefined) return [];
    const folder = taskFolder(ws.layout, state, id);
    const text = textIfThere(ws.disk, `${folder}/questions.md`) ?? '';
    const { questions } = parseQuestions(text, original(ws, folder, attempts));
    const isOpen = ({ answer, missing }: Question): boolean => answer === '' && missing !== true;
    const lines = text.split('\n');
    return questions.flatMap((one, at) => {
      const words = wordsAt(lines, one, questions[at + 1]?.line);
      return isOpen(one) ? [{ id, number: one.number, words }] : [];
    });
  });
}

/** Open questions of other tasks, each with the words of one that is open here, by their number. */
export function sameQuestions(ws: Workspace, id: string): ReadonlyMap<number, readonly Same[]> {
  const all = openIn(ws);
  const own = all.filter((one) => one.id === id);
  const others = (words: string) =>
    all.filter((one) => words !== '' && one.id !== id && one.words === words);
  return new Map(own.map(({ number, words }) => [number, others(words)]));
}

/** How many are open, each counted once, and of how many tasks. */
export function openQuestions(ws: Workspace, ids: readonly string[]) {
  const all = openIn(ws, (id) => ids.includes(id));
  const count = (of: (one: Open) => string): number => new Set(all.map(of)).size;
  return { questions: count(({ words }) => words), tasks: count(({ id }) => id) };
}
