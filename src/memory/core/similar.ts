/** Whether two learnings say the same, or are about the same and may contradict each other. Pure. */
import type { Kept, Learning } from './learning.ts';
import { termsOf } from './terms.ts';

/** Least share of common words among all words of two that are the same. */
const SAME = 0.8;
const CLOSE = 0.5;
/** Words that turn a sentence round, or say of what it is true; most are too common to be terms. */
const TURNS = new RegExp(
  String.raw`\b(?:${[
    'not|no|never|avoid|without|instead|stop|cannot|before|after|until|unless|only',
    'from|to|into|in|out|on|off|up|down|over|under|less|fewer|least|more|most',
    'all|any|some|every|each|may|might|can|could|must|should',
  ].join('|')})\b`,
  'giu',
);
const MARK = 'xturn';

/** `type`: an assumption has none. */
type Saying = Pick<Learning, 'information'> & Partial<Pick<Learning, 'type'>>;

interface Said {
  /** With a mark for each that turns it round, for its place matters. */
  readonly words: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly turns: string;
  readonly isAnti: boolean;
}

const known = new WeakMap<Saying, Said>();

/** Each once: every learning is compared with every other. */
function saidBy(one: Saying): Said {
  const said = known.get(one) ?? read(one);
  known.set(one, said);
  return said;
}

function read({ information, type }: Saying): Said {
  const plain = information
    .replace(/(?<=\p{L})n['’]t\b/giu, ' not')
    .replace(/\bcannot\b/giu, 'can not');
  const words = termsOf(plain.replace(TURNS, (word) => ` ${MARK}${word.toLowerCase()} `));
  const turns = words.filter((word) => word.startsWith(MARK));
  const terms = new Set(words.filter((word) => !word.startsWith(MARK)));
  return { words, terms, turns: turns.toSorted().join(' '), isAnti: type === 'anti_pattern' };
}

/** The same: words were added at most, none was replaced or moved, and none that turns it round is in one alone. */
function compared(one: Said, other: Said): 'same' | 'close' | 'other' {
  const [few, many] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  if (few.terms.size < many.terms.size * CLOSE) return 'other';
  let both = 0;
  for (const term of few.terms) if (many.terms.has(term)) both++;
  const share = both / Math.max(1, few.terms.size + many.terms.size - both);
  if (share < CLOSE) return 'other';
  const isWithin =
    share >= SAME &&
    few.turns === many.turns &&
    few.isAnti === many.isAnti &&
    isInOrder(few.words, many.words);
  return isWithin ? 'same' : 'close';
}

function isInOrder(few: readonly string[], many: readonly string[]): boolean {
  let next = 0;
  for (const word of many) if (word === few[next]) next++;
  return next === few.length;
}

/** The first of these that says the same. */
export function sameAs<T extends Saying>(one: Saying, others: readonly T[]): T | undefined {
  const said = saidBy(one);
  return others.find((other) => {
    const theirs = saidBy(other);
    // Also where all its words are too common to be compared.
    if (other.information === one.information) return theirs.isAnti === said.isAnti;
    return compared(said, theirs) === 'same';
  });
}

/** True if `other` says all that `one` says. */
export function saysAllOf(one: Saying, other: Saying): boolean {
  const isWhole = saidBy(one).words.length <= saidBy(other).words.length;
  return isWhole && sameAs(one, [other]) !== undefined;
}

/** The first of these that is about the same and says something else. */
export function contradicting(one: Kept, others: readonly Kept[]): Kept | undefined {
  const said = saidBy(one);
  return others.find((other) => other.id !== one.id && compared(said, saidBy(other)) === 'close');
}

/** Pairs that are not about different things. */
export function pairsIn(learnings: readonly Kept[]) {
  return learnings.flatMap((one, i) =>
    learnings.slice(i + 1).flatMap((other) => {
      const likeness = compared(saidBy(one), saidBy(other));
      return likeness === 'other' ? [] : [{ one, other, likeness }];
    }),
  );
}
