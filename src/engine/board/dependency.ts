/** The state of a task that another depends on. The answer is kept beside a row, and asked again with it. */
import { isTaskId } from '../../task/core/model/id.ts';
import { PERSON } from '../../task/core/model/contract.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { State } from '../../task/core/model/state.ts';
import { firstWord, type Dependency, type DependencyState } from '../../task/core/model/task.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { isForeign } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isOpen, stateOfTask } from './archive.ts';
import type { Board } from './board.ts';

export const DEPENDENCY = 'dependency ';
export function about<T>(ws: Workspace, question: string, ask: () => T): T {
  return ws.about === undefined ? ask() : ws.about(question, ask);
}

export function dependency(ws: Workspace, board: Board, id: string): Dependency {
  return about(ws, `${DEPENDENCY}${id}`, () => standingOf(ws, board, id));
}

export function standingOf(ws: Workspace, board: Board, id: string): Dependency {
  const state = stateOf(ws, board, id);
  const places = placesOf(ws, board, { id, state });
  const asks = isOpen(state) ? askedAt(board, id) : undefined;
  return { id, state, ...given({ places, asks }) };
}

function askedAt(board: Board, id: string): Dependency['asks'] {
  const task = board.tasks.get(id);
  const kind = task?.kind;
  const word = kind && firstWord(kind);
  const contract = word === undefined ? undefined : task?.contract;
  if (word === undefined || contract?.ok !== true) return undefined;
  const who = kind?.asked?.(contract.value) ?? PERSON;
  return { word, by: who === PERSON ? 'a person' : `@${who}` };
}

/** `done` and `aborted` are looked at too where tasks are few, as for the task itself. */
function placesOf(ws: Workspace, board: Board, { id, state }: Dependency) {
  if (!isOpen(state)) return undefined;
  const live = board.doubles.get(id) ?? [state];
  const places = board.rows ? live : [...live, ...endedToo(ws, { id, state })];
  return places.length > 1 ? places : undefined;
}

/** A task that is being moved to done just now is not in two places. */
export function endedToo(
  ws: Workspace,
  { id, state }: { readonly id: string; readonly state: State },
): readonly State[] {
  const stands = (one: State): boolean =>
    ws.disk.stat(taskFolder(ws.layout, one, id)) !== undefined;
  const ended = (['done', 'aborted'] as const).filter((one) => one !== state && stands(one));
  return ended.length > 0 && stands(state) ? ended : [];
}

/** One look for each: among the live tasks, else in any state, else in the archive. */
function stateOf(ws: Workspace, board: Board, id: string): DependencyState {
  if (!isTaskId(id)) return 'unknown';
  const live = board.tasks.get(id)?.state;
  if (live !== undefined) return live;
  const double = board.doubles.get(id)?.[0];
  if (double !== undefined) return double;
  if (isKnownDone(ws, board, id)) return 'done';
  // Live ones too: a task that moves back while the states are listed is in none of the lists.
  return stateOfTask(ws, id);
}

const knownDone = new WeakMap<Board, Set<string>>();

/** A task that many depend on is mostly done, and is looked for once a board. */
function isKnownDone(ws: Workspace, board: Board, id: string): boolean {
  const known = knownDone.get(board) ?? new Set();
  if (known.has(id)) return true;
  if (ws.disk.stat(taskFolder(ws.layout, 'done', id))?.kind !== 'folder') return false;
  if (isForeign(ws.disk, ws.layout, 'done')) return false;
  knownDone.set(board, known.add(id));
  return true;
}
