/**
 * Which of the fields of a sentence can be read in it: the words of a wording change, these do not. A field
 * counts where the renderer reads it, another value of it changes the sentence, and its own value is there.
 */

type Primitive = string | number;
type Seen = (path: string, value: Primitive) => Primitive;

const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** In the order of the fields' names, then the numbers that no field has, such as a count. */
export function keptFields<F>(fields: F, render: (fields: F) => string): readonly string[] {
  const sentence = render(fields);
  const read = new Map<string, Primitive>();
  render(watched(fields, (path, value) => (read.set(path, value), value)));
  const kept = [...read]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .filter(([path]) => changes(fields, render, path, sentence))
    .flatMap(([, value]) => linesOf(value))
    .filter((value) => hasWord(sentence, value));
  return withNumbers(sentence, [...new Set(kept)]);
}

export function withNumbers(sentence: string, kept: readonly string[]): readonly string[] {
  const rest = kept
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, ''), sentence);
  return [...kept, ...(rest.match(/\b\d+(?:\.\d+)?\b/g) ?? [])];
}

function changes<F>(fields: F, render: (fields: F) => string, at: string, was: string): boolean {
  const other = (value: Primitive): Primitive =>
    typeof value === 'number' ? value + 1 : `${value}~`;
  try {
    return render(watched(fields, (path, value) => (path === at ? other(value) : value))) !== was;
  } catch {
    return true;
  }
}

function linesOf(value: Primitive): readonly string[] {
  const lines = String(value).split('\n');
  return lines.map((line) => line.replace(BULLET, '').trim()).filter((line) => line !== '');
}

function hasWord(sentence: string, value: string): boolean {
  return new RegExp(`(?<!\\w)${quotePattern(value)}(?!\\w)`).test(sentence);
}

export const quotePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The same fields; each string and number that is read passes `seen`. */
function watched<F>(fields: F, seen: Seen, path = ''): F {
  if (typeof fields === 'string' || typeof fields === 'number') return seen(path, fields) as F;
  if (typeof fields !== 'object' || fields === null) return fields;
  if (fields instanceof Map || fields instanceof Set) return fields;
  const copy: object = Array.isArray(fields) ? [] : Object.create(Object.getPrototypeOf(fields));
  for (const key of Object.keys(fields).concat(fields instanceof Error ? 'message' : [])) {
    const get = (): unknown => watched(fields[key as keyof F], seen, `${path}.${key}`);
    Object.defineProperty(copy, key, { get, enumerable: true, configurable: true });
  }
  return copy as F;
}
