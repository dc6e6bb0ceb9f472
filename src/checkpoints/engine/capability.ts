/** Checkpoints: between two waves of a plan somebody decides whether the next one begins. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { calls } from './calls.ts';

export const checkpoints: Capability = {
  name: 'checkpoints',
  ...calls,
};
