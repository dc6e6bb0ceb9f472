/** The weight of a learning: a smoothed share of tasks, which orders what fits equally. */
import { describe, expect, test } from 'vitest';
import { rank } from '../../../src/memory/core/rank.ts';
import { relatedIn } from '../../../src/memory/core/related.ts';
import { weightOf, weightWords, type TaskNames } from '../../../src/memory/core/weight.ts';
import { parseLearning } from '../../../src/memory/text/learning-file.ts';
import * as fc from '../../support/property.ts';
import { kept } from '../kept.ts';

const names = (ended: readonly string[], live: readonly string[] = []): TaskNames => ({
  ended: new Set(ended),
  live: () => new Set(live),
});
const DONE = ['a', 'b', 'c'];

describe('a weight', () => {
  test.each<
    [says: string, uses: string[], returned: string[], passed: number, back: number, weight: number]
  >([
    ['one that no brief showed is neutral', [], [], 0, 0, 0.5],
    ['one success is no certainty', ['a'], [], 1, 0, 0.67],
    ['three', DONE, [], 3, 0, 0.8],
    ['one failure', [], ['a'], 0, 1, 0.33],
    ['a task that came back and then passed counts on both sides', ['a'], ['a'], 1, 1, 0.5],
    ['a task is counted once, whoever wrote it twice', ['a', 'a'], ['b', 'b', 'b'], 1, 1, 0.5],
    ['a task that is open again has not passed', ['a', 'open'], [], 1, 1, 0.5],
    ['a task that is gone has neither passed nor come back', ['a', 'gone'], [], 1, 0, 0.67],
    ['one that came back and is gone did come back', [], ['gone'], 0, 1, 0.33],
  ])('%s', (_, uses, returned, passed, came_back, weight) => {
    expect(weightOf({ uses, returned }, names(DONE, ['open']))).toEqual({
      passed,
      came_back,
      weight,
    });
  });

  test('is above 0 and below 1, grows with what passed and shrinks with what came back', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    fc.assert(
      fc.property(ids, ids, (uses, returned) => {
        const all = names([...'abcdefghz']);
        const { weight } = weightOf({ uses, returned }, all);
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThan(1);
        expect(weightOf({ uses: [...uses, 'z'], returned }, all).weight).toBeGreaterThan(weight);
        expect(weightOf({ uses, returned: [...returned, 'z'] }, all).weight).toBeLessThan(weight);
      }),
    );
  });

  test('is said with its counts, and not of one that no brief showed', () => {
    expect(weightWords(weightOf({ uses: [], returned: [] }, names([])))).toBe('');
    expect(weightWords(weightOf({ uses: DONE, returned: ['a'] }, names(DONE)))).toBe(
      'weight 0.67: of the tasks briefed with it, 3 passed and 1 came back',
    );
  });
});

describe('the order', () => {
  const words = 'Check the form with Zod';
  const order = (weights: Readonly<Record<string, number>>): readonly string[] => {
    const learnings = ['a', 'b', 'c'].map((id) => kept('Check each form with Zod', { id }));
    const weightOf = ({ id }: { readonly id: string }): number => weights[id] ?? 0.5;
    const found = rank(learnings, { words, now: 0, weightOf }, relatedIn(''));
    return found.map(({ learning }) => learning.id);
  };

  test('of equals is as before', () => {
    expect(order({})).toEqual(['a', 'b', 'c']);
  });

  test('is by weight, and what nobody has seen is in the middle', () => {
    expect(order({ a: 0.33, c: 0.67 })).toEqual(['c', 'b', 'a']);
  });

  test('never hides one: what came back twenty times still fits', () => {
    expect(order({ a: 0.05, b: 0.95, c: 0.95 })).toEqual(['b', 'c', 'a']);
  });
});

test.each([
  ['5', []],
  ['a, b', ['a', 'b']],
  ['[a, 5, .nan, {x: 1}]', ['a']],
  ['{ a: 1 }', []],
  ['null', []],
])('returned: %s, as somebody may write it, is read as %j', (text, returned) => {
  const read = parseLearning(
    `---\ninformation: Use Zod\nreturned: ${text}\n---\n`,
    'a.md',
    'insight',
  );
  expect(read.ok && read.value.learning.returned).toEqual(returned);
});
