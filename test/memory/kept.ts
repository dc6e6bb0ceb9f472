/** A learning as plain data, for tests. */
import type { Kept } from '../../src/memory/core/learning.ts';

export function kept(information: string, more: Partial<Kept> = {}): Kept {
  return {
    id: 'a',
    file: '.contracts/memory/insight/a.md',
    type: 'insight',
    information,
    entities: [],
    tags: [],
    confidence: 0.7,
    source: ['one'],
    uses: [],
    returned: [],
    feedback: 0,
    created: '2026-11-01T00:00:00.000Z',
    ...more,
  };
}
