/** Finds terms in the words of a message: English in the singular or plural, Korean with what is attached to it. */

const HANGUL = /\p{Script=Hangul}/u;
const WORD_CHARS_MIN = 3;

/** Lower case, without diacritics, singular: `Ads` and `ad` are the same. Hangul is a word apart: `PR을` is two. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
  const words = plain.match(/\p{Script=Hangul}+|(?:(?!\p{Script=Hangul})[\p{L}\p{N}])+/gu) ?? [];
  return words.map((word) =>
    word.length > WORD_CHARS_MIN && /[^s]s$/.test(word) ? word.slice(0, -1) : word,
  );
}

export interface Wording {
  /** ` word word `. */
  readonly words: string;
  /** ` word word `, the Korean ones alone. */
  readonly korean: string;
}

export function wordingOf(text: string): Wording {
  const words = wordsOf(text);
  const spaced = (all: readonly string[]): string => ` ${all.join(' ')} `;
  return { words: spaced(words), korean: spaced(words.filter((word) => HANGUL.test(word))) };
}

/** A particle or an ending may follow a Korean term; `*term` is anywhere in a Korean word, `term*` the beginning of any. */
export function hasTerm({ words, korean }: Wording, term: string): boolean {
  const begins = term.endsWith('*');
  const looked = wordsOf(begins ? term.slice(0, -1) : term).join(' ');
  if (looked === '') return false;
  if (term.startsWith('*')) return korean.includes(looked);
  if (HANGUL.test(looked))
    return (HANGUL.test(looked[0] ?? '') ? korean : words).includes(` ${looked}`);
  return words.includes(begins ? ` ${looked}` : ` ${looked} `);
}

export type Terms = ReadonlyMap<string, number>;

/** `word:3` counts three, else two; `_` is a blank. */
export function termsOf(text: string): Terms {
  const entries = text.split(/\s+/).filter((one) => one !== '');
  return new Map(
    entries.map((one) => {
      const [word = '', weight = '2'] = one.split(':');
      return [word.replaceAll('_', ' '), Number(weight)];
    }),
  );
}

/** `words`: the strongest first. */
export function weigh(terms: Terms, wording: Wording) {
  const found = [...terms].filter(([term]) => hasTerm(wording, term));
  const sorted = found.toSorted((a, b) => b[1] - a[1]);
  const words = sorted.map(([term]) => term.replace('*', ''));
  return { words, score: found.reduce((sum, [, weight]) => sum + weight, 0) };
}

/** With so many points the confidence is one half. */
const DOUBT = 2;

/** 0 to 1: how far the best is before its rival, and how much there is to go by. */
export function confidenceOf(best: number, rival: number): number {
  if (best === 0) return 0;
  const sure = ((best - rival) / best) * (best / (best + DOUBT));
  return Math.round(sure * 100) / 100;
}

/** The heaviest of several, by their names. */
export function heaviest(all: ReadonlyMap<string, Terms>, wording: Wording) {
  const [best, second] = [...all]
    .map(([name, terms]) => ({ name, ...weigh(terms, wording) }))
    .toSorted((a, b) => b.score - a.score);
  const { name = '', words = [], score = 0 } = best ?? {};
  return { name, words, score, confidence: confidenceOf(score, second?.score ?? 0) };
}
