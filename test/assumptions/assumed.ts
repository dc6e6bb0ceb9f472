/** An assumption as plain data, for tests. */
import type { KeptAssumption } from '../../src/assumptions/core/assumption.ts';

export function assumed(more: Partial<KeptAssumption> = {}): KeptAssumption {
  return {
    id: 'a',
    file: '.contracts/assumptions/a.md',
    kind: 'assumption',
    information: 'Prices are in euros',
    confidence: 0.5,
    plan: undefined,
    source: [],
    uses: [],
    returned: [],
    asked: false,
    done: 0,
    created: '',
    ...more,
  };
}
