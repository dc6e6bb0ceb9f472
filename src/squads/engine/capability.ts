/** Squads: a contract that names one is worked on by its rules. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { SQUAD } from '../cli/verbs.ts';
import { inSquad, routeIn } from './apply-squad.ts';
import { squadsOf } from './registry.ts';

export const squads: Capability = {
  name: 'squads',
  verbs: [SQUAD],
  contract: inSquad,
  agents: squadsOf,
  route: routeIn,
};
