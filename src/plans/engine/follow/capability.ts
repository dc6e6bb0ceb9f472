/** Plans: lists of boxes whose items are tasks. */
import type { Capability } from '../../../workspace/tasks/capability.ts';
import type * as shapes from '../../core/plan-lines.ts';
import { plansFolder } from '../../../task/store/tasks/layout.ts';
import { PLAN, STORIES } from '../../cli/verbs.ts';
import { unstartedWords } from '../start/unstarted.ts';
import { calls } from './calls.ts';

export const plans: Capability<typeof shapes> = {
  name: 'plans',
  verbs: [PLAN],
  flags: [STORIES],
  shapes: () => import('../../core/plan-lines.ts'),
  idle: (ws) =>
    ws.disk.stat(plansFolder(ws.layout)) === undefined ? undefined : unstartedWords(ws),
  checks: ['plan_valid'],
  ...calls,
};
