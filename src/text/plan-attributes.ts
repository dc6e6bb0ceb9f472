/**
 * What is said of an item: `(executor: @x, verify: y)` in its title, and the fields below it. Keys
 * have the names that people use, values are lists; nothing is checked against what exists. It
 * cannot fail: what is no attribute stays words.
 */
import { listedPath } from './contract-body.ts';
import { bare, nothing, pieces } from './plan-values.ts';
import { plainTitle } from './sections.ts';

export interface Attributes {
  executors: string[];
  reviewers: string[];
  verify: string[];
  depends: string[];
  skills: string[];
  deliverables: string[];
  context_files: string[];
  write?: string[];
  squad?: string;
  type?: string;
  category?: string;
  id?: string;
  wave?: number;
  unknown: string[];
  /** A key that we know was there. */
  named: boolean;
  /** One that says what is to be done, and not only where it belongs. */
  worked: boolean;
}

export function noAttributes(): Attributes {
  return {
    executors: [],
    reviewers: [],
    verify: [],
    depends: [],
    skills: [],
    deliverables: [],
    context_files: [],
    unknown: [],
    named: false,
    worked: false,
  };
}

const NAMES = {
  executors: 'executor|executors|agent|agents|assignee|assignees|assigned to',
  reviewers: 'reviewer|reviewers|quality gate|quality gates|gate|reviewed by',
  verify: 'verify|verification|verifier|verified by|check|checks',
  depends: 'depends|depends on|dependencies|dependency|blocked by|after',
  skills: 'skill|skills|load skills',
  deliverables: 'file|files|deliverable|deliverables|output|outputs',
  context_files: 'context|context file|context files|references|reference',
  write: 'write|writes|write paths',
  squad: 'squad',
  type: 'type|contract type',
  category: 'category',
  id: 'id',
  wave: 'wave',
} as const;

export type AttributeKey = keyof typeof NAMES;

const KEYS = new Map<string, AttributeKey>(
  Object.entries(NAMES).flatMap(([key, names]) =>
    names.split('|').map((name) => [name, key as AttributeKey] as const),
  ),
);

/** Say where an item belongs; a group may have them too. */
const BELONGS: ReadonlySet<AttributeKey> = new Set([
  'squad',
  'type',
  'category',
  'id',
  'wave',
  'depends',
]);

/** Below an item these are headings of prose, too. */
const INLINE_ONLY = new Set(
  'after agent agents check checks context gate type verification write writes'.split(' '),
);
/** Without bold: what hardly begins a sentence. */
const PLAIN = new Set(
  'executor|executors|reviewer|reviewers|quality gate|verify|depends|depends on|blocked by|skills|category|squad|files|deliverables|wave'.split(
    '|',
  ),
);

/** Of a key as people write it: `Depends on`, `depends_on`; `inline` is in brackets behind a title. */
export function attributeKey(
  word: string,
  form: 'inline' | 'bold' | 'plain',
): AttributeKey | undefined {
  if (word.length > 60) return undefined;
  const plain = plainTitle(word);
  if (form === 'bold' && plain.endsWith(' references')) return 'context_files';
  const fits = form === 'inline' || (form === 'bold' ? !INLINE_ONLY.has(plain) : PLAIN.has(plain));
  return fits ? KEYS.get(plain) : undefined;
}

/** Adds a value as it is written behind a key. Says what is wrong with it, if anything. */
export function addAttribute(
  attributes: Attributes,
  key: AttributeKey,
  values: readonly string[],
): string | undefined {
  attributes.named = true;
  if (!BELONGS.has(key)) attributes.worked = true;
  const written = values.filter((value) => value.trim() !== '' && !nothing(value));
  switch (key) {
    case 'wave': {
      const number = /^(?:wave\s*)?(\d{1,4})$/i.exec(bare(written.join(' ')))?.[1];
      if (number === undefined) return 'a wave has no number';
      attributes.wave = Number(number);
      return undefined;
    }
    case 'squad':
    case 'type':
    case 'category':
    case 'id': {
      const first = written.map(aside).find((word) => word !== '');
      if (first !== undefined) attributes[key] = first;
      return written.length > 1 ? `${key} has more than one value, the first is taken` : undefined;
    }
    default: {
      const list = (attributes[key] ??= []);
      for (const entry of written.flatMap((value) => entries(key, value))) {
        if (!list.includes(entry)) list.push(entry);
      }
      return undefined;
    }
  }
}

/** Without what is said about it: `@dev (reserved for deep work)`, `@dev — the best`. */
function aside(value: string): string {
  const dash = value.search(/\s(?:—|–|--?)\s/);
  const bracket = value.indexOf(' (');
  const ends = [dash, bracket].filter((end) => end > 0);
  return bare(ends.length === 0 ? value : value.slice(0, Math.min(...ends)));
}

function entries(key: AttributeKey, value: string): string[] {
  switch (key) {
    case 'executors':
    case 'reviewers':
      return words(aside(value)).map((word) => word.replace(/^@/, ''));
    case 'skills':
      return words(aside(value));
    case 'depends':
      return dependencies(aside(value));
    case 'verify':
      return [bare(value)].filter(Boolean);
    default:
      return [pathOf(value)].filter(Boolean);
  }
}

/** In backticks wherever they stand, `Create: \`src/a.ts:12-20\``; else before words about it. */
export function pathOf(value: string): string {
  const quoted = /`([^`]+)`/.exec(value)?.[1];
  const path = (quoted ?? bare(listedPath(value.trim()))).trim();
  return path.replace(/(?::\d+(?:-\d+)?)+$/, '');
}

function words(value: string): string[] {
  const found = value.split(/[\s+&]+/).map(bare);
  return found.filter((word) => word !== '' && word !== 'and' && word !== '@');
}

const NUMBER = String.raw`#?[A-Z]?\d{1,5}(?:\.\d{1,5})*`;
const NUMBERS = new RegExp(
  String.raw`^(?:tasks?|items?|steps?)?\s*(${NUMBER}(?:(?:\s+(?:and|&)\s+|\s+)${NUMBER})*)$`,
  'i',
);

/** `Task 1`, `1 and 2`, `#3`, `2-4`: numbers; anything else is one title, key or id. */
function dependencies(value: string): string[] {
  const range = /^(?:tasks?|items?)?\s*(\d{1,4})\s*[-–]\s*(\d{1,4})$/i.exec(value);
  const [from, to] = [Number(range?.[1]), Number(range?.[2])];
  if (to - from >= 0 && to - from < 500) {
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  }
  const numbers = value.length > 200 ? null : NUMBERS.exec(value);
  if (numbers === null) return value === '' ? [] : [value];
  const found = (numbers[1] ?? '').split(/\s+/).map((word) => word.replace(/^#/, ''));
  return found.filter((word) => /\d/.test(word));
}

interface Pair {
  readonly word: string;
  readonly key: AttributeKey | undefined;
  readonly values: string[];
}

export interface InlineAttributes {
  /** The words without the brackets. */
  readonly text: string;
  readonly attributes: Attributes;
  readonly wrong: readonly string[];
}

/** Takes every `(key: value, …)` out of a title, if one of its keys is one that we know. */
export function takeInline(text: string, attributes: Attributes): InlineAttributes {
  const wrong: string[] = [];
  let kept = '';
  let from = 0;
  for (const { start, end, closed } of brackets(text)) {
    const pairs = pairsOf(text.slice(start + 1, closed ? end - 1 : end));
    if (!pairs.some(({ key }) => key !== undefined)) continue;
    if (!closed) wrong.push('a bracket with attributes is not closed');
    kept += `${text.slice(from, start).trimEnd()} `;
    from = end;
    for (const { word, key, values } of pairs) {
      if (key === undefined) attributes.unknown.push(word);
      else {
        const said = addAttribute(attributes, key, values);
        if (said !== undefined) wrong.push(said);
      }
    }
  }
  kept += text.slice(from).trimStart();
  // What stood around the brackets alone: `*(executor: @x)*`.
  const rest = from === 0 ? text : kept.replace(/(?<=\s)[*_]{2,6}\s*$/, '');
  return { text: rest.trim(), attributes, wrong };
}

const HEAD = /[\s*_`]{0,6}([A-Za-z][A-Za-z _-]{0,23}?)[*_`]{0,6}:(?!\/)/y;

function headAt(text: string, at: number): { word: string; end: number } | undefined {
  HEAD.lastIndex = at;
  const match = HEAD.exec(text);
  return match === null ? undefined : { word: match[1] ?? '', end: HEAD.lastIndex };
}

/** The outermost brackets that begin with `word:`; one that is not closed goes to the end. */
function brackets(text: string): { start: number; end: number; closed: boolean }[] {
  const found: { start: number; end: number; closed: boolean }[] = [];
  let depth = 0;
  let start = -1;
  for (const { at, char } of pieces(text)) {
    if (char === '(') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (char === ')' && depth > 0) {
      depth -= 1;
      if (depth === 0 && isHead(text, start)) found.push({ start, end: at + 1, closed: true });
    }
  }
  if (depth > 0) {
    const open = lastOpen(text, found.at(-1)?.end ?? 0);
    if (open !== -1) found.push({ start: open, end: text.length, closed: false });
  }
  return found;
}

function isHead(text: string, start: number): boolean {
  return text[start - 1] !== ']' && headAt(text, start + 1) !== undefined;
}

/** Where the first bracket is that begins with a key that we know and is never closed. */
function lastOpen(text: string, from: number): number {
  for (let at = text.indexOf('(', from); at !== -1; at = text.indexOf('(', at + 1)) {
    const head = isHead(text, at) ? headAt(text, at + 1) : undefined;
    if (head !== undefined && attributeKey(head.word, 'inline') !== undefined) return at;
  }
  return -1;
}

/**
 * `executors: @a, @b, verify: tests`: a comma before a key that we know ends a value, any other is
 * part of it. A key that we do not know ends one too, where values have no colons of their own.
 */
function pairsOf(inner: string): Pair[] {
  const pairs: Pair[] = [];
  for (const piece of splitList(inner, true)) {
    const head = headAt(piece, 0);
    const key = head === undefined ? undefined : attributeKey(head.word, 'inline');
    const last = pairs.at(-1);
    const colons = last?.key === 'verify' || last?.key === 'depends';
    if (
      head !== undefined &&
      (key !== undefined || (!colons && /^\s/.test(piece.slice(head.end))))
    ) {
      pairs.push({ word: head.word, key, values: [piece.slice(head.end).trim()] });
    } else {
      last?.values.push(piece.trim());
    }
  }
  return pairs.map((pair) => ({ ...pair, values: pair.values.flatMap(unpack) }));
}

function unpack(value: string): string[] {
  const text = value.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return [text];
  return splitList(text.slice(1, -1), false);
}

/** At commas (and semicolons) that stand in no brackets, quotes or backticks. */
function splitList(text: string, semicolons: boolean): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { at, char } of pieces(text)) {
    if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (char === ',' || (semicolons && char === ';'))) {
      // The commas of a command or a pattern are its own, unless a blank follows.
      const own =
        char === ',' && COMMAND.test(text.slice(from, from + 80)) && !blankAt(text, at + 1);
      if (own) continue;
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  found.push(text.slice(from));
  return found;
}

const COMMAND = /^\s*(?:verify\s*:\s*)?(?:run|matches)\s*:/i;

function blankAt(text: string, at: number): boolean {
  return at >= text.length || /\s/.test(text[at]!);
}

/** The value of a field: one, or a list with commas, in square brackets or not. */
export function fieldValues(value: string): string[] {
  return splitList(value, false)
    .flatMap(unpack)
    .map((part) => part.trim());
}
