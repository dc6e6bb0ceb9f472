/**
 * What the boxes of a plan must show for the states of its tasks (docs/reference/plans.md#boxes): derived
 * from the folders, never read back. A box without a task belongs to the person. Pure.
 */
import { addTo } from '../../task/core/base/groups.ts';
import { BOX_MARKS, isClosed } from './plan-document.ts';
import type { BoxMeaning, PlanBox, PlanDocument, PlanItem } from './plan-document.ts';
import type { Dependency, DependencyState } from '../../task/core/model/task.ts';
import { aboveIn } from './plan-ids.ts';

/** A task of an item; `unknown` while it does not exist. */
export type ItemStanding = Pick<Dependency, 'id' | 'state'>;

export interface BoxToMark {
  readonly box: PlanBox;
  readonly now: BoxMeaning;
  readonly of: 'task' | 'group' | 'criterion';
  readonly title: string;
  /** Tasks of the item, of the item that has the criterion, or of everything in the group. */
  readonly tasks: readonly ItemStanding[];
}

export type Standing = (item: PlanItem) => readonly ItemStanding[];

/** Only those whose mark is wrong. */
export function boxesToMark(document: PlanDocument, standing: Standing): readonly BoxToMark[] {
  return projectedBoxes(document, standing).filter(({ box, now }) => box.meaning !== now);
}

/** Boxes without a task are not included. */
export function projectedBoxes({ items }: PlanDocument, standing: Standing): readonly BoxToMark[] {
  const above = aboveIn(items);
  const meanings = new Map<string, BoxMeaning>();
  const marks: BoxToMark[] = [];
  /** By group. */
  const begun = new Map<string, ItemStanding[]>();
  const inside = new Map<string | undefined, PlanItem[]>();
  for (const item of items) {
    addTo(inside, item.within, item);
    if (item.kind !== 'task') continue;
    const tasks = standing(item);
    const now = meaningOf(tasks);
    meanings.set(item.key, now ?? item.box.meaning);
    if (now === undefined) continue;
    for (const { key } of above(item)) addTo(begun, key, ...tasks);
    const { title } = item;
    marks.push({ box: item.box, now, of: 'task', title, tasks });
    const met = now === 'done' ? 'done' : 'open';
    for (const { box, text } of item.criteria) {
      marks.push({ box, now: met, of: 'criterion', title: text, tasks });
    }
  }
  // Backwards, since nested items come after their group.
  for (const group of items.toReversed()) {
    if (group.kind !== 'group') continue;
    const below = inside.get(group.key) ?? [];
    const now = groupMeaning(below.map((one) => meanings.get(one.key) ?? one.box.meaning));
    meanings.set(group.key, now ?? group.box.meaning);
    const tasks = begun.get(group.key);
    if (now === undefined || tasks === undefined) continue;
    marks.push({ box: group.box, now, of: 'group', title: group.title, tasks });
  }
  return marks;
}

/** undefined: no task exists, or the end of one is unknown. */
export function meaningOf(tasks: readonly Pick<ItemStanding, 'state'>[]): BoxMeaning | undefined {
  const all = tasks.map(({ state }) => state);
  if (all.every((state) => state === 'unknown') || all.includes('archived')) return undefined;
  const one = all.map((state) => TASK_MEANINGS[state]);
  if (one.every((meaning) => meaning === 'done')) return 'done';
  if (one.includes('working')) return 'working';
  if (one.includes('dropped')) return 'dropped';
  return one.includes('done') ? 'working' : 'open';
}

const TASK_MEANINGS: Readonly<Record<DependencyState, BoxMeaning>> = {
  draft: 'open',
  ready: 'open',
  in_progress: 'working',
  review: 'working',
  questions: 'working',
  blocked: 'open',
  done: 'done',
  aborted: 'dropped',
  archived_done: 'done',
  archived_aborted: 'dropped',
  archived: 'open',
  unknown: 'open',
};

function groupMeaning(below: readonly BoxMeaning[]): BoxMeaning | undefined {
  if (below.length === 0) return undefined;
  if (below.every((one) => one === 'dropped')) return 'dropped';
  if (below.every(isClosed)) return 'done';
  return below.some((one) => one === 'working' || one === 'done') ? 'working' : 'open';
}

/** Words for a mark that may be a person's; undefined where its task explains it. */
export function wordsOfMark(
  { box: { meaning: was }, now, of, title, tasks }: BoxToMark,
  known: {
    /** A move of this task explains the mark. */
    readonly left: (id: string, was: BoxMeaning) => boolean;
    readonly approved: (id: string) => boolean;
  },
): { readonly reason: string; readonly fix: string } | undefined {
  if (was === 'working' || (was === 'open' && now !== 'done')) return undefined;
  if (of === 'group' && was === 'open') return undefined;
  if (tasks.some(({ id }) => known.left(id, was))) return undefined;
  const at = `[${BOX_MARKS[was]}] at "${title}"`;
  if (of === 'group') {
    if (tasks.some(({ id, state }) => !isOver(state) && known.approved(id))) return undefined;
    const reason = `${at}: a group follows the items below it`;
    return { reason, fix: was === 'dropped' ? abortOf(tasks) : '' };
  }
  // Only a person changes a ticked box to given up.
  const crossed = of === 'task' && was === 'dropped' && now === 'done';
  if (!crossed && tasks.some(({ id }) => known.approved(id)) !== (was === 'open')) return undefined;
  if (of === 'criterion') {
    if (was === 'open') return undefined;
    return { reason: `${at}: a criterion is ticked when its task is done`, fix: '' };
  }
  const reported = tasks.find(({ state }) => TASK_MEANINGS[state] !== was) ?? tasks[0];
  if (reported === undefined) return undefined;
  const { id, state } = reported;
  const reason = `${at}: a box follows its task, and ${id} ${standsIn(state)}`;
  return { reason, fix: fixOf(was, id, state) };
}

/** Tasks that have not begun although a person closed their box or the box of their group. */
export function closedTasks({ box, of, tasks }: BoxToMark): readonly ItemStanding[] {
  return isClosed(box.meaning) && of !== 'criterion'
    ? tasks.filter(({ state }) => TASK_MEANINGS[state] === 'open')
    : [];
}

function isOver(state: DependencyState): boolean {
  return isClosed(TASK_MEANINGS[state]);
}

const NAMED_MAX = 3;

function abortOf(tasks: readonly ItemStanding[]): string {
  const live = tasks.filter(({ state }) => state !== 'unknown' && !isOver(state));
  const few = live.length > 0 && live.length <= NAMED_MAX;
  return few ? `contracts abort ${live.map(({ id }) => id).join(' ')}` : '';
}

function standsIn(state: DependencyState): string {
  return state === 'unknown' ? 'does not exist yet' : `is ${state.replace('_', ' ')}`;
}

/** The command for a person who means it. */
function fixOf(was: BoxMeaning, id: string, state: DependencyState): string {
  const ended = state === 'done' || state === 'aborted';
  if (was === 'open') return ended ? `contracts retry ${id} --again` : '';
  if (state === 'unknown' || state.startsWith('archived')) return '';
  if (was === 'dropped') return `contracts abort ${id}`;
  return `done by hand: move active_tasks/${state}/${id} to done/`;
}
