/** Words as they are searched: without endings, and with others that mean nearly the same. Pure. */
import { stemmer } from 'stemmer';

/** Words that are in any text say nothing about it. */
const COMMON = new Set(
  'a about after all also an and any are as at be been before being but by can could did do does doing done each else even every for from get had has have how i if in into is it its just let like make makes may me more most must my need needs new no nor not now of off on once one only or other our out over own per please so some such than that the their them then there these they this those through to too under until up us use used uses using very via want was we were what when where which while who why will with without would you your'.split(
    ' ',
  ),
);

/** Scripts that put no blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** In their order, each as often as it is there. `known`: as of `termOf`. */
export function termsOf(text: string, known = new Map<string, string>()): readonly string[] {
  return wordsIn(text).map((word) => termOf(word, known));
}

/** The first word of the text for each of its terms. */
export function wordsByTerm(text: string): ReadonlyMap<string, string> {
  const words = wordsIn(text).toReversed();
  return new Map(words.map((word) => [termOf(word), word]));
}

/** A word without its ending. `known`: terms of words that were met before. */
export function termOf(word: string, known = new Map<string, string>()): string {
  const term = known.get(word) ?? (/^[a-z]+$/.test(word) ? stemmer(word) : word);
  known.set(word, term);
  return term;
}

function wordsIn(text: string): readonly string[] {
  // camelCase is several words, too; log-in is login, too.
  const plain = text
    .normalize('NFKC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/(?<!\p{L})(\p{L}{2,})-(\p{L}{2,})/gu, '$1 $2 $1$2');
  return plain
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => (UNSPACED.test(word) ? pairsIn(word) : [word]))
    .filter((word) => word !== '' && !COMMON.has(word));
}

/** Two characters each: these find a word in a line without blanks. */
function pairsIn(word: string): readonly string[] {
  const signs = [...word];
  return signs.length < 3 ? [word] : signs.slice(1).map((sign, i) => `${signs[i]}${sign}`);
}
