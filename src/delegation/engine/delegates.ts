/** The agents that an agent may give work to: those it names, its squad, or all offered ones. */
import { ROLES, rowOf } from '../../permissions/core/roles.ts';
import { memberName } from '../../squads/core/squad.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import type { RoleAsked } from '../../workspace/tasks/capability.ts';
import { squadsOf } from '../../squads/engine/registry.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Full names, each once; `squad` is the squad of the work. */
export function mayGiveWorkTo(ws: Workspace, chief: RoleAsked, squad: string | undefined) {
  const { name } = chief;
  const registry = agentsOf(ws);
  const isRole = ROLES.get(name)?.orchestrates === true;
  const orchestrates = isRole && (registry.isPlain(name) || rowOf(chief) !== undefined);
  // Built-in agents other than orchestrators never delegate, so their files are not read for it.
  const plain = registry.isPlain(name) && !orchestrates;
  const own = squadOf(name);
  const named = plain ? undefined : chief.definition?.delegates_to;
  if (named !== undefined) {
    const meant = named.map((one) => squadsOf(ws).nameIn(own, one));
    return others(ws, name, meant);
  }
  const led = ledBy(ws, name, own) ?? ledBy(ws, name, squad);
  if (led !== undefined) return others(ws, name, led);
  return orchestrates ? others(ws, name, registry.offered()) : [];
}

function ledBy(ws: Workspace, name: string, of: string | undefined): string[] | undefined {
  const squad = of === undefined ? undefined : squadsOf(ws).get(of);
  if (squad?.chief === undefined || memberName(squad, squad.chief) !== name) return undefined;
  return squad.agents.map(({ full }) => full).filter((full) => agentsOf(ws).has(full));
}

export function squadOf(name: string): string | undefined {
  return name.includes('/') ? name.split('/')[0] : undefined;
}

function others(ws: Workspace, name: string, names: readonly string[]): readonly string[] {
  const registry = agentsOf(ws);
  const full = names.map((one) => (registry.isPlain(one) ? one : (registry.get(one)?.name ?? one)));
  return [...new Set(full)].filter((one) => one !== name);
}
