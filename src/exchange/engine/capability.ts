/** Exchange: tasks of other tools become plans and drafts, and tasks of here a table for others. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { EXPORT, IMPORT } from '../cli/verbs.ts';
import type * as shapes from '../core/exchange-lines.ts';

export const exchange: Capability<typeof shapes> = {
  name: 'exchange',
  verbs: [IMPORT, EXPORT],
  shapes: () => import('../core/exchange-lines.ts'),
};
