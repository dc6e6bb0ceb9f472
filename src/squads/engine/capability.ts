/** Squads: teams of agents with rules for the contracts that name them. */
import type { Capability } from '../../workspace/tasks/capability.ts';
import type * as shapes from '../core/squad-lines.ts';
import { SQUAD } from '../cli/verbs.ts';
import { inSquad, routeIn } from './apply-squad.ts';
import { calls } from './calls.ts';
import { guardOfSquad, squadsOf } from './registry.ts';
import type { holdOf } from '../../workspace/tasks/capability.ts';
import { unknownNames } from './unknown-names.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Report } from '../../task/core/model/problem.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export const squads: Capability<typeof shapes> = {
  name: 'squads',
  verbs: [SQUAD],
  shapes: () => import('../core/squad-lines.ts'),
  checks: ['squad_valid'],
  contract: inSquad,
  agents: squadsOf,
  route: routeIn,
  preflight: checkSquad,
  hold: waitForSquad,
  // Loaded only where a name is unknown, since most work needs no squad.
  draft: async (ws, text, wish) =>
    (wish.open === true || unknownNames(ws, wish)) &&
    (await import('./infer-squad.ts')).draftInSquad(ws, text, wish),
  ...calls,
};

/** Neither a squad nor agents of it are used before the gate of the task that makes it has approved. */
function waitForSquad(...[ws, { head }, { id }, tasks]: Parameters<typeof holdOf>) {
  const named = [head.agent, ...head.quality_gate].flatMap((one) => one?.split('/').slice(0, -1));
  for (const name of new Set([head.squad, ...named])) {
    const squad = name === undefined ? undefined : squadsOf(ws).get(name);
    const by = squad && guardOfSquad(ws, squad, tasks);
    if (by === undefined || by.id === id) continue;
    // Such a look is not kept: it asked about other tasks.
    ws.timed?.();
    const reason = `squad ${name} is not approved yet: ${by.id} (${by.state})`;
    return { reason, fix: `contracts show ${by.id}`, by: by.id };
  }
  return undefined;
}

/** Checks that the squad of a contract exists and has its category. */
function checkSquad(ws: Workspace, contract: Contract, report: Report): void {
  const { squad: name, category } = contract.head;
  if (name === undefined) return;
  const registry = squadsOf(ws);
  const squad = registry.get(name);
  if (squad === undefined) {
    const [broken] = registry.problems(name);
    if (broken !== undefined) {
      const { code, message, fix, ...place } = broken;
      return report(code, message, fix, { ...place, severity: 'error' });
    }
    const expected = 'one of those that contracts squad list shows';
    const fix = `${didYouMean(name, registry.names())}Make it with: contracts squad new ${name}`;
    const more = { found: name, expected, keys: ['squad'] };
    return report('unknown_squad', 'there is no such squad', fix, more);
  }
  if (category === undefined || squad.categories.has(category)) return;
  if (Object.hasOwn(ws.config.categories, category)) return;
  report(
    'bad_value',
    `the squad ${name} has no such category`,
    didYouMean(category, squad.categories.keys()).trim() || 'Take it out, or add it to the squad',
    {
      severity: 'warning',
      found: category,
      expected: [...squad.categories.keys()].join(', ') || 'none: it has no categories',
      keys: ['category'],
    },
  );
}
