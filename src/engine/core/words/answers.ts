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

/** Each answer, so that a person sees how it was meant. */
export function answeredWords(questions: readonly Question[]): string {
  const took = questions.map(({ answer, number }) => tookWords(answer, number));
  return took.join(', ') || 'every question is answered';
}
