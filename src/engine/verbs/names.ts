/** Which tasks stand where, and how many, by the names of their folders alone: no file is read. */
import type { Problem } from '../../core/problem.ts';
import { isTerminal, LIVE_STATES, STATES, type State } from '../../core/state.ts';
import { countState, listState } from '../../store/tasks.ts';
import { readPlaces, standing } from '../board.ts';
import { doubleProblem } from '../look.ts';
import type { Workspace } from '../workspace.ts';

export interface Names {
  readonly ids: readonly string[];
  readonly problems: readonly Problem[];
}

/** The ids alone, from the names of the folders: no file is read. */
export function listNames(ws: Workspace, states?: ReadonlySet<State>): Names {
  const { places, problems } = readPlaces(ws);
  const ids: string[] = [];
  const doubles: Problem[] = [];
  for (const [id, listed] of places) {
    const at = listed.length > 1 ? standing(ws, id, listed) : listed;
    const [state] = at;
    if (state === undefined) continue;
    if (at.length > 1) doubles.push(doubleProblem(ws, id, at));
    if (states?.has(state) !== false) ids.push(id);
  }
  for (const state of ['done', 'aborted'] as const) {
    if (states?.has(state) === true) ids.push(...listState(ws.disk, ws.layout, state).ids);
  }
  return { ids, problems: [...ws.problems, ...problems, ...doubles] };
}

/** How many stand in each state: names alone, no file is read. One in two live ones is in the first. */
export function countTasks(
  ws: Workspace,
  states: readonly State[],
): readonly { readonly state: State; readonly tasks: number }[] {
  const seen = new Set<string>();
  const live = new Map<State, number>();
  for (const state of states.every(isTerminal) ? [] : LIVE_STATES) {
    const before = seen.size;
    for (const id of listState(ws.disk, ws.layout, state).ids) seen.add(id);
    live.set(state, seen.size - before);
  }
  return STATES.filter((state) => states.includes(state)).map((state) => ({
    state,
    tasks: live.get(state) ?? countState(ws.disk, ws.layout, state),
  }));
}
