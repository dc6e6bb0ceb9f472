/** Many moves, then one sync of each folder. Nothing may be reported as done before `flush`. */
import type { State } from '../../core/model/state.ts';
import type { Disk } from '../disk/disk.ts';
import type { Layout } from './layout.ts';
import { moveInto, moveTask, type MoveResult } from './tasks.ts';

export interface GroupedMoves {
  readonly disk: Disk;
  /** Syncs each folder once, in the order in which they were first asked for. */
  flush(): void;
  move(id: string, from: State, to: State): MoveResult;
}

/**
 * Between the same two states, the target's folder is checked once, and again when a task was not found.
 * Each target is checked before its move.
 */
export function groupMoves(real: Disk, layout: Layout): GroupedMoves {
  const folders = new Set<string>();
  const disk: Disk = { ...real, sync: (folder) => void folders.add(folder) };
  let last: { readonly from: State; readonly to: State } | undefined;
  return {
    disk,
    flush: () => {
      last = undefined;
      for (const folder of folders) real.sync(folder);
      folders.clear();
    },
    move: (id, from, to) => {
      if (last?.from === from && last.to === to) {
        const moved = moveInto(real, layout, id, from, to);
        if (moved !== 'gone') return moved;
      }
      const moved = moveTask(disk, layout, id, from, to);
      if (moved === 'moved') last = { from, to };
      return moved;
    },
  };
}
