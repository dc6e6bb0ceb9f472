/** The points where agents are called: verbs that call none do not load them. */
import { bytesAt } from '../../task/store/snapshots/folder-snapshot.ts';
import { TEXT_BYTES_MAX } from '../../task/store/tasks/layout.ts';
import type { CallPoints } from '../../workspace/tasks/capability.ts';
import { FILE, isLedger, MARK } from '../core/mark.ts';
import { writeLedger } from './write-ledger.ts';

export const calls: CallPoints = {
  follow: (step) => ({
    before: () => undefined,
    claimed: (board) => {
      try {
        writeLedger({ ...step, emit: () => undefined }, board);
      } catch {
        // It is written again at the end of the step, which reports what is wrong.
      }
    },
    // A step without a move costs no look at the disk.
    after: (board) => (step.moved.size > 0 ? writeLedger(step, board) : undefined),
  }),
  // A runner that is killed leaves the beginning of one beside it.
  expected_write: ({ disk, layout: { root } }, before, path) => {
    // A person's own becomes none of the runner's.
    if (path === FILE && before.has(path) && !isLedger(before.bytes(path))) return false;
    if (path !== FILE && !/^\.tmp-\w+$/.test(path)) return false;
    if (disk.stat(`${root}/${path}`) === undefined) return false;
    const begun = bytesAt(disk, `${root}/${path}`, TEXT_BYTES_MAX)?.subarray(0, MARK.length);
    const text = begun && Buffer.from(begun).toString();
    return text === MARK || (path !== FILE && text !== undefined && MARK.startsWith(text));
  },
};
