/** What an abort does besides the move: the tasks below go too, and an agent without its runner is stopped. */
import { killOrphan } from '../../process/process-room.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { taskFolder } from '../../task/store/tasks/layout.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { partsOf } from '../../workspace/tasks/capability.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { readBoard } from '../board/board.ts';
import { neighboursOf } from '../board/relations.ts';
import { GRACE_MS } from '../call/call.ts';

/** With the live tasks below, deepest first: an abort that was interrupted can be repeated with the same words. */
export function withAllBelow(ws: Workspace, ids: readonly string[]): readonly string[] {
  const board = readBoard(ws, { quick: 'rows' });
  const { children } = neighboursOf(ws, board);
  const found = new Set<string>();
  const walk = (id: string, above: ReadonlySet<string>): void => {
    if (above.has(id)) return;
    const named = (children.get(id) ?? []).map((task) => task.id);
    for (const one of new Set([...named, ...ownChildren(ws, id)])) {
      const live = locate(ws.disk, ws.layout, one).some((state) => !isTerminal(state));
      if (live) walk(one, new Set([...above, id]));
    }
    found.add(id);
  };
  for (const id of ids) walk(id, new Set());
  return [...found];
}

/** Children of a task, even where its contract cannot be read. */
function ownChildren(ws: Workspace, id: string): readonly string[] {
  const [state] = locate(ws.disk, ws.layout, id);
  if (state === undefined) return [];
  const folder = taskFolder(ws.layout, state, id);
  const { attempts } = readAttempts(ws, folder, id);
  return partsOf(ws, { id, folder, attempts });
}

/** Before the next step would. An agent whose runner lives is left to that runner. Returns how many processes ended. */
export async function endOrphans(ws: Workspace, state: State, id: string): Promise<number> {
  const task = readTask(ws, state, id);
  if (task === undefined || !holderOf(ws, task).startsWith('orphan')) return 0;
  const open = openAttempt(task);
  let ended = 0;
  for (const started of [open?.agent, open?.check]) {
    if (started !== undefined)
      ended += await killOrphan(started, started.mark, ws.machine, GRACE_MS);
  }
  return ended;
}
