/** Machines: agents that work elsewhere, by jobs in a queue. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { WORKER } from '../cli/verbs.ts';
import type * as shapes from '../core/machine-lines.ts';

export const machines: Capability<typeof shapes> = {
  name: 'machines',
  verbs: [WORKER],
  examine: async (ws) => (await import('./examine.ts')).examine(ws),
  shapes: () => import('../core/machine-lines.ts'),
};
