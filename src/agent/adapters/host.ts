/**
 * The `host` adapter: an orchestrator outside calls the agent with its own tool and collects later.
 * The runner starts nothing; asking it for an invocation is our own mistake.
 */
import { assert } from '../../core/problem.ts';
import type { Adapter } from '../adapter.ts';

export const hostAdapter: Adapter = {
  name: 'host',
  mode: 'host',
  writes_result_itself: true,
  resumable: false,
  deaf: 'an orchestrator calls this agent, and no program is known here',
  prepare: () => {
    assert(false, 'a host calls its agents itself');
  },
  read: () => [],
};
