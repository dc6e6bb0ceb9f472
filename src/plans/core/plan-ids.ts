/** How items are nested, and ids made of plan name and key alone: each start finds them again. */
import { hasSuffix, suffixOfHash, wordsOf } from '../../task/core/model/id.ts';
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

/** Lower-case hex; its parts are separated. */
export type Hash = (...parts: readonly string[]) => string;

/** The ids of one plan; `plan` matches PLAN_NAME. */
export interface PlanIds {
  readonly task: (key: string) => string;
  readonly checkpoint: (wave: number) => string;
}

export function planIds(plan: string, hash: Hash): PlanIds {
  const named = (words: string, hex: string): string =>
    `${wordsOf(words) || 'item'}${suffixOfHash(hex)}`;
  return {
    task: (key) => named(key, hash(plan, key)),
    checkpoint: (wave) => named(`checkpoint-wave-${wave}`, hash(plan, 'checkpoint', `${wave}`)),
  };
}

export interface ItemTask {
  readonly id: string;
  /** As written; undefined where none is named. */
  readonly executor: string | undefined;
}

/** One for each executor, in the order of their work; one where none is named. */
export function tasksOfItem(
  item: Pick<PlanItem, 'key' | 'executors'>,
  ids: PlanIds,
): readonly [ItemTask, ...ItemTask[]] {
  const [first, ...others] = new Set(item.executors);
  return [
    { id: ids.task(item.key), executor: first },
    ...others.map((executor) => ({ id: ids.task(`${item.key}+@${executor}`), executor })),
  ];
}

/** Items without an executor take those of their group. */
export function tasksIn(
  items: readonly PlanItem[],
  ids: PlanIds,
): (item: PlanItem) => readonly [ItemTask, ...ItemTask[]] {
  const above = aboveIn(items);
  return (item) => tasksOfItem({ key: item.key, executors: executorsOf(item, above) }, ids);
}

/** The workflow of contracts of a plan that names none. */
export const PLAN_WORKFLOW = 'plan';

/** True if a plan may have made it; `workflow`: of its contract, where it is known. */
export function isTaskOfPlan(id: string, workflow = PLAN_WORKFLOW): boolean {
  return workflow !== '' && hasSuffix(id);
}

/** The characters of a key that fit into ids and file names. */
export function wordOf(key: string, chars_max: number): string {
  const word = key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, chars_max)
    .replace(/-$/, '');
  return word === '' ? 'item' : word;
}
