/**
 * What the tasks of a board are to each other: who is whose child, who works on which deliverable.
 * Looked up for every task, so it is gathered once a board; asking all tasks about all tasks took
 * half a minute for 20,000 of them. Pure; keeps nothing of a board that nobody holds any more.
 */
import { openAttempt } from '../core/open-attempt.ts';
import type { Board } from './board.ts';

interface Neighbours {
  /** Ids of live children by the id of their parent. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Ids of tasks that work on a deliverable, or are being judged, by its path. */
  readonly working: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<Board, Neighbours>();

export function neighboursOf(board: Board): Neighbours {
  const found = known.get(board) ?? gather(board);
  known.set(board, found);
  return found;
}

function gather(board: Board): Neighbours {
  const children = new Map<string, string[]>();
  const working = new Map<string, string[]>();
  for (const task of board.tasks.values()) {
    if (!task.contract.ok) continue;
    const { parent, deliverables } = task.contract.value.head;
    if (parent !== undefined) add(children, parent, task.id);
    if (task.state !== 'review' && openAttempt(task) === undefined) continue;
    for (const path of deliverables) add(working, path, task.id);
  }
  return { children, working };
}

function add(map: Map<string, string[]>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, [id]);
  else ids.push(id);
}
