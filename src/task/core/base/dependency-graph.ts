/**
 * Dependencies between tasks: cycles, with their path. Pure; linear in tasks and edges but for the
 * paths, and without recursion, so that a chain of 100,000 tasks is as safe as one of three.
 */
import type { DataOf } from '../lines/line-types.ts';
import type { graphed } from '../lines/shared-lines.ts';

type Edges = ReadonlyMap<string, readonly string[]>;

/** Tasks that all depend on each other get a path each up to this many; above, they share one. */
const PATHS_MAX = 200;
const [SHOWN_FIRST, SHOWN_LAST] = [5, 3];

/** A cycle for people; of a very long one its ends. */
export function cycleWords(path: readonly string[]): string {
  if (path.length <= PATHS_MAX + 1) return path.join(' → ');
  const more = `… ${path.length - SHOWN_FIRST - SHOWN_LAST} more …`;
  return [...path.slice(0, SHOWN_FIRST), more, ...path.slice(-SHOWN_LAST)].join(' → ');
}

/** For each task on a cycle, the path of the shortest one, its own id first unless many share it. */
export function findCycles(all: Edges): ReadonlyMap<string, readonly string[]> {
  const edges = leadingOn(all);
  const cycles = new Map<string, readonly string[]>();
  for (const knot of findKnots(edges)) {
    const [first = ''] = knot;
    if (knot.size === 1 && edges.get(first)?.includes(first) !== true) continue;
    const shared = knot.size > PATHS_MAX ? shortestCycle(first, knot, edges) : undefined;
    for (const id of knot) cycles.set(id, shared ?? shortestCycle(id, knot, edges));
  }
  return cycles;
}

/** Without those that lead only to ends: they are on no cycle, and of most trees nothing is left. */
function leadingOn(edges: Edges): Edges {
  const kept = new Map<string, readonly string[]>();
  for (const [id, targets] of edges) {
    if (targets.some((target) => edges.has(target))) kept.set(id, targets);
  }
  return kept;
}

interface Visit {
  readonly id: string;
  readonly order: number;
  /** The earliest task still open that this one reaches. */
  low: number;
  next: number;
}

/** Strongly connected components, by Tarjan: a back edge alone would miss cycles that overlap. */
function findKnots(edges: Edges): readonly ReadonlySet<string>[] {
  const knots: ReadonlySet<string>[] = [];
  const visits = new Map<string, Visit>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const enter = (id: string): Visit => {
    const visit: Visit = { id, order: visits.size, low: visits.size, next: 0 };
    visits.set(id, visit);
    open.push(id);
    isOpen.add(id);
    return visit;
  };
  for (const root of edges.keys()) {
    if (visits.has(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = edges.get(top.id)?.[top.next++];
      if (target === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) above.low = Math.min(above.low, top.low);
        if (top.low === top.order) knots.push(close(top.id, open, isOpen));
        continue;
      }
      if (!edges.has(target)) continue;
      const seen = visits.get(target);
      if (seen === undefined) path.push(enter(target));
      else if (isOpen.has(target)) top.low = Math.min(top.low, seen.order);
    }
  }
  return knots;
}

function close(root: string, open: string[], isOpen: Set<string>): ReadonlySet<string> {
  const knot: string[] = [];
  for (let id = open.pop(); id !== undefined; id = id === root ? undefined : open.pop()) {
    isOpen.delete(id);
    knot.push(id);
  }
  return new Set(knot.toReversed());
}

/** The shortest one through a task, when there is one, breadth first: only what it leads to is asked for. */
export function cycleThrough(
  start: string,
  edgesOf: (id: string) => readonly string[],
): readonly string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const target of edgesOf(id)) {
      if (target === start) return pathTo(start, id, from);
      if (from.has(target)) continue;
      from.set(target, id);
      queue.push(target);
    }
  }
  return undefined;
}

/** Inside one knot: there is a way back to the start. */
function shortestCycle(start: string, knot: ReadonlySet<string>, edges: Edges): readonly string[] {
  const inside = (id: string) => (edges.get(id) ?? []).filter((target) => knot.has(target));
  return cycleThrough(start, inside) ?? [start, start];
}

function pathTo(start: string, end: string, from: ReadonlyMap<string, string>): readonly string[] {
  const path = [start];
  for (let id: string | undefined = end; id !== undefined && id !== start; id = from.get(id)) {
    path.push(id);
  }
  return [...path, start].toReversed();
}

/** Tasks, `unknown` where a contract names one that does not exist, and who waits for whom. */
export type TaskGraph = DataOf<[typeof graphed], 'graph'>;
export type TaskNode = TaskGraph['nodes'][number];
export type TaskEdge = TaskGraph['edges'][number];
