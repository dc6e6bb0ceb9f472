/** Which squad work is for that names none, where only a squad has its category or its agent. Reads. */
import { chooseSquad, type SquadChoice } from '../core/squad-inference.ts';
import { isPerson } from '../../plans/core/verifiers.ts';
import { agentsOf } from '../../agents/engine/registry.ts';
import { squadsOf } from './registry.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** undefined where it needs no squad, or the one that `text` points to does not have what it needs. */
export function squadNeeded(
  ws: Workspace,
  text: string,
  {
    category,
    executors,
  }: { readonly category?: string | undefined; readonly executors: readonly string[] },
): SquadChoice | undefined {
  const isKnown = category === undefined || Object.hasOwn(ws.config.categories, category);
  const unknown = executors.filter((name) => !isPerson(name) && !agentsOf(ws).has(name));
  if (isKnown && unknown.length === 0) return undefined;
  const choice = chooseSquad(text, squadsOf(ws).all());
  const { agents = [], categories } = squadsOf(ws).get(choice.name) ?? {};
  const has = (name: string): boolean => agents.some((one) => one.name === name);
  return (isKnown || categories?.has(category)) && unknown.every(has) ? choice : undefined;
}
