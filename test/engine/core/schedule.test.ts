/** The order of a step: priority, age, id. Who is not admitted: admission.test.ts. */
import { describe, expect, test } from 'vitest';
import { PRIORITIES } from '../../../src/task/core/model/contract-shape.ts';
import type { Action } from '../../../src/task/core/model/action.ts';
import {
  compareCandidates,
  planStep,
  type Candidate,
} from '../../../src/engine/core/decide/schedule.ts';
import * as fc from '../../support/property.ts';

function candidate(id: string, input: Partial<Candidate> = {}): Candidate {
  const action: Action = { kind: 'stop', attempt: 1, reason: '' };
  return { id, priority: 'medium', since_ms: 0, action, ...input };
}

const free = { held: new Map(), full: undefined, conflicts: 'serialize' } as const;

describe('the order', () => {
  test('is priority, then age, then id', () => {
    const all = [
      candidate('e', { since_ms: 1 }),
      candidate('d'),
      candidate('c'),
      candidate('b', { priority: 'low' }),
      candidate('a', { priority: 'high', since_ms: 9 }),
      candidate('f', { priority: 'critical', since_ms: 9 }),
    ];
    expect(planStep(all, free).map((one) => one.id)).toEqual(['f', 'a', 'c', 'd', 'e', 'b']);
  });

  test('does not depend on how the board was read', () => {
    const one = fc.record({
      id: fc.string({ minLength: 1, maxLength: 2 }),
      priority: fc.constantFrom(...PRIORITIES),
      since_ms: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: (c) => c.id }), (all) => {
        const made = all.map((c) => candidate(c.id, c));
        const ids = (list: readonly Candidate[]): string[] => list.map((c) => c.id);
        const planned = planStep(made, free);
        expect(ids(planStep(made.toReversed(), free))).toEqual(ids(planned));
        expect([...ids(planned)].sort()).toEqual([...ids(made)].sort());
        for (const [i, c] of planned.entries()) {
          const next = planned[i + 1];
          if (next !== undefined) expect(compareCandidates(c, next)).toBeLessThan(0);
        }
      }),
    );
  });
});
