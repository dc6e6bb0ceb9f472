/** The questions.md of an agent that is asked before the work: that it has none, and the first of many questions. */
import { parseQuestions } from './questions.ts';

const NONE = /^[\s>*_-]*no questions[\s.!*_]*$/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s|[?？]/;

/** True where the first line below the headings says only "no questions", and nothing after it asks or is in a list. */
export function saysNone(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return NONE.test(lines[0] ?? '') && !lines.slice(1).some((line) => ITEM.test(line));
}

/** Leaves out the questions after the first `most`; the sections below them stay. */
export function firstQuestions(text: string, most: number): string {
  const { questions } = parseQuestions(text);
  const from = questions[most]?.line;
  if (from === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  const last = questions.at(-1)?.line ?? from;
  const rest = lines.slice(last).findIndex((line) => /^#{1,2}\s/.test(line));
  const below = rest === -1 ? [] : lines.slice(last + rest);
  return [...lines.slice(0, from - 1), ...below].join('');
}
