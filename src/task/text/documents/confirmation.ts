/** The question about a contract that changed while an agent ran that could write it. */
import type { Confirming } from '../../core/model/task.ts';
import { parseQuestions } from './documents.ts';
import { scanMarkdown } from '../markdown/line-scanner.ts';
import { sectionText } from '../markdown/sections.ts';

/** The contract as it was before, byte for byte, at the top of its task. */
export const CONFIRMED_FILE = 'confirmed.md';
export const QUESTION = 'Which contract holds: take the change, or restore the confirmed one?';
export const CHANGE = 'The Contract Changed';

/** undefined for a text that does not ask this. */
export function confirmationIn(text: string): Confirming['asked'] {
  if (!text.includes(QUESTION)) return undefined;
  const question = parseQuestions(text).questions.find((one) => one.text === QUESTION);
  return question && { answer: question.answer === '' ? '' : choiceIn(question.answer) };
}

export function choiceIn(answer: string): 'take' | 'restore' | undefined {
  const word = /^[a-z]*/.exec(answer.trim().toLowerCase())?.[0];
  return word === 'take' || word === 'restore' ? word : undefined;
}

/** Text for a person who chooses; empty for a text that does not ask this. */
export function changeIn(text: string): string {
  return confirmationIn(text) === undefined ? '' : sectionText(scanMarkdown(text), CHANGE);
}
