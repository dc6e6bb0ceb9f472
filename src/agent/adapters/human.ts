/**
 * The `human` adapter: nobody is called. The attempt waits until a person's files appear.
 * Knows nothing; asking it for an invocation is our own mistake.
 */
import { assert } from '../../core/problem.ts';
import type { Adapter } from '../adapter.ts';

export const humanAdapter: Adapter = {
  name: 'human',
  mode: 'human',
  writes_result_itself: true,
  resumable: false,
  deaf: 'a person does this task, and no program is called',
  prepare: () => {
    assert(false, 'a human is not started as a process');
  },
  read: () => [],
};
