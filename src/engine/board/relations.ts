/**
 * What the tasks of a board are to each other: who is whose child, who works on which deliverable.
 * Gathered once a board: asking all tasks about all tasks took half a minute for 20,000 of them.
 */
import { addTo } from '../../task/core/base/groups.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { Writers, writesOf } from '../../task/core/base/glob-overlap.ts';
import type { Board } from './board.ts';
import { isKnownAtRest, parentOf } from '../cache/known-task.ts';
import { turnOf } from '../../workspace/tasks/capability.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { isShared } from '../../worktrees/engine/workdir.ts';

interface Neighbours {
  /** Live children by the id of their parent. */
  readonly children: ReadonlyMap<string, readonly TaskRead[]>;
  /** Tasks that work on something in the tree that all share, or are being judged. */
  readonly working: Writers;
  /** By turn: the tasks that take it and have an open attempt. */
  readonly at_work: ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<Board, Neighbours>();

export function neighboursOf(ws: Workspace, board: Board): Neighbours {
  const found = known.get(board) ?? gather(ws, board);
  known.set(board, found);
  return found;
}

function gather(ws: Workspace, board: Board): Neighbours {
  const children = new Map<string, TaskRead[]>();
  const working = new Writers();
  const at_work = new Map<string, string[]>();
  for (const task of board.tasks.values()) {
    const parent = parentOf(task);
    if (parent !== undefined) addTo(children, parent, task);
    if ((isKnownAtRest(task) && task.state !== 'review') || !task.contract.ok) continue;
    if (isCopy(board, task)) continue;
    const contract = task.contract.value;
    const open = openAttempt(task) !== undefined;
    const turn = open ? turnOf(ws, contract) : undefined;
    if (turn !== undefined) addTo(at_work, turn.key, task.id);
    if (task.state !== 'review' && !open) continue;
    working.add(task.id, writesOf(contract.head), isShared(ws, contract));
  }
  return { children, working, at_work };
}

/** True for a folder with attempts of another task that is there: nothing of it can start, so it holds nothing. */
function isCopy({ tasks }: Board, { id, attempts }: TaskRead): boolean {
  return attempts.some(({ owner = { task: id } }) => owner.task !== id && tasks.has(owner.task));
}
