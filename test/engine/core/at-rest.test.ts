/** Which tasks nothing moves without a person, also behind others. */
import { expect, test } from 'vitest';
import { isAtRest, type Standing } from '../../../src/engine/core/decide/at-rest.ts';

const on = (waits_for: Standing['waits_for'], ...awaits: string[]): Standing => ({
  waits_for,
  awaits,
});

test.each<readonly [string, boolean, Record<string, Standing>]>([
  ['it has ended', true, {}],
  ['it waits for a person', true, { a: on('person') }],
  ['its agent works', false, { a: on('agent') }],
  ['a host has it', false, { a: on('host') }],
  ['the next step moves it', false, { a: on('nothing') }],
  ['all is paused', true, { a: on('person') }],
  ['it waits for one at work', false, { a: on('task', 'b'), b: on('agent') }],
  ['it waits for one that has ended', false, { a: on('task', 'b') }],
  ['it waits for one that waits for a person', true, { a: on('task', 'b'), b: on('person') }],
  [
    'it waits for one behind another',
    true,
    { a: on('task', 'x', 'b'), b: on('task', 'c'), c: on('person'), x: on('agent') },
  ],
  ['it waits for itself', false, { a: on('task', 'b'), b: on('task', 'a') }],
  ['another waits for a person', false, { a: on('agent'), b: on('person') }],
])('%s: %s', (_name, rests, live) => {
  expect(isAtRest('a', new Map(Object.entries(live)))).toBe(rests);
});
