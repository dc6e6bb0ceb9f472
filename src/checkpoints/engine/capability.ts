/** Checkpoints: a decision between two waves of a plan, before the next one begins. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';
import { checkpointKind } from './kind.ts';

export const checkpoints: Capability = {
  name: 'checkpoints',
  kind: checkpointKind,
  acts: () => import('./apply-decision.ts'),
  ...calls,
};
