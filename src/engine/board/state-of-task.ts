/** In which state a task is. Looks at folders alone. */
import { isTerminal, LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type { DependencyState } from '../../task/core/model/task.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { archivedState } from './archive.ts';

const PLACE_TRIES = 3;

/** Of one that is in two states, the live one. */
export function stateOfTask(ws: Workspace, id: string): DependencyState {
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
