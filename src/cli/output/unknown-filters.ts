/** A filter that names nothing that exists is a mistake, which an empty list would hide. */
import { join } from 'node:path';
import { agentsOf } from '../../agents/engine/registry.ts';
import { adapterNames } from '../../clients/adapters/registry.ts';
import { listTasks, type ListedTask, type ListQuery } from '../../engine/queries/list.ts';
import { didYouMean } from '../../task/core/base/nearest.ts';
import { STATES } from '../../task/core/model/state.ts';
import { SETTINGS } from '../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

const FILTERS = [
  ['agent', 'agents', ({ agent }: ListedTask) => [agent], 'contracts agents'],
  ['plan', 'plans', ({ plan }: ListedTask) => [plan ?? ''], 'contracts plan list'],
  ['tag', 'tags', ({ tags }: ListedTask) => tags, 'contracts list --all'],
] as const;

/** The words of the refusal. `found`: what the query gave; all other tasks are read only where a value is on none of these. */
export function unknownFilter(
  ws: Workspace,
  query: ListQuery,
  found: readonly ListedTask[],
): readonly [message: string, fix: string, found: string] | undefined {
  for (const [name, key, valuesOf, list] of FILTERS) {
    const seen = new Set(found.flatMap(valuesOf));
    const left = query[key]?.filter((one) => !seen.has(one)) ?? [];
    if (left.length === 0) continue;
    const all = listTasks(ws, { states: new Set(STATES) }).tasks.flatMap(valuesOf);
    // Also agents that no task has yet, and what has a folder such as .contracts/plans/NAME.
    const agents = name === 'agent' ? [...agentsOf(ws).names(), ...adapterNames(ws.config)] : [];
    const folders = listOrNothing(ws.disk, join(ws.layout.root, SETTINGS, `${name}s`));
    const known = new Set([...all, ...agents, ...folders.map((one) => one.name)]);
    const odd = left.find((one) => !known.has(one));
    const what = name === 'tag' ? 'no task has this tag' : `there is no ${name} of this name`;
    if (odd !== undefined) return [what, `${didYouMean(odd, known)}See them: ${list}`, odd];
  }
  return undefined;
}
