/** What depends on what, in an order in which each comes after what it needs; or the cycles. Pure. */
import { cycleThrough } from './dependency-graph.ts';

const CYCLES_MAX = 10;

export interface Ordered {
  /** As given, but each behind what it depends on. */
  readonly order: readonly string[];
  /** Their first id repeated at the end; each of them once, the shortest through where it was found. */
  readonly cycles: readonly (readonly string[])[];
}

/** Ids that are no keys of `edges` are of others, and lead nowhere. */
export function inOrder(edges: ReadonlyMap<string, readonly string[]>): Ordered {
  const order: string[] = [];
  const seen = new Set<string>();
  const ended = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const onCycle = new Set<string>();
  const meet = (id: string): void => {
    if (onCycle.has(id) || cycles.length >= CYCLES_MAX) return;
    const path = cycleThrough(id, (one) => edges.get(one) ?? []);
    if (path === undefined) return;
    cycles.push(path);
    for (const one of path) onCycle.add(one);
  };
  for (const root of edges.keys()) {
    if (seen.has(root)) continue;
    seen.add(root);
    const path = [{ id: root, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = edges.get(top.id)?.[top.next++];
      if (target === undefined) {
        path.pop();
        ended.add(top.id);
        order.push(top.id);
      } else if (!edges.has(target)) continue;
      else if (!seen.has(target)) {
        seen.add(target);
        path.push({ id: target, next: 0 });
      } else if (!ended.has(target)) meet(target);
    }
  }
  return { order, cycles };
}
