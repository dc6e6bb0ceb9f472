/**
 * Plain data to front matter: the only way in which the runner writes a head, since a template would
 * let a value with a line end become a key. It knows no keys and no files.
 */
import { stringify } from 'yaml';
import { dumpPlain } from './plain-dump.ts';

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

/** What a terminal would obey, and the library leaves as it is: bidirectional marks and the like. */
const UNSEEN = /[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/u;
const ALL_UNSEEN = /[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Where such signs are in it, its texts are quoted and the signs escaped: read back as they were. */
function shownWhole(head: Record<string, unknown>): string {
  const plain = dumpWhole(head);
  if (!UNSEEN.test(plain)) return plain;
  return dumpWhole(head, 'QUOTE_DOUBLE').replace(ALL_UNSEEN, escaped);
}

/** As in JSON; what has no four digits, as YAML writes it. */
function escaped(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** By the library. */
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
