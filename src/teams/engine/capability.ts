/** Teams: several agents on one question, as a plan that is written for you. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { TEAM } from '../cli/verbs.ts';
import type * as shapes from '../core/team-lines.ts';

export const teams: Capability<typeof shapes> = {
  name: 'teams',
  verbs: [TEAM],
  shapes: () => import('../core/team-lines.ts'),
};
