/**
 * The adapters by which the runner starts nothing; asking one for an invocation is our own mistake.
 * `human`: the attempt waits until a person's files appear. `host`: an orchestrator outside calls the
 * agent with its own tool and collects later.
 */
import { assert } from '../../task/core/model/problem.ts';
import type { Adapter } from '../../process/adapter.ts';

function uncalled(mode: 'human' | 'host', deaf: string): Adapter {
  return {
    name: mode,
    mode,
    writes_result_itself: true,
    resumable: false,
    deaf,
    prepare: () => {
      assert(false, `a ${mode} is not started as a process`);
    },
    read: () => [],
  };
}

export const humanAdapter = uncalled('human', 'a person does this task, and no program is called');
export const hostAdapter = uncalled(
  'host',
  'an orchestrator calls this agent, and no program is known here',
);
