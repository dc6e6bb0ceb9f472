/** The category and agents of a wish that only a squad can have. */
import { isPerson } from '../../task/core/model/contract.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Wish } from '../../workspace/tasks/capability.ts';

/** undefined: everything is known. */
export function unknownNames(ws: Workspace, { category, executors }: Wish): Wish | undefined {
  const isKnown = category === undefined || Object.hasOwn(ws.config.categories, category);
  const unknown = executors.filter((name) => !isPerson(name) && !agentsOf(ws).has(name));
  if (isKnown && unknown.length === 0) return undefined;
  return { category: isKnown ? undefined : category, executors: unknown };
}
