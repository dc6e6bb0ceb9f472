/** What expanding a plan needs to know about the workspace: agents, permissions, checks. */
import { refuseChange } from '../../../task/core/model/permissions.ts';
import type { PlanAround } from '../../core/plan-draft.ts';
import { sha256 } from '../../../task/store/disk/hash.ts';
import { agentsOf } from '../../../agents/engine/registry.ts';
import { isSomewhere } from '../../../engine/board/archive.ts';
import { ownPermissions } from '../../../permissions/engine/enforce/effective-permissions.ts';
import { planFileOf } from './find-plans.ts';
import { detectChecks } from '../../../engine/setup/project-checks.ts';
import { isAdapter } from '../../../agents/engine/roles.ts';
import { squadsOf } from '../../../squads/engine/registry.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export function aroundPlan(ws: Workspace, plan: string): PlanAround {
  const registry = agentsOf(ws);
  const squads = squadsOf(ws);
  const { categories, checks } = ws.config;
  const known = new Map<string, boolean>();
  let detected: ReturnType<typeof detectChecks> | undefined;
  const permissionsOf = (name: string) => {
    const definition = registry.isPlain(name) ? undefined : registry.get(name);
    return ownPermissions(ws.layout, { name, definition });
  };
  return {
    plan,
    file: planFileOf(ws, plan),
    hash: sha256,
    squad: (name) => squads.get(name),
    squads: () => squads.names(),
    squadProblem: (name) => (squads.get(name) === undefined ? squads.problems(name)[0] : undefined),
    agent: (name) => registry.get(name)?.name ?? (isAdapter(ws, name) ? name : undefined),
    hiding: (name) => squads.hiding(name),
    agents: () => registry.offered(),
    mayCreate: (agent, path) =>
      refuseChange(permissionsOf(agent), { kind: 'create', path }) === undefined,
    writes: (agent) => [...permissionsOf(agent).write, ...permissionsOf(agent).create],
    categories: new Map(Object.entries(categories).map(([name, { agent }]) => [name, agent])),
    checks: new Map(Object.entries(checks).map(([name, texts]) => [name, [texts].flat()])),
    detected: (name) => (detected ??= detectChecks(ws.disk, ws.layout.root)).get(name),
    isTask: (id) => {
      const is = known.get(id) ?? isSomewhere(ws, id);
      known.set(id, is);
      return is;
    },
  };
}
