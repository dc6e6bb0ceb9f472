/** The attributes of an item. Never fails, and checks nothing against the workspace. */
import { CONTRACT_TYPES } from '../../task/core/model/contract-shape.ts';
import { CONTRACT_KEYS, type ContractKey } from '../core/plan-document.ts';
import { CHECK_TEXT } from '../core/verifiers.ts';
import { nearest } from '../../task/core/base/nearest.ts';
import { listedPath } from '../../task/text/documents/contract-body.ts';
import { nearName } from './typos.ts';
import { bare, nothing } from './values.ts';
import { plainTitle } from '../../task/text/markdown/sections.ts';

export interface Attributes
  extends ReturnType<typeof noAttributes>, Partial<Record<ContractKey, string>> {
  write?: string[];
  squad?: string;
  type?: string;
  category?: string;
  id?: string;
  wave?: number;
}

export function noAttributes() {
  return {
    executors: Array<string>(),
    reviewers: Array<string>(),
    verify: Array<string>(),
    depends: Array<string>(),
    context_from: Array<string>(),
    skills: Array<string>(),
    tags: Array<string>(),
    deliverables: Array<string>(),
    context_files: Array<string>(),
    /** As written. */
    unknown: Array<string>(),
    /** True if it has a known key. */
    named: false,
    /** True if it has a key about work, not only about its place. */
    worked: false,
  };
}

/**
 * Names of each key that has a list, and how a value is read. `!`: also without bold, since it hardly begins a
 * sentence. `?`: often the heading of a paragraph, so a key only before a fitting value.
 */
const LISTS = {
  executors: ['!executor|!executors|?agent|?agents|assignee|assignees|assigned to', agents],
  reviewers: ['!reviewer|!reviewers|!quality gate|quality gates|?gate|reviewed by', agents],
  verify: ['!verify|?verification|verifier|verified by|?check|?checks', plain],
  depends: [
    '!depends|!depends on|dependencies|dependency|dependent on|!blocked by|blocked on|?after',
    dependencies,
  ],
  context_from: ['context from|results of|results from|?results', dependencies],
  skills: ['skill|!skills|load skills', words],
  tags: ['tag|tags', plain],
  deliverables: ['file|!files|deliverable|!deliverables|output|outputs', paths],
  context_files: ['?context|context file|context files|references|reference', paths],
  write: ['?write|?writes|write paths', paths],
} as const;
type ListKey = keyof typeof LISTS;

/** Names of each key that has one value. */
const SINGLES = {
  squad: '!squad',
  type: '?type|contract type',
  category: '!category',
  id: 'id',
  wave: '!wave',
} as const;

export type AttributeKey = ListKey | keyof typeof SINGLES | ContractKey;

/** Their words mean other things elsewhere, such as `(Priority: P1)`. */
const isWorded = (key: string): boolean => key === 'priority' || key === 'complexity';
const OWN = CONTRACT_KEYS.map((key) => {
  return [key, `${isWorded(key) ? '?' : ''}${key.replace('_', ' ')}`] as const;
});
const OF_LISTS = Object.entries(LISTS).map(([key, [names]]) => [key, names] as const);
const MARKED = [...OF_LISTS, ...Object.entries(SINGLES), ...OWN].flatMap(([key, names]) =>
  names.split('|').map((name) => [name, key as AttributeKey] as const),
);
const KEYS = new Map(MARKED.map(([name, key]) => [name.replace(/^[!?]/, ''), key]));
const markedWith = (mark: string) =>
  new Set(MARKED.flatMap(([name]) => (name.startsWith(mark) ? name.slice(1) : [])));
const PLAIN = markedWith('!');
const CAREFUL = markedWith('?');

/** Entries of one key of one item. */
const ENTRIES_MAX = 500;

const LONG_NAMES = [...KEYS.keys()].filter((name) => name.length > 4 && !isWorded(name));

/** Lists about work, not only about its place, which a group may have. */
const isWork = (key: ListKey): boolean => key !== 'depends' && key !== 'tags';

/** Usually prose, so keys only before references to items. */
const NEEDED = new Set(['requires', 'prerequisite', 'prerequisites']);

/** A key in any spelling, such as `Depends on` or `depends_on`; `inline` is in brackets after a title. */
export function attributeKey(
  word: string,
  form: 'inline' | 'bold' | 'plain',
  value = '?',
): AttributeKey | undefined {
  if (word.length > 60) return undefined;
  const plain = plainTitle(word);
  if (form === 'bold' && plain.endsWith(' references')) return 'context_files';
  if (NEEDED.has(plain)) return fits('depends', value) ? 'depends' : undefined;
  const key = KEYS.get(plain);
  if (key === undefined) return key;
  if (form === 'inline') return isWorded(key) && !fits(key, value) ? undefined : key;
  if (form === 'plain') return PLAIN.has(plain) ? key : undefined;
  return CAREFUL.has(plain) && !fits(key, value) ? undefined : key;
}

const AGENT = /^@?[\w./-]+(?:\s+(?:and\s+)?@[\w./-]+)*$/;
const PATH = /^(?!@)[^\s:]*$/;
const CHECK = new RegExp(`${CHECK_TEXT.source}|^@?[\\w/-]+$`);
const FITTING: Partial<Record<AttributeKey, RegExp>> = {
  executors: AGENT,
  reviewers: AGENT,
  write: PATH,
  context_files: PATH,
  verify: CHECK,
  type: new RegExp(`^(?:${CONTRACT_TYPES.join('|')})$`, 'i'),
  priority: /^(?:critical|high|medium|low)$/,
  complexity: /^(?:high|medium|low)$/,
};

function fits(key: AttributeKey, value: string): boolean {
  const parts = value.split(/,\s+/).map(bare);
  return parts.every((part) => FITTING[key]?.test(part) ?? isReference(part));
}

/** A fault in words; `refused`: the task would be another one without it. */
export type Wrong = string | { readonly message: string; readonly refused: true };

/** `always`: beside known keys every other one is a mistake. */
export function mistypedInline(word: string, always = false): Wrong[] {
  const near = word.length < 4 ? undefined : nearest(word, LONG_NAMES);
  if (near === undefined && !always) return [];
  const message = noKey(word, near);
  return [always && near !== undefined ? { message, refused: true } : message];
}

export function mistypedLine(word: string, bold: boolean): string[] {
  if (attributeKey(word, 'inline') !== undefined) return [];
  const names = bold ? [...KEYS.keys()].filter((name) => !CAREFUL.has(name)) : [...PLAIN];
  const near = nearName(word, names);
  return near === undefined ? [] : [noKey(word, near)];
}

function noKey(word: string, near: string | undefined): string {
  return `items have no key ${word}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Returns what is wrong with the value. */
export function addAttribute(
  attributes: Attributes,
  key: AttributeKey,
  values: readonly string[],
): string[] {
  attributes.named = true;
  const written = values.filter((value) => value.trim() !== '' && !nothing(value));
  if (isListed(key)) return addEntries(attributes, key, written);
  if (key === 'wave') {
    const number = /^(?:wave\s*)?(\d{1,4})$/i.exec(bare(written.join(' ')))?.[1];
    if (number === undefined) return ['a wave has no number'];
    attributes.wave = Number(number);
    return [];
  }
  const first = written.map(aside).find((word) => word !== '');
  if (first !== undefined) attributes[key] = first;
  return written.length > 1 ? [`${key} has more than one value; the first is used`] : [];
}

const isListed = (key: AttributeKey): key is ListKey => key in LISTS;

function addEntries(attributes: Attributes, key: ListKey, values: readonly string[]): string[] {
  attributes.worked ||= isWork(key);
  const [, entries] = LISTS[key];
  const list = (attributes[key] ??= []);
  for (const entry of values.flatMap(entries))
    if (list.length < ENTRIES_MAX && !list.includes(entry)) list.push(entry);
  const isFull = list.length >= ENTRIES_MAX;
  return isFull ? [`${key} has ${ENTRIES_MAX} entries; the rest is ignored`] : [];
}

/** Without a remark: `@dev (reserved for deep work)`, `@dev — the best`. */
export function aside(value: string): string {
  const dash = value.search(/\s(?:—|–|--?)\s/);
  const bracket = value.indexOf(' (');
  const ends = [dash, bracket].filter((end) => end > 0);
  return bare(ends.length === 0 ? value : value.slice(0, Math.min(...ends)));
}

function agents(value: string): string[] {
  return words(value).map((word) => word.replace(/^@/, ''));
}

function plain(value: string): string[] {
  return [bare(value)].filter(Boolean);
}

function paths(value: string): string[] {
  return [pathOf(value)].filter(Boolean);
}

/** The part in backticks, as in `Create: \`src/a.ts:12-20\``; else what is before a remark. */
export function pathOf(value: string): string {
  const quoted = /`([^`]+)`/.exec(value)?.[1];
  const path = (quoted ?? bare(listedPath(value.trim()))).trim();
  return path.replace(/(?::\d+(?:-\d+)?)+$/, '');
}

function words(value: string): string[] {
  const found = aside(value)
    .split(/[\s+&]+/)
    .map(bare);
  return found.filter((word) => word !== '' && word !== 'and' && word !== '@');
}

const NUMBER = String.raw`#?[A-Z]?\d{1,5}(?:\.\d{1,5})*`;
const NUMBERS = new RegExp(
  String.raw`^(?:tasks?|items?|steps?)?\s*(${NUMBER}(?:(?:\s*[&/+]\s*|\s+and\s+|\s+)${NUMBER})*)$`,
  'i',
);

const LABEL = String.raw`(?:(?:tasks?|items?|steps?|waves?|phases?)\s*)?#?[A-Z]{0,3}-?\d[\d.]{0,12}`;
const REFERENCE = new RegExp(
  String.raw`^(?:all\b.{0,40}|everything(?:\s+(?:above|before|earlier|previous|prior))?|${LABEL}(?:(?:\s*[-–,&/+]\s*|\s+(?:and|to|through)\s+)${LABEL})*)$`,
  'i',
);

/** References to items and waves: `T012`, `2.1 and 3`, `wave 2`, `all previous`, also in backticks. */
export function isReference(text: string): boolean {
  return text.length <= 200 && REFERENCE.test(text.replaceAll('`', '').trim());
}

const RANGE =
  /^(?:tasks?|items?)?\s*([A-Z]?)(\d{1,5})(?:\s*[-–]\s*|\s+(?:to|through)\s+)\1(\d{1,5})$/i;

/** `Task 1`, `1 and 2`, `#3`, `2-4`, `2 to 4` are numbers; anything else is one title, key or id. */
function dependencies(written: string): string[] {
  const value = aside(written);
  const plain = value.replaceAll('`', '');
  const range = RANGE.exec(plain);
  const [, letter = '', first = '', last] = range ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (to - from >= 0 && to - from < 500) {
    const width = letter === '' ? 0 : first.length;
    return Array.from({ length: to - from + 1 }, (_, index) =>
      letter.concat(String(from + index).padStart(width, '0')),
    );
  }
  const numbers = value.length > 200 ? null : NUMBERS.exec(plain);
  if (numbers === null) return value === '' ? [] : [value];
  const found = (numbers[1] ?? '').split(/[\s&/+]+/).map((word) => word.replace(/^#/, ''));
  return found.filter((word) => /\d/.test(word));
}
