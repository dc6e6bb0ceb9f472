/** Which words of a text are searched. */
import { expect, test } from 'vitest';
import { idFor } from '../../../src/memory/core/learning.ts';
import { termsOf, wordsByTerm } from '../../../src/memory/core/terms.ts';

test.each<[says: string, text: string, terms: readonly string[]]>([
  ['endings are left out', 'Validating forms', ['valid', 'form']],
  ['a name in camel case is its words', 'userInput', ['user', 'input']],
  ['a path is its words', 'src/a-page.ts', ['src', 'page', 'ts']],
  ['words that are in any text are left out', 'Use it with the cache', ['cach']],
  ['numbers stay', 'Retry 3 times', ['retri', '3', 'time']],
  ['letters of other scripts stay', 'ÉTÉ ﬁle', ['été', 'file']],
  ['what is written without blanks is found in pairs', '日本語', ['日本', '本語']],
  ['names of object keys are words as others', '__proto__ constructor', ['proto', 'constructor']],
  ['nothing', ' — \u202e\n', []],
])('%s', (_, text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('a reason shows the word as it is written first', () => {
  expect([...wordsByTerm('Forms form formed')]).toEqual([['form', 'forms']]);
});

test.each<[information: string, id: string]>([
  ['Use Zod, not io-ts', 'use-zod-not-io-ts'],
  ['', 'learning'],
  ['⚠️ The API returns JSON', 'the-api-returns-json'],
  ['../../etc/passwd', 'etc-passwd'],
  ['\u202eevil\u0000', 'evil'],
  ['日本語'.repeat(30), '日本語'.repeat(17).slice(0, 49)],
])('%j gets a file name of plain letters: %s', (information, id) => {
  expect(idFor(information)).toBe(id);
  expect(idFor(information, 2)).toBe(`${id}-2`);
});
