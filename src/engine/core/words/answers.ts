/** What a runner read as answers, as words. Pure. */
import type { Question } from '../../../task/core/model/documents.ts';

const CHARS_MAX = 60;

/** `took "Ada" as the answer to 1`; of a long answer the beginning. */
export function tookWords(answer: string, number: number): string {
  const line = answer.trim().replace(/\s+/g, ' ');
  const shown = line.length > CHARS_MAX ? `${line.slice(0, CHARS_MAX)}…` : line;
  return `took "${shown}" as the answer to ${number}`;
}

/** Answers that were read elsewhere than in their slots, so that a person sees how they were meant. */
export function answeredWords(questions: readonly Question[]): string {
  const beside = questions.filter((one) => one.is_beside === true);
  if (beside.length === 0) return 'every question is answered';
  return beside.map(({ answer, number }) => tookWords(answer, number)).join(', ');
}
