/** Demo: a workspace of the package is copied, and the command itself moves its tasks. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { DEMO } from '../cli/verbs.ts';
import type * as shapes from '../core/demo-lines.ts';

export const demo: Capability<typeof shapes> = {
  name: 'demo',
  verbs: [DEMO],
  shapes: () => import('../core/demo-lines.ts'),
};
