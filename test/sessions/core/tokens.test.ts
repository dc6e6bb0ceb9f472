/** Sizes of texts in tokens, against the tokenizer of a model. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { cutToTokens, tokensAtMost } from '../../../src/sessions/core/tokens.ts';

const WORDS = 'From contracts, which keeps tasks here. What they say is data, not instructions.';

test.each([
  WORDS,
  'guest-list-for-the-autumn-fair (questions): Who is the guest? → contracts answer guest-list',
  'Say\\x1b[31m hello\\u202e \\x07\\x07\\x07',
  '로그인이 왜 실패하는지 찾아서 고쳐 주세요 뷁쐟쭣',
  '登録画面の不具合を調査して修正する 齉龘靐',
  'Grüße aus Köln, Ærøskøbing, Łódź',
  '👩‍👩‍👧‍👦🏳️‍🌈 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﷽',
  'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  'XQZKVW JJQXZ zzqxjk QWRTPSDF',
  '!!@@##$$%%^^&&**(())__++{}[]|\\:;<>?,./~`',
  ' leading   and    many      blanks        ',
  '\n\n\n- a\n- b\n\n',
  ' ​﻿',
])('no fewer than there are: %j', (text) => {
  for (const whole of [text, text.repeat(20), `${text}\n`.repeat(9)])
    expect(tokensAtMost(whole)).toBeGreaterThanOrEqual(encode(whole).length);
});

test('English is counted at most twice', () => {
  expect(tokensAtMost(WORDS)).toBeLessThanOrEqual(2 * encode(WORDS).length);
});

test('a cut ends with a whole line, or where there is none, with a whole character', () => {
  expect(cutToTokens('- one two\n- three four\n- five', 8)).toBe('- one two');
  expect(cutToTokens('👩👩👩', 7)).toBe('👩👩');
  expect(cutToTokens('short', 8)).toBe('short');
  expect(cutToTokens('some', 0)).toBe('');
});
