/** Which tasks are in which state, and how many, by the names of their folders alone. */
import type { Problem } from '../../task/core/model/problem.ts';
import { isTerminal, LIVE_STATES, STATES, type State } from '../../task/core/model/state.ts';
import { listState, namesInState } from '../../task/store/tasks/tasks.ts';
import { readPlaces, standing } from '../board/board.ts';
import { doubleProblem } from '../step/next-action.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

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

/** How many tasks are in each state; one that is in two live states counts in the first. */
export function countTasks(
  ws: Workspace,
  states: readonly State[],
): readonly { readonly state: State; readonly tasks: number }[] {
  const asked = STATES.filter((state) => states.includes(state));
  const looked = asked.every(isTerminal) ? asked : [...new Set([...LIVE_STATES, ...asked])];
  const names = new Map(looked.map((state) => [state, namesInState(ws.disk, ws.layout, state)]));
  const live = LIVE_STATES.map((state) => names.get(state) ?? []);
  const all = live.flat();
  // Nearly always no task is in two states: one set finds that out.
  if (new Set(all).size < all.length) leaveDoublesOut(names);
  return asked.map((state) => ({ state, tasks: names.get(state)?.length ?? 0 }));
}

/** Which ids are in more than one of the eight states. */
export function standingTwice(ws: Workspace): readonly (readonly [string, readonly State[]])[] {
  const places = new Map<string, State[]>();
  for (const state of STATES) {
    for (const id of listState(ws.disk, ws.layout, state).ids) {
      places.set(id, [...(places.get(id) ?? []), state]);
    }
  }
  return [...places].filter(([, states]) => states.length > 1);
}

function leaveDoublesOut(names: Map<State, readonly string[]>): void {
  const seen = new Set<string>();
  for (const state of LIVE_STATES) {
    const fresh = (names.get(state) ?? []).filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    names.set(state, fresh);
  }
}
