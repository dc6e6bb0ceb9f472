/** The questions.md of an agent that is asked before the work: that it has none, and the first of many questions. */
import { parseQuestions } from './questions.ts';

const NONE = /^[\s>*_-]*no questions\b/i;

/** True where the first words below the headings are "no questions", and nothing is asked. */
export function saysNone(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return NONE.test(lines[0] ?? '') && !/[?？]/.test(lines.join(' '));
}

/** Leaves out the questions after the first `most`; the sections below them stay. */
export function firstQuestions(text: string, most: number): string {
  const { questions } = parseQuestions(text);
  const from = questions[most]?.line;
  if (from === undefined) return text;
  const lines = text.split('\n');
  const last = questions.at(-1)?.line ?? from;
  const rest = lines.slice(last).findIndex((line) => /^#{1,2}\s/.test(line));
  const below = rest === -1 ? [] : lines.slice(last + rest);
  return [...lines.slice(0, from - 1), ...below].join('\n');
}
