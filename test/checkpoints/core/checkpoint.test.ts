/** Who goes with a checkpoint that gives up: all that depend on it, in an order that a crash may cut. */
import { expect, test } from 'vitest';
import { dependentsOf, TABLE } from '../../../src/checkpoints/core/checkpoint.ts';
import type { State } from '../../../src/task/core/model/state.ts';
import * as fc from '../../support/property.ts';

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

/** The moves of docs/reference/plans.md#waves-and-checkpoints, by hand: from, trigger, to. */
const MOVES: readonly [State, string, State][] = [
  ['ready', 'checkpoint_asked', 'questions'],
  ['in_progress', 'checkpoint_asked', 'questions'],
  ['questions', 'checkpoint_go', 'done'],
  ['questions', 'checkpoint_review', 'ready'],
  ['done', 'checkpoint_review', 'review'],
  ['draft', 'checkpoint_abort', 'aborted'],
  ['ready', 'checkpoint_abort', 'aborted'],
  ['in_progress', 'checkpoint_abort', 'aborted'],
  ['questions', 'checkpoint_abort', 'aborted'],
  ['review', 'checkpoint_abort', 'aborted'],
  ['blocked', 'checkpoint_abort', 'aborted'],
  ['blocked', 'checkpoint_answered', 'questions'],
];

test('its rows of the table are those of the design', () => {
  const found = TABLE.map(({ from, trigger, to }) => `${from} ${trigger} ${to}`);
  expect(found.toSorted()).toEqual(MOVES.map((row) => row.join(' ')).toSorted());
  expect(TABLE.every(({ left }) => left === 'any')).toBe(true);
  const by_person = TABLE.filter(({ by }) => by === 'person').map(({ trigger }) => trigger);
  expect(by_person).toEqual(['checkpoint_answered']);
});
