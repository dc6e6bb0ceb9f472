/** Workflows: plans with inputs. A plan that is made of one is a plan as any other. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { NEW_PLAN, WORKFLOWS } from '../cli/verbs.ts';
import type * as shapes from '../core/workflow-lines.ts';

export const workflows: Capability<typeof shapes> = {
  name: 'workflows',
  below: [NEW_PLAN, WORKFLOWS],
  shapes: () => import('../core/workflow-lines.ts'),
};
