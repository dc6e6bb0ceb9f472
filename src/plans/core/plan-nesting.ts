/** How items are nested, and what they inherit. Pure. */
import type { PlanItem } from './plan-document.ts';

/** The groups of an item, innermost first; a cycle ends. */
export type Above = (item: PlanItem) => readonly PlanItem[];

export function aboveIn(items: readonly PlanItem[]): Above {
  const byKey = new Map(items.map((item) => [item.key, item]));
  return (item) => {
    const found: PlanItem[] = [];
    let { within } = item;
    while (within !== undefined) {
      const outer = byKey.get(within);
      if (outer === undefined || outer === item || found.includes(outer)) break;
      found.push(outer);
      within = outer.within;
    }
    return found;
  };
}

export function nearestOf<T>(
  item: PlanItem,
  above: Above,
  get: (item: PlanItem) => T | undefined,
): T | undefined {
  return [item, ...above(item)].map(get).find((value) => value !== undefined);
}

export function executorsOf(item: PlanItem, above: Above): readonly string[] {
  const named = (one: PlanItem) => (one.executors.length > 0 ? one.executors : undefined);
  return nearestOf(item, above, named) ?? [];
}
