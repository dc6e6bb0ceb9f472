/** Plans: lists of boxes whose items are tasks. */
import type { Capability } from '../../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';
import { PLAN } from '../../cli/verbs.ts';

export const plans: Capability = {
  name: 'plans',
  verbs: [PLAN],
  checks: ['plan_valid'],
  ...calls,
};
