/** Words for what a runner read as answers. Pure. */
import type { Question } from '../../../task/core/model/documents.ts';

const CHARS_MAX = 60;

/** One line; of a long text the beginning. */
export function beginningOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > CHARS_MAX ? `${line.slice(0, CHARS_MAX)}…` : line;
}

/** `took "Ada" as the answer to 1`. */
export function tookWords(answer: string, number: number): string {
  return `took "${beginningOf(answer)}" as the answer to ${number}`;
}

/** Answers that were read elsewhere than in their slots, so that a person sees how they were meant. */
export function answeredWords(questions: readonly Question[]): string {
  const beside = questions.filter((one) => one.is_beside === true);
  if (beside.length === 0) return 'every question is answered';
  return beside.map(({ answer, number }) => tookWords(answer, number)).join(', ');
}
