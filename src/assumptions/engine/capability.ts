/** Assumptions: what workers took for granted is shown to a person, whose answers become learnings. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import { ASSUMPTIONS, INTO_DIRECTION } from '../cli/verbs.ts';
import type * as shapes from '../core/assumption-lines.ts';
import { openAsk } from './ask.ts';
import { calls } from './calls.ts';
import { directionProblems } from './direction.ts';
import { assumptionsKind } from './kind.ts';
import { hasAssumptions } from './folder.ts';
import { openAssumptions } from './store.ts';

export const assumptions: Capability<typeof shapes> = {
  name: 'assumptions',
  kind: assumptionsKind,
  acts: () => import('./settle.ts'),
  below: [ASSUMPTIONS, INTO_DIRECTION],
  shapes: () => import('../core/assumption-lines.ts'),
  problems: (ws) => [...directionProblems(ws), ...openAssumptions(ws).problems],
  hold: (ws, { head: { plan } }) => {
    if (plan === undefined || ws.config.assumptions !== 'ask' || !hasAssumptions(ws))
      return undefined;
    const id = openAsk(ws, plan);
    if (id === undefined) return undefined;
    const reason = `assumptions of ${plan} wait for a person (${id})`;
    return { reason, fix: `contracts answer ${id}` };
  },
  ...calls,
};
