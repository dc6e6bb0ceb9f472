/**
 * Which paths a glob means: `*` and `?` inside a segment, `[a-z]` and `[!a-z]`, and `**` as a whole
 * segment for any number of them. Names that start with a dot are names like others. Its time is at
 * most the product of both lengths, whatever the pattern: a library that makes a regular expression
 * of it needs hours for a few dozen stars. Pure; it never fails.
 */

type Matcher = (path: string) => boolean;

/** Patterns that are kept: a few are asked about thousands of paths. */
const COMPILED_MAX = 500;
const compiled = new Map<string, Matcher>();

/** Paths with forward slashes, without a leading one. */
export function globMatcher(glob: string): Matcher {
  if (!/[*?[]/.test(glob)) return (path) => path === glob;
  const known = compiled.get(glob);
  if (known !== undefined) return known;
  const wanted = glob.split('/').map(compile);
  const matcher: Matcher = (path) => matches(wanted, path.split('/'));
  if (compiled.size >= COMPILED_MAX) compiled.clear();
  compiled.set(glob, matcher);
  return matcher;
}

type Star = 'star';
type Test<T> = (item: T) => boolean;
/** Characters: those in one of the ranges, or those in none. */
export interface CharClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}
export type GlobPart = Star | CharClass;

const ANY: CharClass = { negated: true, ranges: [] };

function compile(segment: string): Star | Test<string> {
  if (segment === '**') return 'star';
  const tests = partsOf(segment).map((part) => (part === 'star' ? part : testOf(part)));
  return (text) => matches(tests, [...text]);
}

function testOf(part: CharClass): Test<string> {
  const [[from, to] = [], more] = part.ranges;
  // Most by far are one letter.
  const isLetter = !part.negated && more === undefined && from === to;
  return isLetter ? (char) => char === from : (char) => isInClass(part, char);
}

export function partsOf(segment: string): readonly GlobPart[] {
  const parts: GlobPart[] = [];
  const chars = [...segment];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const negated = chars[at + 1] === '!' || chars[at + 1] === '^';
    // A `]` that comes first in a class is a member.
    const end = char === '[' ? chars.indexOf(']', at + (negated ? 3 : 2)) : -1;
    if (char === '*') parts.push('star');
    else if (char === '?') parts.push(ANY);
    else if (end !== -1) {
      parts.push({ negated, ranges: rangesOf(chars.slice(at + (negated ? 2 : 1), end)) });
      at = end;
    } else parts.push({ negated: false, ranges: [[char, char]] });
  }
  return parts;
}

function rangesOf(members: readonly string[]): CharClass['ranges'] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const [from = '', dash, to] = members.slice(at, at + 3);
    const ranged = dash === '-' && to !== undefined;
    ranges.push([from, ranged ? to : from]);
    if (ranged) at += 2;
  }
  return ranges;
}

export function isInClass({ negated, ranges }: CharClass, char: string): boolean {
  return ranges.some(([from, to]) => from <= char && char <= to) !== negated;
}

/** Two pointers: after a mismatch only the latest star is asked to take one item more. */
function matches<T>(wanted: readonly (Star | Test<T>)[], items: readonly T[]): boolean {
  let [w, i, star, taken] = [0, 0, -1, 0];
  while (i < items.length) {
    const one = wanted[w];
    const item = items[i];
    if (one === 'star') {
      star = w++;
      taken = i;
    } else if (one !== undefined && item !== undefined && one(item)) {
      w++;
      i++;
    } else if (star !== -1) {
      w = star + 1;
      i = ++taken;
    } else return false;
  }
  while (wanted[w] === 'star') w++;
  return w === wanted.length;
}
