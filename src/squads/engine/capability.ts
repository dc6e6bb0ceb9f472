/** Squads: teams of agents with rules for the contracts that name them. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import type * as shapes from '../core/squad-lines.ts';
import { SQUAD } from '../cli/verbs.ts';
import { inSquad, routeIn } from './apply-squad.ts';
import { calls } from './calls.ts';
import { checkSquad } from './preflight-squad.ts';
import { squadsOf } from './registry.ts';
import { unknownNames } from './unknown-names.ts';

export const squads: Capability<typeof shapes> = {
  name: 'squads',
  verbs: [SQUAD],
  shapes: () => import('../core/squad-lines.ts'),
  checks: ['squad_valid'],
  contract: inSquad,
  agents: squadsOf,
  route: routeIn,
  preflight: checkSquad,
  // Loaded only where a name is unknown, since most work needs no squad.
  draft: async (ws, text, wish) =>
    (wish.open === true || unknownNames(ws, wish)) &&
    (await import('./infer-squad.ts')).draftInSquad(ws, text, wish),
  ...calls,
};
