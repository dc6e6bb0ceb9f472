import { expect, test } from 'vitest';
import { hasTerm, termsOf, weigh, wordingOf } from '../../../../src/task/core/base/wording.ts';

const FOUND: readonly (readonly [text: string, term: string, is: boolean])[] = [
  ['취약점을 찾아줘', '취약점', true],
  ['PR을 봐줘', 'pr', true],
  ['웹취약점', '취약점', false],
  ['안 돼요', '안 돼', true],
  ['Ads and an ad', 'ads', true],
  ['the class', 'clas', false],
  ['vulnerabilities', 'vulnerab*', true],
  ['invulnerable', 'vulnerab*', false],
  ['Café', 'cafe', true],
  ['root cause', 'root cause', true],
  ['rootcause', 'root cause', false],
  ["doesn't", 'doesn t', true],
  ['', 'x', false],
  ['x', '', false],
];

test.for(FOUND)('%j has %j: %s', ([text, term, is]) => {
  expect(hasTerm(wordingOf(text), term)).toBe(is);
});

test('terms count what they say, and the strongest come first', () => {
  expect([...termsOf('a b_c:3 d*:4')]).toEqual([
    ['a', 2],
    ['b c', 3],
    ['d*', 4],
  ]);
  expect(weigh(termsOf('one two:3 three'), wordingOf('two one'))).toEqual({
    words: ['two', 'one'],
    score: 5,
  });
});
