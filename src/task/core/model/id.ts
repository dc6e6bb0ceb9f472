/**
 * Task ids: the words of the title and four characters where the runner makes one, as
 * `build-the-checkout-k3f9`, and any name that matches the pattern of docs/concepts.md#a-task-is-a-folder
 * where a person does. An id is a folder name on every file system: lower case, no dot, no Windows device
 * name, never starting with a dash.
 */

const ID_PATTERN = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const DEVICE_NAMES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
/** Words that would shadow something on JavaScript objects; refused so that no map can be fooled. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype', 'tostring', 'valueof']);
/** Digits first; without letters that look like digits, and without u, so few words look like a suffix. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = 10;
/** A letter and a digit are in it, so that neither a word nor a year is taken for one. */
const SUFFIX = /-(?=.{0,3}[0-9])(?=.{0,3}[a-z])[0-9a-hjkmnp-tv-z]{4}$/;
/** Named by hand as type, day, words, four characters. */
const DATED = /^[a-z0-9_]+_[0-9]{8}_([a-z0-9-]+)_[a-z0-9]{4}$/;

/** Form of ids for a JSON Schema. */
export const ID_META = {
  pattern: ID_PATTERN.source,
  not: { anyOf: [{ pattern: DEVICE_NAMES.source }, { enum: [...FORBIDDEN] }] },
};

/** No word that is refused is longer. */
const REFUSED_CHARS_MAX = 11;

export function isTaskId(text: string): boolean {
  if (!ID_PATTERN.test(text)) return false;
  return text.length > REFUSED_CHARS_MAX || (!DEVICE_NAMES.test(text) && !FORBIDDEN.has(text));
}

/** The rule that a name breaks: its letters, or that it is a word kept for other things; whose it is. */
export function idRule(text: string): { readonly message: string; readonly expected: string } {
  const isDevice = DEVICE_NAMES.test(text.toLowerCase());
  return isDevice || ID_PATTERN.test(text)
    ? {
        message: `is not a task id: it is reserved, ${isDevice ? 'a device name of Windows' : 'a word of JavaScript'}`,
        expected: 'another name, of a-z, 0-9, _ and -',
      }
    : {
        message: 'is not a task id',
        expected: 'a-z, 0-9, _ and -, starting with a letter or digit, at most 64',
      };
}

/** Behind it stands no id that is so long that it can be none of the words that are refused. */
const BEFORE_OTHER = /(?:^|\/)(?![a-z0-9][a-z0-9_-]{11,63}(?:\/|$))/;

/** True if all names are ids, looked at together because there are thousands; false where one is that short, too. */
export function areTaskIds(names: readonly string[]): boolean {
  return !BEFORE_OTHER.test(names.join('/'));
}

/** ASCII words of a title, joined by dashes and cut at whole words; empty when none is left. */
export function wordsOf(title: string, chars_max = 40): string {
  const ascii = /^[ -~]*$/.test(title);
  const words = (ascii ? title : title.normalize('NFKD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const next = slug === '' ? word : `${slug}-${word}`;
    if (next.length > chars_max) break;
    slug = next;
  }
  return slug === '' ? (words[0] ?? '').slice(0, chars_max) : slug;
}

/** A shorter one; `task` when nothing is left. */
export function slugOf(title: string): string {
  return wordsOf(title, 32) || 'task';
}

/** `-k3f9`; `draw` gives numbers from 0 to 31. */
export function suffix(draw: () => number): string {
  const digits = Array.from({ length: 4 }, draw);
  const last = digits[3] ?? 0;
  if (digits.every((one) => one >= DIGITS)) digits[3] = last % DIGITS;
  else if (digits.every((one) => one < DIGITS)) digits[3] = DIGITS + last;
  return `-${digits.map((one) => BASE32[one]).join('')}`;
}

/** Suffix of a hash; `hex` has at least eight characters. */
export function suffixOfHash(hex: string): string {
  let at = 0;
  return suffix(() => Number.parseInt(hex.slice(at, (at += 2)), 16) % BASE32.length);
}

export function hasSuffix(id: string): boolean {
  return SUFFIX.test(id);
}

/** The words of an id that the runner made, or that a person dated; else the id itself. */
export function stemOf(id: string): string {
  return DATED.exec(id)?.[1] ?? id.replace(SUFFIX, '');
}

/** Short names of ids: their words, where these mean no other of them. */
export function shortNames(ids: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const id of ids) {
    if (names.has(id)) continue;
    const stem = stemOf(id);
    names.set(id, stem);
    taken.set(stem, (taken.get(stem) ?? 0) + 1);
  }
  for (const [id, stem] of names) {
    const isFree = taken.get(stem) === 1 && (stem === id || !names.has(stem));
    if (!isFree) names.set(id, id);
  }
  return names;
}

const BEGINNING_CHARS_MIN = 4;

/** Names by the fewest of their first words that begin no other of these names. */
export function beginningsOf(names: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...new Set(names)].sort();
  const shared = (a: string, b = ''): number => {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at++;
    return at;
  };
  return new Map(
    sorted.map((name, i) => {
      const [before, after] = [shared(name, sorted[i - 1]), shared(name, sorted[i + 1])];
      const end = name.indexOf('-', Math.max(before + 1, after + 1, BEGINNING_CHARS_MIN));
      return [name, end < 0 ? name : name.slice(0, end)];
    }),
  );
}
