/**
 * Plain data to front matter: the only way in which the runner writes a head, since a template would
 * let a value with a line end become a key.
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
