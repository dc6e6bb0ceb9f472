/**
 * How the items of a plan are nested, and the ids of their tasks: made only of the plan's name and the
 * item's key, so each start finds them again. Pure.
 */
import { BASE32 } from '../../task/core/model/id.ts';
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

const ID_CHARS_MAX = 64;
const WORD_CHARS_MAX = 32;
const TAIL_CHARS = 4;
const BITS_OF_A_CHAR = 5;

/** `<plan>_<key cut>_<4 base32>`; `plan` matches PLAN_NAME. */
export function planTaskId(plan: string, key: string, hash: Hash): string {
  return named(plan, key, hash(plan, key));
}

export function checkpointId(plan: string, wave: number, hash: Hash): string {
  return named(plan, `checkpoint-wave-${wave}`, hash(plan, 'checkpoint', `${wave}`));
}

export interface ItemTask {
  readonly id: string;
  /** As written; undefined where none is named. */
  readonly executor: string | undefined;
}

/** One for each executor, in the order of their work; one where none is named. */
export function tasksOfItem(
  plan: string,
  item: Pick<PlanItem, 'key' | 'executors'>,
  hash: Hash,
): readonly [ItemTask, ...ItemTask[]] {
  const [first, ...others] = new Set(item.executors);
  return [
    { id: planTaskId(plan, item.key, hash), executor: first },
    ...others.map((executor) => ({
      id: planTaskId(plan, `${item.key}+@${executor}`, hash),
      executor,
    })),
  ];
}

/** Items without an executor take those of their group. */
export function tasksIn(
  plan: string,
  items: readonly PlanItem[],
  hash: Hash,
): (item: PlanItem) => readonly [ItemTask, ...ItemTask[]] {
  const above = aboveIn(items);
  return (item) => tasksOfItem(plan, { key: item.key, executors: executorsOf(item, above) }, hash);
}

/** Of several plans that match, the longest name counts. */
const OF_PLAN = /^(.+)_[a-z0-9-]+_[a-z2-7]{4}$/;

/** undefined: not the id of a plan's task. */
export function planOfTask(id: string): string | undefined {
  return OF_PLAN.exec(id)?.[1];
}

export function isTaskOfPlan(plan: string, id: string): boolean {
  return id.startsWith(`${plan}_`) && planOfTask(id) !== undefined;
}

function named(plan: string, key: string, hex: string): string {
  const room = Math.min(WORD_CHARS_MAX, ID_CHARS_MAX - plan.length - TAIL_CHARS - 2);
  return `${plan}_${wordOf(key, room)}_${tail(hex)}`;
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

function tail(hex: string): string {
  const bits = Number.parseInt(hex.slice(0, TAIL_CHARS + 1), 16);
  let text = '';
  for (let at = TAIL_CHARS - 1; at >= 0; at--) {
    text += BASE32[Math.floor(bits / 2 ** (BITS_OF_A_CHAR * at)) % 32];
  }
  return text;
}
