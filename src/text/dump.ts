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
  return `---\n${dumpPlain(entries) ?? dumpWhole(Object.fromEntries(entries))}---\n`;
}

/** By the library. */
export function dumpWhole(head: Record<string, unknown>): string {
  return stringify(head, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    blockQuote: false,
    aliasDuplicateObjects: false,
  });
}
