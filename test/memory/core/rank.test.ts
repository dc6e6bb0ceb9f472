/** What comes first, and what stands in a brief at all. */
import { expect, test } from 'vitest';
import type { Kept } from '../../../src/memory/core/learning.ts';
import { rank } from '../../../src/memory/core/rank.ts';
import { relatedIn } from '../../../src/memory/core/related.ts';
import { kept } from '../kept.ts';

const NOW = Date.parse('2026-11-27T00:00:00Z');
const NONE = relatedIn('');

/** Two that differ only in this: the ids in their order. */
function order(words: string, better: Partial<Kept>, worse: Partial<Kept>): readonly string[] {
  const text = 'Check the input of forms with Zod';
  const two = [kept(text, { id: 'a', ...worse }), kept(text, { id: 'z', ...better })];
  return rank(two, { words, now: NOW }, NONE).map(({ learning }) => learning.id);
}

test.each<[says: string, better: Partial<Kept>, worse: Partial<Kept>]>([
  ['a correction before a pattern', { type: 'correction' }, { type: 'pattern' }],
  ['a constraint before an insight', { type: 'constraint' }, { type: 'insight' }],
  ['right before unrated', { feedback: 1 }, {}],
  ['unrated before wrong', {}, { feedback: -1 }],
  ['wrong before wrong ever again', { feedback: -2 }, { feedback: -5 }],
  ['the younger one', {}, { created: '2020-01-01T00:00:00Z' }],
  ['one with a date before one without', {}, { created: 'last week' }],
  ['the surer one', { confidence: 0.9 }, { confidence: 0.2 }],
  [
    'about a library that is named',
    { entities: ['library:zod'] },
    { entities: ['library:other', 'library:zod-2'] },
  ],
])('%s', (_, better, worse) => {
  expect(order('Validate the form with library:zod', better, worse)).toEqual(['z', 'a']);
});

test('a file is named by its path, in quotes, brackets or at the end of a sentence', () => {
  const one = kept('Keep it small', { entities: ['file:src/a.ts'] });
  for (const words of ['see src/a.ts', 'change `src/a.ts`', '(src/a.ts)', 'Change src/a.ts.']) {
    const [found] = rank([one], { words, now: NOW }, NONE);
    expect(found, words).toMatchObject({ fits: true, why: ['file:src/a.ts', 'src', 'ts'] });
  }
});

test('without a word in common nothing is found', () => {
  const all = [kept('The logo is blue'), kept('Ship on Friday', { id: 'b' })];
  expect(rank(all, { words: 'Validate a form', now: NOW }, NONE)).toEqual([]);
  expect(rank([], { words: 'Validate a form', now: NOW }, NONE)).toEqual([]);
  expect(rank(all, { words: '', now: NOW }, NONE)).toEqual([]);
});

test('a word that is near to one of them is a reason', () => {
  const all = [kept('Validate the payload'), kept('The logo is blue', { id: 'b' })];
  const found = rank(all, { words: 'check', now: NOW }, relatedIn('check validate\n'));
  expect(found.map(({ learning, why, fits }) => [learning.id, why, fits])).toEqual([
    ['a', ['validate'], true],
  ]);
});

test('one rare word of many is no reason for a brief', () => {
  const long = kept(`Zod ${Array.from({ length: 40 }, (_, i) => `word${i}x`).join(' ')}`);
  const [found] = rank([long], { words: 'zod', now: NOW }, NONE);
  expect(found?.fits).toBe(false);
});

test('the same whatever order the files have, and at most a hundred', () => {
  const all = Array.from({ length: 150 }, (_, i) => kept('Use Zod', { id: `l${i}` }));
  const ids = (of: readonly Kept[]) =>
    rank(of, { words: 'zod', now: NOW }, NONE).map(({ learning }) => learning.id);
  expect(ids(all)).toHaveLength(100);
  expect(ids(all.toReversed())).toEqual(ids(all));
});

test('names of object keys are words as others', () => {
  const all = ['__proto__', 'constructor', 'toString'].map((word, i) =>
    kept(`Never trust ${word}`, { id: `l${i}` }),
  );
  const [first] = rank(all, { words: 'constructor', now: NOW }, relatedIn('__proto__ toString\n'));
  expect(first?.learning.id).toBe('l1');
});
