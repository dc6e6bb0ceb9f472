/** What runners put in place that agents handed in (`attempts/NNNN/placed/`), so that no agent is blamed. */
import { STATES, type State } from '../../task/core/model/state.ts';
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { listAttempts } from '../../task/store/tasks/claims.ts';
import { attemptFolder, PLACED, SETTINGS, taskFolder } from '../../task/store/tasks/layout.ts';
import { namesInState } from '../../task/store/tasks/tasks.ts';
import type { Workspace } from '../open/workspace.ts';
import { isExpectedWrite, type FilesBefore } from './capability.ts';

const BYTES_MAX = 1024 * 1024;

export function asBefore(bytes: Uint8Array): FilesBefore {
  return { has: () => true, bytes: () => bytes };
}

/** Whether that copy of a placed file is what is there now, `at` in the workspace, or runners went on from it. */
export function isPlacedThere(
  ws: Workspace,
  copy: string,
  at: string,
  now: Uint8Array,
  grows: boolean,
): boolean {
  const placed = ws.disk.stat(copy) && bytesAt(ws.disk, copy, BYTES_MAX);
  if (placed === undefined) return false;
  const own = grows ? now.subarray(0, placed.length) : now;
  return Buffer.compare(own, placed) === 0 || isExpectedWrite(ws, asBefore(placed), at);
}

/** Whether a runner put this file of the workspace there for such a task, after that time in milliseconds. */
export function isPlaced(
  ws: Workspace,
  at: string,
  since_ms: number,
  states: readonly State[] = STATES,
): boolean {
  if (!at.startsWith(`${SETTINGS}/`)) return false;
  const now = bytesAt(ws.disk, `${ws.layout.root}/${at}`, BYTES_MAX);
  if (now === undefined) return false;
  return states.some((state) =>
    namesInState(ws.disk, ws.layout, state).some((id) => {
      const folder = taskFolder(ws.layout, state, id);
      return listAttempts(ws.disk, folder).some(({ number, lost }) => {
        const own = attemptFolder(folder, number, lost);
        const copy = `${own}/${PLACED}/${at.slice(SETTINGS.length + 1)}`;
        const written_ms = ws.disk.stat(copy)?.mtime_ms ?? 0;
        return written_ms >= since_ms && isPlacedThere(ws, copy, at, now, false);
      });
    }),
  );
}
