/** The board as a value: the tasks in their sections, and the one that is selected. Knows no terminal and no disk. */
import { holdsWords, isYours, type ListedTask } from '../../engine/queries/listing.ts';
import { isTerminal } from '../../task/core/model/state.ts';

export const SECTIONS = ['yours', 'work', 'next', 'ended'] as const;
export type Section = (typeof SECTIONS)[number];

/** A line that is typed: a search, or the words of a verdict on the task as it was when the line was begun. */
export interface Typing {
  readonly at: 'search' | 'approve' | 'needs-work' | 'reject';
  readonly text: string;
  readonly task?: ListedTask;
}

export interface Board {
  /** In the order of their turn; with `words`, those that have them. */
  readonly tasks: readonly ListedTask[];
  /** Facts about all of it: what is paused, how many are done. */
  readonly notes: readonly string[];
  readonly words: string;
  /** The selected task: its place among all, its id, and the section in which it was. */
  readonly place: number;
  readonly id: string;
  readonly section: Section;
  /** Last lines of agents at work, by task. */
  readonly printed: ReadonlyMap<string, string>;
  /** The tasks, the keys, the moves of a task, or a line that is typed. */
  readonly mode: Typing | { at: 'moves'; task: ListedTask } | { at: 'tasks' | 'keys' };
  /** A sentence about what the last key led to. */
  readonly says: string;
}

const EMPTY = { tasks: [], notes: [], words: '', place: 0, id: '', printed: new Map(), says: '' };
export const NO_BOARD: Board = { ...EMPTY, section: 'yours', mode: { at: 'tasks' } };

export function sectionOf(task: ListedTask): Section {
  if (isTerminal(task.state)) return 'ended';
  if (isYours(task)) return 'yours';
  return task.waits_for === 'agent' || task.state === 'in_progress' ? 'work' : 'next';
}

/** The tasks that are shown. While words are typed, titles and ids alone are looked at. */
export function sectionsOf({ mode, tasks }: Board) {
  const words = mode.at === 'search' ? mode.text : '';
  const all: Record<Section, ListedTask[]> = { yours: [], work: [], next: [], ended: [] };
  for (const task of tasks)
    if (words === '' || holdsWords([task.id, task.title], words)) all[sectionOf(task)].push(task);
  return all;
}

/** One section after another. */
export function shownOf(board: Board): readonly ListedTask[] {
  return Object.values(sectionsOf(board)).flat();
}

export const selectedOf = (board: Board): ListedTask | undefined => shownOf(board)[board.place];

/** The selection stays at its task while that is in its section; else at its place, where the next one is now. */
export function changed(board: Board, news: Partial<Board>): Board {
  const next = { ...board, ...news };
  const isKnown = (task: ListedTask): boolean =>
    task.id === next.id && sectionOf(task) === next.section;
  const known = shownOf(next).findIndex(isKnown);
  return selected(next, known < 0 ? next.place : known);
}

/** The task at this place, or the first or the last one. */
export function selected(board: Board, wanted: number): Board {
  const tasks = shownOf(board);
  const place = Math.max(0, Math.min(wanted, tasks.length - 1));
  const task = tasks[place];
  return { ...board, place, id: task?.id ?? '', section: task ? sectionOf(task) : 'yours' };
}
