/**
 * Plain text takes a quick way past the classes of Unicode, which V8 needs milliseconds to lay out: it
 * says the same as the whole way, for every character.
 */
import { expect, test } from 'vitest';
import { areTaskIds, isTaskId, slugOf } from '../../../src/task/core/model/id.ts';
import { checkPath } from '../../../src/task/text/documents/paths.ts';
import { plainTitle } from '../../../src/task/text/markdown/sections.ts';
import { escapeText } from '../../../src/task/text/markdown/escape-terminal.ts';

const CHARS = Array.from({ length: 0x10000 }, (_, i) => String.fromCharCode(i));
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Code points for which two ways differ. */
function differing<T>(one: (char: string) => T, other: (char: string) => T): string[] {
  return CHARS.filter((char) => one(char) !== other(char)).map((char) =>
    char.charCodeAt(0).toString(16),
  );
}

test.each<[string, (char: string) => unknown, (char: string) => unknown]>([
  [
    'what is escaped for a terminal',
    (char) => escapeText(`a${char}b`) !== `a${char}b`,
    (char) => UNSAFE.test(char),
  ],
  [
    'the same in a block of lines',
    (char) => escapeText(`a${char}b`, { multiline: true }) !== `a${char}b`,
    (char) => UNSAFE.test(char) && char !== '\n' && char !== '\t',
  ],
  [
    'which path is refused for a character',
    (char) => checkPath(`a${char}b`) === 'the path has a control character',
    (char) => UNSAFE.test(char),
  ],
  ['what counts in a title', (char) => plainTitle(`A${char}b`), wholeTitle],
  ['what a title gives to an id', (char) => slugOf(`A${char}b`), wholeSlug],
])('%s', (_, quick, whole) => {
  expect(differing(quick, whole)).toEqual([]);
});

function wholeTitle(char: string): string {
  const marks = `A${char}b`.replaceAll(/[*_`]/g, ' ');
  return marks
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

function wholeSlug(char: string): string {
  const letters = `A${char}b`.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = letters.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '').join('-');
}

test('names that are ids, all at once', () => {
  const long = 'a'.repeat(11);
  const isLong = (name: string): boolean => isTaskId(name) && name.length > 11;
  expect(
    differing(
      (char) => areTaskIds([`${long}${char}`]),
      (char) => isLong(`${long}${char}`),
    ),
  ).toEqual([]);
  expect(
    differing(
      (char) => areTaskIds([`${char}${long}`]),
      (char) => isLong(`${char}${long}`),
    ),
  ).toEqual([]);
  const ids = Array.from({ length: 20_000 }, (_, i) => `task_20261121_number-${i}`);
  expect(areTaskIds(ids)).toBe(true);
  for (const odd of ['', 'a', 'constructor', 'a'.repeat(65), 'README.md', '.gitkeep', 'con']) {
    expect(areTaskIds([...ids, odd]), odd).toBe(false);
    expect(areTaskIds([odd, ...ids]), odd).toBe(false);
  }
  expect(areTaskIds(['a'.repeat(64)])).toBe(true);
});
