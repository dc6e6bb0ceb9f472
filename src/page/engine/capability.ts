/** Pages for eyes: a report to hand on, and a page that a browser shows. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { REPORT, UI } from '../cli/verbs.ts';
import type * as shapes from '../core/page-lines.ts';

export const page: Capability<typeof shapes> = {
  name: 'page',
  verbs: [REPORT, UI],
  shapes: () => import('../core/page-lines.ts'),
};
