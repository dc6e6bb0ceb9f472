/** The points where agents are called: verbs that call none do not load them. */
import { STATES } from '../../task/core/model/state.ts';
import { stateFolder } from '../../task/store/tasks/layout.ts';
import type { CallPoints, FollowedStep, TasksSeen } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { FILE } from '../core/mark.ts';
import { holdsMore, writeLedger } from './write-ledger.ts';

/** More are read by the next step alone, which has looked at all of them. */
const READ_MAX = 200;
const NOTHING_SEEN = { tasks: new Map(), doubles: new Map(), faults: new Map() } as const;

/** The next step, or the end of this one, writes it again and reports what is wrong. */
function writeQuietly(step: FollowedStep, board: TasksSeen): void {
  try {
    writeLedger({ ...step, emit: () => undefined }, board, true);
  } catch {
    // Nothing that was asked for depends on it.
  }
}

/** True after a person's move, and after a runner that died before it had written what it moved. */
function isOlder({ disk, layout }: Workspace): boolean {
  const written_ms = disk.stat(`${layout.root}/${FILE}`)?.mtime_ms ?? Infinity;
  return STATES.some(
    (state) => (disk.stat(stateFolder(layout, state))?.mtime_ms ?? 0) > written_ms,
  );
}

export const calls: CallPoints = {
  changed: (ws) => {
    if (!holdsMore(ws, READ_MAX))
      writeQuietly({ ws, emit: () => undefined, moved: new Set(), held: new Map() }, NOTHING_SEEN);
  },
  follow: (step) => ({
    before: () => undefined,
    claimed: (board) => writeQuietly(step, board),
    after: (board) => {
      if (step.moved.size > 0) writeLedger(step, board);
      else if (isOlder(step.ws)) writeQuietly(step, board);
    },
  }),
};
