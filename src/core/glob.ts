/**
 * Which paths a glob means: `*` and `?` inside a segment, `[a-z]` and `[!a-z]`, and `**` as a whole
 * segment for any number of them. Names that start with a dot are names like others. Its time is at
 * most the product of both lengths, whatever the pattern: a library that makes a regular expression
 * of it needs hours for a few dozen stars. Pure; it never fails.
 */

type Matcher = (path: string) => boolean;

/** The same few are asked about thousands of paths. */
const COMPILED_MAX = 500;
const compiled = new Map<string, Matcher>();

/** Paths with forward slashes, without a leading one. */
export function globMatcher(glob: string): Matcher {
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

function compile(segment: string): Star | Test<string> {
  if (segment === '**') return 'star';
  const parts = partsOf(segment);
  return (text) => matches(parts, [...text]);
}

function partsOf(segment: string): (Star | Test<string>)[] {
  const parts: (Star | Test<string>)[] = [];
  const chars = [...segment];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const end = char === '[' ? closing(chars, at) : -1;
    if (char === '*') parts.push('star');
    else if (char === '?') parts.push(() => true);
    else if (end !== -1) {
      parts.push(oneOf(chars.slice(at + 1, end)));
      at = end;
    } else parts.push((other) => other === char);
  }
  return parts;
}

/** Where a class ends; a `]` that comes first in it is a member. -1 when it is not closed. */
function closing(chars: readonly string[], at: number): number {
  const negated = chars[at + 1] === '!' || chars[at + 1] === '^';
  return chars.indexOf(']', at + (negated ? 3 : 2));
}

function oneOf(members: readonly string[]): Test<string> {
  const negated = members[0] === '!' || members[0] === '^';
  const own = negated ? members.slice(1) : members;
  const ranges: [string, string][] = [];
  for (let at = 0; at < own.length; at++) {
    const [from = '', dash, to] = own.slice(at, at + 3);
    const ranged = dash === '-' && to !== undefined;
    ranges.push([from, ranged ? to : from]);
    if (ranged) at += 2;
  }
  return (char) => ranges.some(([from, to]) => from <= char && char <= to) !== negated;
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
