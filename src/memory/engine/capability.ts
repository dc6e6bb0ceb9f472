/** Memory: what tasks and people taught is kept, and given to the tasks and sessions that it fits. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { MEMORY } from '../cli/verbs.ts';
import type * as shapes from '../core/memory-lines.ts';
import { calls } from './calls.ts';
import { readMemory } from './store.ts';

export const memory: Capability<typeof shapes> = {
  name: 'memory',
  verbs: [MEMORY],
  shapes: () => import('../core/memory-lines.ts'),
  estimates: async (ws) => (await import('./estimates.ts')).estimatesOfLearnings(ws),
  problems: (ws) => readMemory(ws).problems,
  ...calls,
};
