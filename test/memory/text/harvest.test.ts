/** The forms in which agents write learnings. */
import { describe, expect, test } from 'vitest';
import { learningIn } from '../../../src/memory/text/harvest.ts';

const PLAIN = { type: 'insight', entities: [], tags: [], confidence: 0.7 };

describe('the type in front', () => {
  test.each([
    ['[correction] Use Zod', 'correction'],
    ['(insight) Use Zod', 'insight'],
    ['**[correction]** Use Zod', 'correction'],
    ['[corrections] Use Zod', 'correction'],
    ['**correction**: Use Zod', 'correction'],
    ['**Decision:** Use Zod', 'decision'],
    ['`decision`: Use Zod', 'decision'],
    ['preference: Use Zod', 'preference'],
    ['Patterns: Use Zod', 'pattern'],
    ['[anti-pattern] Use Zod', 'anti_pattern'],
    ['Anti pattern: Use Zod', 'anti_pattern'],
    ['[anti_pattern] Use Zod', 'anti_pattern'],
  ])('%s', (line, type) =>
    expect(learningIn(line)).toEqual({ ...PLAIN, type, information: 'Use Zod' }),
  );

  test.each([
    'Pattern matching is slow',
    'Pattern matching is slow: avoid it',
    'Decision tables work well: use them',
    '[other] Use Zod',
    '[insight](http://localhost) is a page',
    'Corrections are slow',
  ])('is a word of the sentence: %s', (line) =>
    expect(learningIn(line)).toEqual({ ...PLAIN, information: line }),
  );
});

describe('what is behind it', () => {
  test.each([
    [
      'Use Zod. (confidence 0.9; entities: library:zod; tags: a, b)',
      { information: 'Use Zod.', confidence: 0.9, entities: ['library:zod'], tags: ['a', 'b'] },
    ],
    [
      '使う（confidence 0.8；tags: a、b）。',
      { information: '使う', confidence: 0.8, tags: ['a', 'b'] },
    ],
    ['使う（推荐）', { information: '使う（推荐）' }],
    ['Use Zod (confidence: 80%)', { information: 'Use Zod', confidence: 0.8 }],
    ['Use Zod [confidence 0.3].', { information: 'Use Zod', confidence: 0.3 }],
    ['Use Zod (confidence 1) (tags: #a)', { information: 'Use Zod', confidence: 1, tags: ['a'] }],
    ['Use Zod (library:zod)', { information: 'Use Zod', entities: ['library:zod'] }],
    [
      'Use Zod (confidence 0.8; entities: library:zod, foo; tags: a b, c)',
      {
        information: 'Use Zod',
        confidence: 0.8,
        entities: ['library:zod'],
        tags: ['a', 'b', 'c'],
      },
    ],
    ['Use \u001b[31mZod\u0007', { information: 'Use \\x1b[31mZod\\x07' }],
    ['Call f(x) (tags: a)', { information: 'Call f(x)', tags: ['a'] }],
    ['Keep `src/a/b.ts` small', { entities: ['file:src/a/b.ts'] }],
  ])('%s', (line, more) =>
    expect(learningIn(line)).toEqual({ ...PLAIN, information: line, ...more }),
  );

  test.each([
    'Use Zod (see docs)',
    'Use Zod (see library:zod)',
    'Use Zod (entities: foo)',
    'Use Zod (confidence 2)',
    'Use Zod (confidence 300%)',
    'Use Zod (confidence: high)',
    'Use f(x)',
  ])('stays where it says nothing about the learning: %s', (line) =>
    expect(learningIn(line)).toEqual({ ...PLAIN, information: line }),
  );
});

test.each(['', '   ', '—', '[preference]', '(confidence 0.8)', '[insight] (tags: a)', '123'])(
  'no words, no learning: %j',
  (line) => expect(learningIn(line)).toBeUndefined(),
);

test('a line of a megabyte gives a short sentence, at once', () => {
  for (const line of ['word '.repeat(200_000), '('.repeat(1_000_000), '`a/'.repeat(300_000)]) {
    expect(learningIn(`Use ${line}`)?.information.length).toBeLessThanOrEqual(600);
  }
});

test('no half of a character is left at its end', () => {
  const { information = '' } = learningIn(`Uses ${'🔥'.repeat(400)}`) ?? {};
  expect(Buffer.from(information).toString()).toBe(information);
});
