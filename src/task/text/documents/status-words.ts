/**
 * Words with a meaning (status, verdict) as agents write them, with case, marks and emoji around them.
 * A word is read exactly or not at all: `COMPLETE | FAILED` and `COMPLETE, nearly` are nothing.
 */
import { VERDICTS, type UnreadLine, type Verdict } from '../../core/model/documents.ts';
import { readFrontMatter } from '../yaml/front-matter.ts';
import type { Line } from '../markdown/line-scanner.ts';
import { fieldsOf } from '../markdown/sections.ts';

const CROSS = /[❌❎✖✗✘🚫⛔👎]/u;

/** The word alone: `✅ **Complete**` is COMPLETE, `needs work` is NEEDS_WORK. Struck or denied: none. */
function bareWord(text: string): string {
  if (text.length > 100 || /~|^[\s*_`]*[!-]/.test(text)) return '';
  const word = text
    .replace(/^[^\p{L}\p{N}|/{}<>[\]()]+|[^\p{L}\p{N}|/{}<>[\]()?]+$/gu, '')
    .replace(/[\s-]+/g, '_')
    .toUpperCase()
    .replace(/^REJECTED$/, 'REJECT');
  return /^(?:APPROVED|COMPLETE)$/.test(word) && CROSS.test(text) ? '' : word;
}

function oneOf<T extends string>(words: readonly T[], text: unknown): T | undefined {
  if (typeof text !== 'string') return undefined;
  const [word, given_up] = [bareWord(text), givenUp(text)?.word];
  return words.find((known) => known === word || known === given_up);
}

/** With words behind it. What is complete has none. */
const GIVEN_UP =
  /^[^\p{L}~!-]*(failed|blocked)(?![\s!]*\?)[*_`]*(?:\s*(?:[—–→:;,.!(|/=]|-(?=[\s>-]))[\s>-]*|\s+)(\S[^]*)/iu;
/** A second status, in capitals or as the last word. */
const SECOND =
  /\b(COMPLETE|FAILED|BLOCKED)\b|(?:^|[,;>→|/]|\b(?:now|or))\s*(complete|failed|blocked)\W*$/g;

/** Giving up accepts nothing, so it is read with any reason, even in its own word. */
function givenUp(text: unknown): { readonly word: string; readonly reason: string } | undefined {
  const [, said = '', behind = ''] = GIVEN_UP.exec(typeof text === 'string' ? text : '') ?? [];
  const word = said.toUpperCase();
  const isOther = ([, one, last = '']: string[]) => (one ?? last.toUpperCase()) !== word;
  if (word === '' || Array.from(behind.matchAll(SECOND)).some(isOther)) return undefined;
  return { word, reason: behind.trimEnd().replace(/\)$/, '') };
}

/** A verdict that is the whole text, such as `**Needs work**` or `Rejected.` */
export function verdictWord(text: string): Verdict | undefined {
  return oneOf(VERDICTS, text);
}

/** The value of one key in front matter and in the lines before the first section. */
export interface Keyword<T> {
  /** The word, when all places agree on it. */
  readonly word: T | undefined;
  /** There is a value, readable or not. */
  readonly given: boolean;
  /** 1-based line of it. */
  readonly line: number;
  readonly places: readonly UnreadLine[];
  /** Behind a word that gives up. */
  readonly reason: string;
}

export function keywordOf<T extends string>(
  key: string,
  words: readonly T[],
  text: string,
  lines: readonly Line[],
): Keyword<T> {
  const front = readFrontMatter(text, '');
  if (!front.ok)
    return { word: undefined, given: true, line: 1, places: [placeOf(lines[0])], reason: '' };
  const { head, places: at } = front.value;
  const found = Object.keys(head)
    .filter((name) => name.toLowerCase() === key && head[name] !== null)
    .map((name) => ({ value: head[name], line: at.get(name)?.line ?? 1 }));
  for (const field of fieldsOf(lines)) {
    if (field.key === key) found.push({ value: field.value, line: field.line.index + 1 });
  }
  const [first, ...more] = found.map(({ value }) => oneOf(words, value));
  return {
    word: more.every((word) => word === first) ? first : undefined,
    given: found.length > 0,
    line: found[0]?.line ?? 1,
    places: found.flatMap(({ value, line }) => (value === '' ? [] : placeOf(lines[line - 1]))),
    reason: found.map(({ value }) => givenUp(value)?.reason).find(Boolean) ?? '',
  };
}

const BOX = /^([^\p{L}]*)(not\s+)?(APPROVED|NEEDS[ _-]WORK|REJECT(?:ED)?)(?![\p{L}\p{N}_])(.*)$/isu;
const ANY_VERDICT = /\b(?:approved|needs[ _-]work|reject(?:ed)?)\b/i;
/** Words that may follow APPROVED: a name, a date, marks, and praise. Any other may be a condition. */
const HARMLESS =
  /\b[Bb]y (?!nobody\b|none\b|no\b|niemand)@?[\p{L}'-]+(?: \p{Lu}[\p{L}'-]*)?|\b(?:on )?\d[\d:.TZ/-]*|\bwith (?:minor )?nits\b|[\s.,:;!@()*_`—–✅✔✓☑👍-]|\uFE0F/gu;
const PRAISE =
  /\b(?:a|all|and|are|as|checks?|clean|complete|correct|criteria|everything|expected|good|great|is|job|lgtm|looks?|met|nice|ok|pass|passed|passes|satisfied|tests?|thanks|the|verified|well|work|works)\b/gi;

/** The verdict that a box begins with: null when it cannot be read, undefined when there is none. */
export function boxVerdict(text: string): Verdict | null | undefined {
  const [, marks = '', not, word = '', tail = ''] = BOX.exec(text.slice(0, 500)) ?? [];
  if (word === '') return undefined;
  if (not !== undefined || ANY_VERDICT.test(tail) || isShare(tail)) return null;
  const verdict = verdictWord(marks + word) ?? null;
  return verdict === 'APPROVED' && tail.replace(PRAISE, '').replace(HARMLESS, '') !== ''
    ? null
    : verdict;
}

/** Some of a number: 3/7, 3 of 7, none at all. A date is no share. */
function isShare(text: string): boolean {
  const [, some, all] = /(?<![\d/.-])(\d+)\s*(?:\/|of|von)\s*(\d+)(?![\d/])/i.exec(text) ?? [];
  return some !== all || /(?<![\d:./-])0(?![\d:./-])/.test(text);
}

export function wordsBehind(text: string): string {
  return (BOX.exec(text)?.[4] ?? '').replace(/^[\s*_`—–:(,.-]+|[\s*_`)]+$/g, '');
}

export function placeOf(line: Line | undefined): UnreadLine {
  return { line: (line?.index ?? 0) + 1, found: line?.visible.trim().slice(0, 120) ?? '' };
}
