/** Squads: a contract that names one is worked on by its rules. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { SQUAD } from '../cli/verbs.ts';
import { inSquad } from './apply-squad.ts';

export const squads: Capability = {
  name: 'squads',
  verbs: [SQUAD],
  contract: inSquad,
};
