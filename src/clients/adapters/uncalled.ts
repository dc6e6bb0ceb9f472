/** The adapters that start nothing: `human` waits for files, with `host` an orchestrator calls the agent. */
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
