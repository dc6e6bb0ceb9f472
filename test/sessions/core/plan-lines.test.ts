/** Plans in a handoff: open tasks by plan, with the first wave. */
import { expect, test } from 'vitest';
import { planLines } from '../../../src/sessions/core/plan-lines.ts';

test('plans by name, waves as numbers', () => {
  expect(
    planLines([
      { plan: 'b', wave: '10' },
      { plan: 'a', wave: '' },
      { plan: 'b', wave: '2' },
    ]),
  ).toEqual([
    'a: 1 open → contracts plan status a',
    'b: 2 open, next wave 2 → contracts plan status b',
  ]);
  expect(planLines([])).toEqual([]);
});
