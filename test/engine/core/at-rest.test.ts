/** Which tasks go no further by themselves, also behind others: each reason to wait. */
import { expect, test } from 'vitest';
import { isAtRest, type Standing } from '../../../src/engine/core/decide/at-rest.ts';
import { WAIT_CODES, WAITS, type WaitCode } from '../../../src/task/core/model/wait-codes.ts';

const on = (code: Standing['code'], ...awaits: string[]): Standing => ({ code, awaits });

/** Others end these: an agent or a host that works, the clock, a slot, the next step. A task: see below. */
const GOES_ON: ReadonlySet<WaitCode> = new Set([
  'dependencies',
  'children',
  'same_file',
  'turn',
  'running',
  'running_elsewhere',
  'orphaned',
  'delegated',
  'pause',
  'slots',
  'next_step',
]);

test.each(WAIT_CODES)('%s ends a wait, or something else goes on', (code) => {
  expect(isAtRest('a', new Map([['a', on(code)]]))).toBe(!GOES_ON.has(code));
});

test.each(WAIT_CODES.filter((code) => WAITS[code] === 'task'))(
  '%s ends a wait behind a task that needs a person or a host',
  (code) => {
    const behind = (b: Standing['code']) =>
      isAtRest('a', new Map(Object.entries({ a: on(code, 'b'), b: on(b) })));
    expect(
      (['questions', 'to_delegate', 'running', 'delegated', 'nothing'] as const).map(behind),
    ).toEqual([true, true, false, false, false]);
  },
);

test.each<readonly [string, boolean, Record<string, Standing>]>([
  ['it has ended', true, {}],
  ['the next step moves it', false, { a: on('nothing') }],
  ['it waits for one that has ended', false, { a: on('dependencies', 'b') }],
  [
    'it waits for one behind another',
    true,
    {
      a: on('dependencies', 'x', 'b'),
      b: on('children', 'c'),
      c: on('verdict'),
      x: on('running'),
    },
  ],
  ['it waits for itself', false, { a: on('turn', 'b'), b: on('turn', 'a') }],
  ['another waits for a person', false, { a: on('running'), b: on('verdict') }],
])('%s: %s', (_name, rests, live) => {
  expect(isAtRest('a', new Map(Object.entries(live)))).toBe(rests);
});
