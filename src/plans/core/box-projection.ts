/**
 * What the boxes of a plan say once its tasks stand where they stand (docs/reference/plans.md#boxes): a
 * projection, from the folders to the file and never back. Boxes whose task does not exist are the
 * person's own. Pure.
 */
import { BOX_MARKS, isClosed } from './plan-document.ts';
import type { BoxMeaning, PlanBox, PlanDocument, PlanItem } from './plan-document.ts';
import { aboveIn } from './plan-nesting.ts';
import type { DependencyState } from '../../task/core/model/task.ts';

/** A task of an item, and where it is; `unknown` while it does not exist. */
export interface ItemStanding {
  readonly id: string;
  readonly state: DependencyState;
}

export interface BoxToMark {
  readonly box: PlanBox;
  readonly now: BoxMeaning;
  readonly of: 'task' | 'group' | 'criterion';
  readonly title: string;
  /** Of the item itself, of the one that it is a criterion of, or of all that stand below a group. */
  readonly tasks: readonly ItemStanding[];
}

/** The tasks of an item, each with where it is. */
export type Standing = (item: PlanItem) => readonly ItemStanding[];

/** Only those that say something else than they should. */
export function boxesToMark(document: PlanDocument, standing: Standing): readonly BoxToMark[] {
  return projectedBoxes(document, standing).filter(({ box, now }) => box.meaning !== now);
}

/** Of all that follow a task; the others are the person's own. */
export function projectedBoxes({ items }: PlanDocument, standing: Standing): readonly BoxToMark[] {
  const above = aboveIn(items);
  const meanings = new Map<string, BoxMeaning>();
  const marks: BoxToMark[] = [];
  /** Of groups: what is below them. */
  const begun = new Map<string, ItemStanding[]>();
  for (const item of items) {
    if (item.kind !== 'task') continue;
    const tasks = standing(item);
    const now = meaningOf(tasks);
    meanings.set(item.key, now ?? item.box.meaning);
    if (now === undefined) continue;
    for (const { key } of above(item)) begun.set(key, [...(begun.get(key) ?? []), ...tasks]);
    const { title } = item;
    marks.push({ box: item.box, now, of: 'task', title, tasks });
    const met = now === 'done' ? 'done' : 'open';
    for (const { box, text } of item.criteria) {
      marks.push({ box, now: met, of: 'criterion', title: text, tasks });
    }
  }
  // From the last to the first: what is nested in a group comes after it.
  for (const group of items.toReversed()) {
    if (group.kind !== 'group') continue;
    const below = items.filter(({ within }) => within === group.key);
    const now = groupMeaning(below.map((one) => meanings.get(one.key) ?? one.box.meaning));
    meanings.set(group.key, now ?? group.box.meaning);
    const tasks = begun.get(group.key);
    if (now === undefined || tasks === undefined) continue;
    marks.push({ box: group.box, now, of: 'group', title: group.title, tasks });
  }
  return marks;
}

/** undefined: none of them exists, or nobody knows what became of one. */
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

/**
 * What there is to say of a box that a person may have marked: nothing where its task brought it there.
 * One that was taken up again, or was moved to done by hand, explains its box as well.
 */
export function wordsOfMark(
  { box: { meaning: was }, now, of, title, tasks }: BoxToMark,
  known: {
    /** A move of this task is why its box says so. */
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
  // Nothing brings a box that was ticked for good to given up but a person.
  const crossed = of === 'task' && was === 'dropped' && now === 'done';
  if (!crossed && tasks.some(({ id }) => known.approved(id)) !== (was === 'open')) return undefined;
  if (of === 'criterion') {
    if (was === 'open') return undefined;
    return { reason: `${at}: a criterion is ticked when its task is done`, fix: '' };
  }
  const told = tasks.find(({ state }) => TASK_MEANINGS[state] !== was) ?? tasks[0];
  if (told === undefined) return undefined;
  const { id, state } = told;
  const reason = `${at}: a box follows its task, and ${id} ${standsIn(state)}`;
  return { reason, fix: fixOf(was, id, state) };
}

/** Tasks that no agent is at work on, where a person closed their box or their group's. */
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

/** What a person who means it does. */
function fixOf(was: BoxMeaning, id: string, state: DependencyState): string {
  const ended = state === 'done' || state === 'aborted';
  if (was === 'open') return ended ? `contracts reopen ${id}` : '';
  if (state === 'unknown' || state.startsWith('archived')) return '';
  if (was === 'dropped') return `contracts abort ${id}`;
  return `done by hand: move active_tasks/${state}/${id} to done/`;
}
