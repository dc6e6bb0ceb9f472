/**
 * Front matter of short texts, numbers and lists of these, in the same bytes as the yaml library writes
 * it, without loading the library. Declines (undefined) whatever it is not sure of.
 */
import { WIDE } from './plain-yaml.ts';

const KEY = /^[a-z][a-z_]*$/;
const WORDS = /^(?:true|false|null|y|n|yes|no|on|off)$/i;
/** On one line; what comes first is no mark that may mean a number, a list or an end. */
const TEXT = new RegExp(`^[A-Za-z0-9/_($${WIDE} ,[\\]{}#&*!|>%@\`][ -~${WIDE}]*$`);
/** It would be something else, a mapping, a comment or cut off: the library quotes it. */
const QUOTED = /^[ ,[\]{}#&*!|>%@`]|: | #|[ :]$/;
const NUMERAL = /^(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+|\d+\.\d*|\d+(?:\.\d*)?[eE][-+]?\d+)$/;
/** What quoting would escape, or do with other quotes. */
const ESCAPED = /["\\\ud800-\udfff]/;
const CHARS_MAX = 500;

type Entries = readonly (readonly [string, unknown])[];

export function dumpPlain(entries: Entries): string | undefined {
  return mapping(entries, '');
}

function mapping(entries: Entries, indent: string): string | undefined {
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
    const dumped = isMapping(value) ? mapping(Object.entries(value), '    ') : one(value);
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
