/** Whether two learnings say the same, or are about the same and may contradict each other. Pure. */
import type { Learning } from './learning.ts';
import { termsOf } from './terms.ts';

export type Likeness = 'same' | 'close' | 'other';

/** Of the words that both have, among all of both. */
const SAME = 0.8;
const CLOSE = 0.5;
const NOT = /\b(?:not|no|never|n't|don't|avoid|without|instead|stop|cannot|can't)\b/gi;

export function likeness(one: Said, other: Said): Likeness {
  const [a, b] = [new Set(termsOf(one.information)), new Set(termsOf(other.information))];
  const both = [...a].filter((term) => b.has(term)).length;
  const share = both / Math.max(1, a.size + b.size - both);
  const isTurned = one.information.match(NOT)?.length !== other.information.match(NOT)?.length;
  if (share >= SAME && !isTurned) return 'same';
  return share >= CLOSE ? 'close' : 'other';
}

export type Said = Pick<Learning, 'information'>;
