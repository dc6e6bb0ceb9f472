/** How the items of a plan are nested, and what one has from those that it stands in. Pure. */
import type { PlanItem } from './plan-document.ts';

/** What an item stands in, innermost first; a nesting that goes round ends. */
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

/** Its own, else of the nearest that it is nested in and that names some. */
export function executorsOf(item: PlanItem, above: Above): readonly string[] {
  const all = [item, ...above(item)].map(({ executors }) => executors);
  return all.find(({ length }) => length > 0) ?? [];
}
