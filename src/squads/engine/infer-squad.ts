/** Chooses a squad for work that names none, but needs the category or agent of one. Reads. */
import { chooseSquad, choiceWords, type SquadChoice } from '../core/squad-inference.ts';
import { roleOf } from '../../agents/engine/roles.ts';
import { squadsOf } from './registry.ts';
import { unknownNames } from './unknown-names.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import type { Draft, Wish } from '../../workspace/tasks/capability.ts';

/** undefined where no squad is needed, or the chosen one does not have what is needed. */
export function squadNeeded(ws: Workspace, text: string, wish: Wish): SquadChoice | undefined {
  const unknown = unknownNames(ws, wish);
  if (unknown === undefined) {
    const choice = wish.open === true ? chooseSquad(text, squadsOf(ws).all()) : undefined;
    return choice?.how === 'default' && !isCallable(ws, choice.name) ? undefined : choice;
  }
  const { category, executors } = unknown;
  const choice = chooseSquad(text, squadsOf(ws).all());
  const { agents = [], categories } = squadsOf(ws).get(choice.name) ?? {};
  const has = (name: string): boolean => agents.some((one) => one.name === name);
  const isTheirs = category === undefined || categories?.has(category) === true;
  return isTheirs && executors.every(has) ? choice : undefined;
}

/** A default that no client can be would only be in the way. */
function isCallable(ws: Workspace, name: string): boolean {
  const { default_executor, default_reviewer } = squadsOf(ws).get(name) ?? {};
  return [default_executor, default_reviewer].every((one) => {
    const { adapter, adapter_name } = roleOf(ws, one ?? '');
    return adapter !== undefined && adapter.mode !== 'human' && adapter_name !== 'shell';
  });
}

/** Nothing is applied that nobody named: where the words fit a squad, that is said. */
export function draftInSquad(ws: Workspace, text: string, wish: Wish): Draft | undefined {
  const choice = squadNeeded(ws, text, wish);
  if (choice === undefined || wish.open !== true)
    return choice && { head: { squad: choice.name }, line: choiceWords(choice) };
  const { name, how } = choice;
  return how === 'default' ? undefined : { head: {}, line: `${name} fits: --squad ${name}` };
}
