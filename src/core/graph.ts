/**
 * Dependencies between tasks: cycles, with their path. Pure; linear in tasks and edges, without
 * recursion, so that a chain of 100,000 tasks is as safe as one of three.
 */

/** For each task on a cycle, the path of that cycle, its first id repeated at the end. */
export function findCycles(
  edges: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  const settled = new Set<string>();
  for (const root of edges.keys()) {
    if (!settled.has(root)) walk(root, edges, settled, cycles);
  }
  return cycles;
}

function walk(
  root: string,
  edges: ReadonlyMap<string, readonly string[]>,
  settled: Set<string>,
  cycles: Map<string, readonly string[]>,
): void {
  const path: { id: string; next: number }[] = [{ id: root, next: 0 }];
  const depth = new Map<string, number>([[root, 0]]);
  while (path.length > 0) {
    const top = path[path.length - 1];
    if (top === undefined) return;
    const target = edges.get(top.id)?.[top.next++];
    if (target === undefined) {
      settled.add(top.id);
      depth.delete(top.id);
      path.pop();
      continue;
    }
    const at = depth.get(target);
    if (at !== undefined) {
      const ids = path.slice(at).map((step) => step.id);
      for (const [i, id] of ids.entries()) {
        if (!cycles.has(id)) cycles.set(id, [...ids.slice(i), ...ids.slice(0, i), id]);
      }
    } else if (edges.has(target) && !settled.has(target)) {
      depth.set(target, path.length);
      path.push({ id: target, next: 0 });
    }
  }
}
