/** Whether two learnings say the same, or are about the same and may contradict each other. Pure. */
import type { Kept, Learning } from './learning.ts';
import { termsOf } from './terms.ts';

export type Likeness = 'same' | 'close' | 'other';

/** Of the words that one of them has, the share that both have. */
const SAME = 0.8;
const CLOSE = 0.5;
/** Words that turn a sentence round; most are too common to be terms. */
const TURNS =
  /\b(?:not|no|never|\p{L}+n['’]t|avoid|without|instead|stop|cannot|after|off|down|under|less|fewer|least|may|might)\b/giu;

interface Said {
  /** With a mark for each that turns it round, for its place matters. */
  readonly words: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly turns: number;
}

function saidBy({ information }: Pick<Learning, 'information'>): Said {
  const turns = information.match(TURNS)?.length ?? 0;
  const words = termsOf(information.replace(TURNS, ' xturnx '));
  return { words, terms: new Set(words.filter((word) => word !== 'xturnx')), turns };
}

/** The same: words were added at most, none was replaced or moved, and it is turned round as often. */
function compared(one: Said, other: Said): Likeness {
  const [few, many] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  if (few.terms.size < many.terms.size * CLOSE) return 'other';
  const both = [...few.terms].filter((term) => many.terms.has(term)).length;
  const share = both / Math.max(1, few.terms.size + many.terms.size - both);
  if (share < CLOSE) return 'other';
  const isWithin = share >= SAME && few.turns === many.turns && isInOrder(few.words, many.words);
  return isWithin ? 'same' : 'close';
}

function isInOrder(few: readonly string[], many: readonly string[]): boolean {
  let next = 0;
  for (const word of many) if (word === few[next]) next++;
  return next === few.length;
}

/** The first of these that says the same. */
export function sameAs<T extends Pick<Learning, 'information'>>(
  one: Pick<Learning, 'information'>,
  others: readonly T[],
): T | undefined {
  const said = saidBy(one);
  return others.find((other) => compared(said, saidBy(other)) === 'same');
}

/** The first of these that is about the same and says something else. */
export function contradicting(one: Kept, others: readonly Kept[]): Kept | undefined {
  const said = saidBy(one);
  return others.find((other) => other.id !== one.id && compared(said, saidBy(other)) === 'close');
}

export interface Pair {
  readonly one: Kept;
  readonly other: Kept;
  readonly likeness: 'same' | 'close';
}

export function pairsIn(learnings: readonly Kept[]): readonly Pair[] {
  const all = learnings.map((one) => ({ one, said: saidBy(one) }));
  return all.flatMap(({ one, said }, i) =>
    all.slice(i + 1).flatMap((next) => {
      const likeness = compared(said, next.said);
      return likeness === 'other' ? [] : [{ one, other: next.one, likeness }];
    }),
  );
}
