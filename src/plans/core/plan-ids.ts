/** How items are nested, and ids made of plan name and key alone: each start finds them again. */
import { hasSuffix, oldDigits, suffixOfHash, wordsOf } from '../../task/core/model/id.ts';
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

/** A form of ids, made of a plan, the words of a key, and a hash. */
type Form = (plan: string, words: string, hex: string) => string;

const named: Form = (_plan, words, hex) => `${wordsOf(words) || 'item'}${suffixOfHash(hex)}`;

/** `<plan>_<words>_<4 base32>`: tasks of plans that an earlier version started. */
const namedBefore: Form = (plan, words, hex) => {
  const room = Math.min(WORD_CHARS_MAX, ID_CHARS_MAX - plan.length - TAIL_CHARS - 2);
  const tail = oldDigits(Number.parseInt(hex.slice(0, TAIL_CHARS + 1), 16), TAIL_CHARS);
  return `${plan}_${wordOf(words, room)}_${tail.toReversed().join('')}`;
};

/** The ids of one plan; `plan` matches PLAN_NAME. */
export interface PlanIds {
  readonly task: (key: string) => string;
  readonly checkpoint: (wave: number) => string;
}

/** A plan whose first task has an id of an earlier version has all of them in that form. */
export function planIds(
  plan: string,
  items: readonly Pick<PlanItem, 'key' | 'kind'>[],
  hash: Hash,
  isThere: (id: string) => boolean,
): PlanIds {
  const forms = items
    .filter(({ kind }) => kind === 'task')
    .flatMap(({ key }) => [named, namedBefore].map((form) => ({ form, key })));
  const known = forms.find(({ form, key }) => isThere(form(plan, key, hash(plan, key))));
  return idsIn(plan, known?.form ?? named, hash);
}

function idsIn(plan: string, form: Form, hash: Hash): PlanIds {
  return {
    task: (key) => form(plan, key, hash(plan, key)),
    checkpoint: (wave) =>
      form(plan, `checkpoint-wave-${wave}`, hash(plan, 'checkpoint', `${wave}`)),
  };
}

/** True if this is the id that the item has, or had in an earlier version. */
export function isIdOf(plan: string, key: string, hash: Hash, id: string): boolean {
  return [named, namedBefore].some((form) => idsIn(plan, form, hash).task(key) === id);
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

const OF_PLAN = /^(.+)_[a-z0-9-]+_[a-z2-7]{4}$/;

/** The workflow of contracts of a plan that names none. */
export const PLAN_WORKFLOW = 'plan';

/** True if a plan may have made it; `workflow`: of its contract, where it is known. */
export function isTaskOfPlan(plan: string, id: string, workflow = PLAN_WORKFLOW): boolean {
  if (id.startsWith(`${plan}_`) && OF_PLAN.test(id)) return true;
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
