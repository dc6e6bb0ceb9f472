/** How the items of a plan are nested, and what one has from those that it is in. Pure. */
import type { PlanItem } from './plan-document.ts';

/** What an item is in, innermost first; a nesting that goes round ends. */
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

/** Of the item, else of the nearest that it is nested in and that says it. */
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
