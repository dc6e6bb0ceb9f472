/** Which tasks are in which state, and how many, by the names of their folders alone. */
import { addTo } from '../../task/core/base/groups.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { isTerminal, LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { listState, namesInState } from '../../task/store/tasks/tasks.ts';
import { readPlaces, standing } from '../board/board.ts';
import { doubleProblem } from '../step/next-action.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** Live ones where no state is asked for. */
export function listNames(ws: Workspace, states?: ReadonlySet<State>) {
  const { places, problems } = readPlaces(ws);
  const ids: string[] = [];
  const twice: Problem[] = [];
  for (const [id, listed] of places) {
    const at = listed.length > 1 ? standing(ws, id, listed) : listed;
    const [state] = at;
    if (state === undefined) continue;
    if (at.length > 1) twice.push(doubleProblem(ws, id, at));
    if (states?.has(state) !== false) ids.push(id);
  }
  for (const state of ['done', 'aborted'] as const) {
    if (states?.has(state) === true) ids.push(...listState(ws.disk, ws.layout, state).ids);
  }
  return { ids, problems: [...ws.problems, ...problems, ...twice] };
}

export interface StateCount {
  readonly state: State;
  readonly tasks: number;
}

/** How many tasks are in each state; one that is in two live states counts in the first. */
export function countTasks(ws: Workspace, states: readonly State[]): readonly StateCount[] {
  const asked = STATES.filter((state) => states.includes(state));
  const looked = asked.every(isTerminal) ? asked : [...new Set([...LIVE_STATES, ...asked])];
  const live = new Set<string>();
  const count = (state: State): number => {
    const names = namesInState(ws.disk, ws.layout, state);
    if (isTerminal(state)) return names.length;
    const before = live.size;
    for (const id of names) live.add(id);
    return live.size - before;
  };
  const counts = new Map(looked.map((state) => [state, count(state)]));
  return asked.map((state) => ({ state, tasks: counts.get(state) ?? 0 }));
}

/** Ids that are in more than one of the eight states. */
export function standingTwice(ws: Workspace): readonly (readonly [string, readonly State[]])[] {
  const places = new Map<string, State[]>();
  for (const state of STATES) {
    for (const id of listState(ws.disk, ws.layout, state).ids) addTo(places, id, state);
  }
  return [...places].filter(([, states]) => states.length > 1);
}
