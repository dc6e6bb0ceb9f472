/** Compares two learnings: they say the same, may contradict each other, or are only about the same. Pure. */
import { onceFor } from '../../task/core/base/memoize.ts';
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
/** With a digit, so that no ending is cut off what follows. */
const MARK = 'x0turn';
const NUMBER = /^v?\d/;
const DENIES = new RegExp(`^${MARK}(?:not|without|stop)$`);
const OPPOSITES =
  'before|after on|off up|down more|less|fewer most|least all|some from|to over|under'
    .split(' ')
    .map((words) => new RegExp(`^${MARK}(?:${words})$`));

const TAKE = '(?:(?:use|prefer|choose|pick|take|favou?r)s?|nimm|nutze|benutze|verwende|bevorzuge)';
const THING = String.raw`((?:[^,.;:!?]|\.(?=\S))+?)`;
const END = String.raw`(?=[,;:!?]|\.?\s*$|\.\s)`;
const ASIDE = '(?:instead of|rather than|in place of)';
const NO_CHOICE = String.raw`(?<!\b(?:if|or|do|does|is|are|was|were|can|may|must|should|will|has|it))`;
/** Mark between what is taken and what is not, so that their order alone says which. */
const OVER = `${MARK}than`;
const CHOICES = [
  [`^(?:(?:no|yes|actually) ?[,;:.!–—-]+ )?(?:(?:(?:the )?users?|we|i) (?=${TAKE} ))?`, ''],
  [String.raw`\bnicht\b`, 'not'],
  [String.raw`\b(?:an)?statt\b`, 'instead of'],
  [String.raw`\blieber ${THING} als `, `$1 ${OVER} `],
  [String.raw`\breplace ${THING} (?:with|by) ${THING}${END}`, `$2 ${OVER} $1`],
  [String.raw`(?: (?:is|are))? (?:better than|beats?) `, ` ${OVER} `],
  [String.raw`\b(?!rather|fewer)(\w+er) than `, `$1 ${OVER} `],
  [String.raw`\bnot ${THING},? but ${THING}${END}`, `$2 ${OVER} $1`],
  [String.raw`\b${ASIDE} ${THING},? ${TAKE} ${THING}${END}`, `$2 ${OVER} $1`],
  [
    String.raw`\b(?:do not|never|avoid|not)(?: use| using)? ${THING} ?[,;:.–—] ?${TAKE} ${THING}(?: instead)?${END}`,
    `$2 ${OVER} $1`,
  ],
  [String.raw`\bprefers? (?!to )${THING} to `, `$1 ${OVER} `],
  [`,? ${ASIDE} |${NO_CHOICE},?(?: and| but)? (?:not|over) (?!to |only )`, ` ${OVER} `],
  [`(?<=${OVER}.*)\\b${TAKE}\\b|\\b${TAKE}\\b(?=.*${OVER})`, ''],
].map(([form = '', to = '']) => [new RegExp(form, 'giu'), to] as const);

/** Names whose last letter is no ending. */
const SECURE = ['https', 'ftps', 'imaps', 'ldaps', 'smtps'];

/** `type`: an assumption has none. */
type Saying = Pick<Learning, 'information'> & Partial<Pick<Learning, 'type'>>;

interface Said {
  /** With a mark for each that turns it round, for its place matters. */
  readonly words: readonly string[];
  readonly terms: ReadonlySet<string>;
  readonly turns: string;
  /** The words but numbers. */
  readonly but_numbers: string;
  readonly isAnti: boolean;
}

/** Each once: every learning is compared with every other. */
const saidBy = /* @__PURE__ */ onceFor(({ information, type }: Saying): Said => {
  const plain = information
    .replace(/(?<=\p{L})n['’]t\b/giu, ' not')
    .replace(/\bcannot\b/giu, 'can not');
  const forms = plain.length > 2000 ? [] : CHOICES;
  const chosen = forms.reduce((text, [form, to]) => text.replace(form, to), plain.trim());
  const turned = (word: string): string => ` ${MARK}${word.toLowerCase()} `;
  const marked = chosen.replace(/\b(?:no|never|avoid)\b/giu, 'not').replace(TURNS, turned);
  const known = new Map(SECURE.map((word) => [word, word]));
  const isTurned = forms.length > 0 && termsOf(marked, known).some((one) => one.startsWith(MARK));
  // Words that differ by an ending stay two: HTTPS, not HTTP.
  const all = [...known.values()];
  const isTwin = (term: string): boolean => all.indexOf(term) !== all.lastIndexOf(term);
  if (isTurned) for (const [word, term] of known) if (isTwin(term)) known.set(word, word);
  const words = termsOf(marked, known);
  const turns = words.filter((word) => word.startsWith(MARK));
  const terms = new Set(words.filter((word) => !word.startsWith(MARK)));
  const but_numbers = words.filter((word) => !NUMBER.test(word)).join(' ');
  const isAnti = type === 'anti_pattern';
  return { words, terms, turns: turns.toSorted().join(' '), but_numbers, isAnti };
});

/** The same: words were added at most, none was replaced or moved, and none that turns it round is in one alone. */
function compared(one: Said, other: Said): 'same' | 'against' | 'close' | 'other' {
  const [few, many] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  const isRenumbered = few.but_numbers !== '' && few.but_numbers === many.but_numbers;
  if (isRenumbered && few.isAnti === many.isAnti && isAgainst(one, other)) return 'against';
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
  if (isWithin) return 'same';
  return isAgainst(one, other) ? 'against' : 'close';
}

/** Denied in one, with an opposite or another number, or with the sides of a word that turns it round exchanged. */
function isAgainst(one: Said, other: Said): boolean {
  const [mine, theirs] = [one.words, other.words];
  const denials = [...mine, ...theirs].filter((word) => DENIES.test(word)).length;
  const isDenied = (denials + +one.isAnti + +other.isAnti) % 2 === 1;
  if (isDenied && mine.includes(OVER) === theirs.includes(OVER)) return true;
  const only = (own: readonly string[], others: readonly string[], of: RegExp): boolean =>
    own.some((word) => of.test(word) && !others.includes(word));
  return (
    [NUMBER, ...OPPOSITES].some((of) => only(mine, theirs, of) && only(theirs, mine, of)) ||
    mine.some((mark, i) => {
      const [a = '', b = ''] = [mine[i + 1], theirs[theirs.indexOf(mark) + 1]];
      const isShared = mark.startsWith(MARK) && theirs.includes(mark) && !(a + b).includes(MARK);
      return isShared && a !== b && theirs.includes(a) && mine.includes(b);
    })
  );
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

/** The first of these that may say the opposite. */
export function contradicting(one: Kept, others: readonly Kept[]): Kept | undefined {
  const said = saidBy(one);
  return others.find((other) => other.id !== one.id && compared(said, saidBy(other)) === 'against');
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
