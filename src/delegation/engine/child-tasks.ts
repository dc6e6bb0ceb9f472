/**
 * The children that a task was given by its own agent, told from its folder alone: each round that it
 * delegated in is an attempt whose kept desk names them. `done` is never searched for them.
 */
import { childTaskId } from '../core/child-rules.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import type { Attempt } from '../../task/core/attempts/record.ts';
import { isTerminal, LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type { DependencyState } from '../../task/core/model/task.ts';
import { sha256 } from '../../task/store/disk/hash.ts';
import { listOrNothing, locate } from '../../task/store/tasks/tasks.ts';
import { archivedState } from '../../engine/board/archive.ts';
import { keptDesk } from '../../workspace/tasks/read-attempts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export const CHILDREN = 'children';
const PLACE_TRIES = 3;

export interface Child {
  readonly id: string;
  /** The file on its parent's desk, without `.md`. */
  readonly name: string;
  /** From 1. */
  readonly round: number;
}

export function rounds(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ lost, outcome }) => !lost && outcome?.outcome === 'delegated');
}

export function childrenOf(
  ws: Workspace,
  folder: string,
  id: string,
  attempts: readonly Attempt[],
): readonly Child[] {
  return rounds(attempts).flatMap((attempt, i) =>
    childNames(ws, keptDesk(folder, attempt)).map((name) => ({
      id: childTaskId(id, i + 1, name, sha256),
      name,
      round: i + 1,
    })),
  );
}

/** Of a desk: the files that can be children, by their names. */
export function childNames(ws: Workspace, desk: string): readonly string[] {
  if (ws.disk.stat(desk)?.kind !== 'folder') return [];
  const folder = `${desk}/${CHILDREN}`;
  if (ws.disk.stat(folder)?.kind !== 'folder') return [];
  return listOrNothing(ws.disk, folder).flatMap(({ name, kind }) => {
    const stem = name.endsWith('.md') ? name.slice(0, -'.md'.length) : '';
    return kind === 'file' && isTaskId(stem) ? [stem] : [];
  });
}

/** Where it stands; of one that stands twice, the live place. */
export function stateOfChild(ws: Workspace, id: string): DependencyState {
  for (let tries = 1; ; tries++) {
    const states = locate(ws.disk, ws.layout, id);
    const found = states.find((state) => !isTerminal(state)) ?? states[0];
    if (found !== undefined) return found;
    // One that is moved while the states are looked through may be missed in all of them.
    const archived = archivedState(ws, id);
    if (archived !== 'unknown' || tries === PLACE_TRIES) return archived;
  }
}

export function isOpen(state: DependencyState): state is State {
  return (LIVE_STATES as readonly string[]).includes(state);
}
