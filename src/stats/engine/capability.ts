/** Stats: what attempts came to, by agent, client, machine, squad and plan, from the attempt folders alone. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { STATS } from '../cli/verbs.ts';
import type * as shapes from '../core/stats-lines.ts';

export const stats: Capability<typeof shapes> = {
  name: 'stats',
  flags: [STATS],
  shapes: () => import('../core/stats-lines.ts'),
};
