/**
 * Stops an agent whose runner died and whose task a person has just taken away, before the next step
 * would. One whose runner lives is left to that runner.
 */
import { killOrphan } from '../../process/process-room.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import type { State } from '../../task/core/model/state.ts';
import { GRACE_MS } from '../call/call.ts';
import { holderOf } from '../../workspace/tasks/liveness.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

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
