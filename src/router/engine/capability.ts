/** The router: which workflow, team or squad the words of a person's message ask for. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { ROUTE } from '../cli/verbs.ts';
import type * as shapes from '../core/router-lines.ts';
import { calls } from './calls.ts';

export const router: Capability<typeof shapes> = {
  name: 'router',
  verbs: [ROUTE],
  shapes: () => import('../core/router-lines.ts'),
  ...calls,
};
