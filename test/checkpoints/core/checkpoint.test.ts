/** Who goes with a checkpoint that gives up: all that depend on it, in an order that a crash may cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dependentsOf } from '../../../src/checkpoints/core/checkpoint.ts';

test.each<[string, Record<string, string[]>, string[]]>([
  ['nobody', { a: [], b: ['a'] }, []],
  ['one', { a: ['c'] }, ['a']],
  ['through another, which goes last', { a: ['c'], b: ['a'] }, ['b', 'a']],
  ['a diamond, each once', { a: ['c'], b: ['c'], d: ['a', 'b'] }, ['d', 'a', 'b']],
  ['a cycle', { a: ['c', 'b'], b: ['a'] }, ['b', 'a']],
  ['itself on the cycle', { c: ['a'], a: ['c'] }, ['a']],
])('%s', (_name, edges, expected) => {
  expect(dependentsOf('c', new Map(Object.entries(edges)))).toEqual(expected);
});

test('whoever is cut short finds the rest again, when those that ended are seen no more', () => {
  const names = ['c', 'd', 'e', 'f', 'g', 'h'];
  const edges = fc.tuple(...names.map((_, i) => fc.subarray(names.slice(0, i))));
  fc.assert(
    fc.property(edges, fc.nat(6), (needs, cut) => {
      const all = new Map(names.map((name, i) => [name, needs[i] ?? []]));
      const whole = dependentsOf('c', all);
      const ended = new Set(whole.slice(0, cut));
      const left = new Map([...all].filter(([name]) => !ended.has(name)));
      expect(new Set([...ended, ...dependentsOf('c', left)])).toEqual(new Set(whole));
    }),
  );
});
