/** What depends on what: the live tasks, and what their contracts name. Ended tasks are there by name only. */
import type { TaskEdge, TaskGraph, TaskNode } from '../../task/core/base/dependency-graph.ts';
import type { Problem } from '../../task/core/model/problem.ts';
import { awaitedBy } from '../../task/core/model/task.ts';
import { readBoard, type Board } from '../board/board.ts';
import { dependency } from '../board/dependency.ts';
import { doubleProblem } from '../step/next-action.ts';
import { unreadTasks } from '../board/unreadable-tasks.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export interface Graphed extends TaskGraph {
  readonly problems: readonly Problem[];
}

/** Without tasks that depend on nothing, and on which nothing depends. */
export function graphOf(ws: Workspace): Graphed {
  const board = readBoard(ws);
  const edges = [...board.tasks].flatMap(([to, task]): TaskEdge[] => {
    const named = task.contract.ok ? awaitedBy(task.contract.value) : [];
    return [...new Set(named)].map((from) => ({ from, to, on_cycle: onCycle(board, from, to) }));
  });
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const live = [...board.tasks.values()]
    .filter(({ id }) => linked.has(id))
    .map(({ id, state, contract }): TaskNode => ({
      id,
      state,
      title: contract.ok ? contract.value.title : '',
    }));
  const others = [...linked]
    .filter((id) => !board.tasks.has(id))
    .sort()
    .map((id): TaskNode => ({ id, state: dependency(ws, board, id).state, title: '' }));
  const doubles = [...board.doubles].map(([id, at]) => doubleProblem(ws, id, at));
  return {
    nodes: [...live, ...others],
    edges,
    cycles: eachOnce(board.cycles.values()),
    problems: [...ws.problems, ...board.problems, ...doubles, ...unreadTasks(ws, board)],
  };
}

/** The dependency goes along the shortest cycle through the one or the other. */
function onCycle({ cycles }: Board, from: string, to: string): boolean {
  const along = (path: readonly string[]): boolean =>
    path.some((id, i) => id === to && path[i + 1] === from);
  return [cycles.get(from), cycles.get(to)].some((path) => path !== undefined && along(path));
}

export function eachOnce(cycles: Iterable<readonly string[]>): readonly (readonly string[])[] {
  const seen = new Map<string, readonly string[]>();
  for (const path of new Set(cycles)) {
    const key = path.slice(1).toSorted().join(' ');
    if (!seen.has(key)) seen.set(key, path);
  }
  return [...seen.values()];
}
