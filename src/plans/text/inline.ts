/** Attributes in a title, `(executor: @x, verify: y, z)`. Never fails: anything else stays a title. */
import {
  addAttribute,
  attributeKey,
  isReference,
  mistypedInline,
  type AttributeKey,
  type Attributes,
  type Wrong,
} from './attributes.ts';
import { isWait, notRead, unreadAttributes } from './typos.ts';
import { pieces } from './values.ts';

interface Pair {
  readonly word: string;
  readonly key: AttributeKey | undefined;
  readonly values: string[];
  /** As written, without a colon after the key. */
  readonly unparted?: string;
}

/** Longer texts have no attributes. */
export const INLINE_CHARS_MAX = 8000;

/** True if an item or a heading has this name. */
export type IsCalled = (words: string) => boolean;

/** Removes each `(key: value, …)` with a known key from a title. */
export function takeInline(
  text: string,
  attributes: Attributes,
  isCalled: IsCalled = () => false,
): { text: string; wrong: readonly Wrong[] } {
  if (text.length > INLINE_CHARS_MAX) return { text, wrong: [] };
  if (!text.includes('(')) return { text, wrong: unreadAttributes(text) };
  const wrong: Wrong[] = [];
  // A line may end between a key and its value.
  const flat = text.replaceAll('\n', ' ');
  let kept = '';
  let from = 0;
  for (const { start, end, closed } of brackets(flat, isCalled)) {
    if (start < from) continue;
    const pairs = pairsOf(flat.slice(start + 1, closed ? end - 1 : end), isCalled);
    if (!pairs.some(({ key }) => key !== undefined)) {
      for (const { word } of pairs) wrong.push(...mistypedInline(word));
      continue;
    }
    if (!closed) wrong.push('a bracket with attributes is not closed');
    const [first, last] = unwrapped(text, start, end);
    kept += `${text.slice(from, first).replace(/(?<![ \t])[ \t]+$/, '')} `;
    from = last;
    for (const { word, key, values, unparted } of pairs) {
      if (unparted !== undefined)
        wrong.push(
          `a colon is missing after ${word}: "${unparted}" is read as ${word}: ${values.join(', ')}`,
        );
      if (key === undefined) {
        attributes.unknown.push(word);
        wrong.push(...mistypedInline(word, true));
      } else {
        const waits = key === 'verify' || key === 'depends' ? [] : values.filter(isWait);
        const others = values.filter((value) => !waits.includes(value));
        wrong.push(...waits.map(notRead), ...addAttribute(attributes, key, others));
      }
    }
  }
  const left = from === 0 ? text : `${kept}${text.slice(from).replace(/^[ \t]+/, '')}`.trim();
  return { text: left, wrong: [...wrong, ...unreadAttributes(left)] };
}

export function isUnclosed(text: string): boolean {
  if (text.length > INLINE_CHARS_MAX || !text.includes('(')) return false;
  return brackets(text).some(({ closed }) => !closed);
}

/** Includes emphasis around the brackets: `*(executor: @x)*`. */
function unwrapped(text: string, start: number, end: number): [number, number] {
  let [first, last] = [start, end];
  while (first > 0 && /[*_~]/.test(text[first - 1]!) && text[first - 1] === text[last]) {
    first -= 1;
    last += 1;
  }
  return [first, last];
}

const HEAD = /[\s*_`]{0,6}([A-Za-z][A-Za-z _-]{0,23}?)[*_`]{0,6}:(?!\/)/y;

function headAt(text: string, at: number): { word: string; end: number } | undefined {
  HEAD.lastIndex = at;
  const match = HEAD.exec(text);
  return match === null ? undefined : { word: match[1] ?? '', end: HEAD.lastIndex };
}

interface Bracket {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** Brackets that begin with `word:`, sorted. Inner ones count only with a known word. */
function brackets(text: string, isCalled: IsCalled = () => false): Bracket[] {
  const found: Bracket[] = [];
  const open: number[] = [];
  for (const { at, char } of pieces(text)) {
    if (char === '(') open.push(at);
    else if (char === ')') {
      const start = open.pop();
      if (start !== undefined && begins(text, start, open.length === 0, isCalled))
        found.push({ start, end: at + 1, closed: true });
    }
  }
  const unclosed = open.find((start) => begins(text, start, false, isCalled));
  if (unclosed !== undefined) found.push({ start: unclosed, end: text.length, closed: false });
  return found.toSorted((a, b) => a.start - b.start);
}

function begins(text: string, start: number, anyWord: boolean, isCalled: IsCalled): boolean {
  if (text[start - 1] === ']') return false;
  const words = text.slice(start + 1, start + 1 + WAITS_CHARS_MAX);
  if (dependsAt(words, isCalled) !== undefined) return true;
  const head = headAt(text, start + 1);
  return head !== undefined && (anyWord || attributeKey(head.word, 'inline') !== undefined);
}

const WAITS_CHARS_MAX = 200;
const WAITS =
  /^\s*(depends(?: on)?|dependent on|blocked (?:by|on)|requires|after)[ \t]+(?!on[ \t:])([^\s:(),;][^(),;]*)/i;

/** `depends on T012`, as spec-kit writes it, without a colon and before a known name. */
function dependsAt(text: string, isCalled: IsCalled): { word: string; value: string } | undefined {
  const [, word = '', value = ''] = WAITS.exec(text) ?? [];
  const isMeant = word !== '' && (isReference(value) || isCalled(value));
  return isMeant ? { word, value: value.trim() } : undefined;
}

/**
 * A comma before a known key ends a value, and other commas are part of it. An unknown key ends a value,
 * too, where values have no colons.
 */
function pairsOf(inner: string, isCalled: IsCalled): Pair[] {
  const pairs: Pair[] = [];
  for (const piece of splitList(inner, true)) {
    const head = headAt(piece, 0);
    const key =
      head === undefined ? undefined : attributeKey(head.word, 'inline', piece.slice(head.end));
    const last = pairs.at(-1);
    const colons = last?.key === 'verify' || last?.key === 'depends';
    const free = last === undefined || FREE.has(last.key ?? 'verify');
    const waits =
      key === undefined && free ? dependsAt(piece, colons ? () => false : isCalled) : undefined;
    if (waits !== undefined) pairs.push({ ...waits, key: 'depends', values: [waits.value] });
    else if (
      head !== undefined &&
      (key !== undefined || (!colons && /^\s/.test(piece.slice(head.end))))
    ) {
      pairs.push({ word: head.word, key, values: [piece.slice(head.end).trim()] });
    } else {
      const meant = free ? undefined : unparted(piece);
      if (meant !== undefined) pairs.push(meant);
      else last?.values.push(piece.trim());
    }
  }
  return pairs.map((pair) => ({ ...pair, values: pair.values.flatMap(unpack) }));
}

/** Values of these keys may contain any words. */
const FREE = new Set<AttributeKey>(['verify', 'depends', 'deliverables', 'context_files', 'write']);

/** `depends 1` after names of agents: a known key without its colon. */
function unparted(piece: string): Pair | undefined {
  const words = piece.trim().split(/\s+/);
  for (const many of [2, 1]) {
    const word = words.slice(0, many).join(' ');
    const key = words.length > many ? attributeKey(word, 'inline') : undefined;
    const value = words.slice(many).join(' ');
    if (key !== undefined) return { word, key, values: [value], unparted: piece.trim() };
  }
  return undefined;
}

function unpack(value: string): string[] {
  const text = value.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return [text];
  return splitList(text.slice(1, -1), false);
}

/** Commas in brackets, quotes and backticks do not count. */
function splitList(text: string, semicolons: boolean): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { at, char } of pieces(text)) {
    if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === ',' || (semicolons && char === ';'))) {
      // A comma inside a command or pattern has no blank after it.
      const own =
        char === ',' &&
        COMMAND.test(text.slice(from, from + 80)) &&
        /^\S/.test(text.slice(at + 1, at + 2));
      if (own) continue;
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  found.push(text.slice(from));
  return found;
}

const COMMAND = /^\s*(?:verify\s*:\s*)?(?:run|matches)\s*:/i;

/** One value, or a list with commas, with or without square brackets. */
export function fieldValues(value: string): string[] {
  return splitList(value, false)
    .flatMap(unpack)
    .map((part) => part.trim());
}
