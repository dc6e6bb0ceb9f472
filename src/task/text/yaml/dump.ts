/** The only way in which the runner writes a head: in a template, a line end in a value makes a key. */
import { stringify } from 'yaml';
import { WIDE } from './plain-yaml.ts';

/**
 * `---`, one key a line, `---`. Undefined values and empty lists are left out. Every text is one
 * line, quoted where it must be, so that no value can become a key.
 */
export function dumpFrontMatter(head: Record<string, unknown>): string {
  const entries = Object.entries(head).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  if (entries.length === 0) return '---\n---\n';
  return `---\n${dumpPlain(entries) ?? shownWhole(Object.fromEntries(entries))}---\n`;
}

/** Characters that a terminal would obey and the library leaves as they are. */
const UNSEEN = /[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Texts with such characters are quoted and the characters escaped: they are read back as they were. */
function shownWhole(head: Record<string, unknown>): string {
  const plain = dumpWhole(head);
  if (plain.search(UNSEEN) === -1) return plain;
  return dumpWhole(head, 'QUOTE_DOUBLE').replace(UNSEEN, escaped);
}

function escaped(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

export function dumpWhole(
  head: Record<string, unknown>,
  texts: 'PLAIN' | 'QUOTE_DOUBLE' = 'PLAIN',
): string {
  return stringify(head, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    blockQuote: false,
    aliasDuplicateObjects: false,
    defaultKeyType: 'PLAIN',
    defaultStringType: texts,
  });
}

type Entries = readonly (readonly [string, unknown])[];

const KEY = /^[a-z][a-z_]*$/;
const WORDS = /^(?:true|false|null|y|n|yes|no|on|off)$/i;
/** On one line; what comes first is no mark that may mean a number, a list or an end. */
const TEXT = new RegExp(`^[A-Za-z0-9/_($${WIDE} ,[\\]{}#&*!|>%@\`][ -~${WIDE}]*$`);
/** Text that would be something else, a mapping, a comment or cut off: the library quotes it. */
const QUOTED = /^[ ,[\]{}#&*!|>%@`]|: | #|[ :]$/;
const NUMERAL = /^(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+|\d+\.\d*|\d+(?:\.\d*)?[eE][-+]?\d+)$/;
/** Characters that quoting would escape, or put in other quotes. */
const ESCAPED = /["\\\ud800-\udfff]/;
const CHARS_MAX = 500;

/** Writes the same bytes as the library, without loading it; undefined for what it is not sure of. */
export function dumpPlain(entries: Entries, indent = ''): string | undefined {
  let text = '';
  for (const [key, value] of entries) {
    if (!KEY.test(key) || WORDS.test(key)) return undefined;
    const isList = indent === '' && Array.isArray(value);
    const dumped = isList ? list(value) : one(value);
    if (dumped === undefined) return undefined;
    const before = text === '' ? '' : indent;
    text += isList ? `${before}${key}:\n${dumped}` : `${before}${key}: ${dumped}\n`;
  }
  return text === '' ? undefined : text;
}

function list(values: readonly unknown[]): string | undefined {
  let text = '';
  for (const value of values) {
    const dumped = isMapping(value) ? dumpPlain(Object.entries(value), '    ') : one(value);
    if (dumped === undefined) return undefined;
    text += `  - ${dumped.trimEnd()}\n`;
  }
  return text === '' ? undefined : text;
}

function isMapping(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

function one(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return string(value);
    case 'number':
      return number(value);
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : undefined;
  }
}

function string(value: string): string | undefined {
  if (value === '') return '""';
  if (value.length > CHARS_MAX || !TEXT.test(value) || WORDS.test(value)) return undefined;
  if (!QUOTED.test(value) && !NUMERAL.test(value)) return value;
  return ESCAPED.test(value) ? undefined : `"${value}"`;
}

function number(value: number): string | undefined {
  if (Object.is(value, -0) || Math.abs(value) >= 1e15) return undefined;
  const text = String(value);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
}
