/**
 * Keys of the board: what each makes of it, and what has to be done then. Every change of a task is the verb of the
 * command that a person would type.
 */
import type { ListedTask } from '../../engine/queries/listing.ts';
import type { State } from '../../task/core/model/state.ts';
import { TRANSITIONS } from '../../task/core/model/transitions.ts';
import { changed, sectionOf, selected, selectedOf, shownOf } from './board-state.ts';
import type { Board, Typing } from './board-state.ts';

/** `name` as node:readline has it; `text` is what it types, empty for a key that types nothing. */
export interface Key {
  readonly name: string;
  readonly text: string;
  readonly ctrl: boolean;
}

/**
 * A deed for a key. Of the line of the command in `argv`: a `verb` has the terminal in place of the board, what a
 * `quiet` one prints is said in the status line, what one to `read` prints is shown in a pager.
 */
export interface TaskDeed {
  readonly does: 'verb' | 'quiet' | 'read' | 'diff';
  readonly task: ListedTask;
  readonly argv: readonly string[];
}
type Does = TaskDeed['does'];
export type Deed = TaskDeed | { readonly does: 'quit' | 'suspend' | 'redraw' | 'look' };
type Pressed = readonly [board: Board, deed?: Deed];

/** The keys as people read them; those of the bottom line have a short name. */
export const KEYS: readonly (readonly [keys: string, means: string, short?: string])[] = [
  ['↑↓ k j', 'task above, below'],
  ['←→ Tab', 'section beside'],
  ['Home End', 'first, last'],
  ['Enter', 'answer, review or read it'],
  ['a n r', 'approve, needs work, reject'],
  ['d', 'diff of its work', 'diff'],
  ['c', 'comment at lines'],
  ['l', 'log as it grows', 'log'],
  ['m', 'move it, or give it up', 'move'],
  ['/', 'search; Enter: all texts too', 'search'],
  ['?', 'these keys'],
  ['q', 'quit; Ctrl-Z pauses'],
];

type Steps = Readonly<Record<string, number>>;
const STEPS: Steps = { up: -1, k: -1, down: 1, j: 1, home: -Infinity, end: Infinity };
const PAGES: Steps = { pageup: -10, pagedown: 10 };
const SIDES: Steps = { left: -1, right: 1, tab: 1 };
const OF_ALL = { c: 'quit', z: 'suspend', l: 'redraw' } as const;

export function pressed(board: Board, key: Key): Pressed {
  const { name, ctrl, text } = key;
  const { mode } = board;
  const does = ctrl ? OF_ALL[name as keyof typeof OF_ALL] : undefined;
  if (does !== undefined) return [board, { does }];
  if (mode.at === 'moves') return moved(board, mode.task, text);
  if (mode.at === 'keys') return [{ ...board, mode: { at: 'tasks' } }];
  if ('text' in mode) return typed(board, mode, key);
  const quiet = { ...board, says: '' };
  const step = STEPS[name] ?? PAGES[name];
  if (step !== undefined) return [selected(quiet, board.place + step)];
  const side = SIDES[name];
  if (side !== undefined) return [beside(quiet, side)];
  if (name === 'q') return [board, { does: 'quit' }];
  if (text === '?') return [{ ...quiet, mode: { at: 'keys' } }];
  if (text === '/') return [{ ...quiet, mode: { at: 'search', text: board.words } }];
  if (name === 'escape' && board.words !== '') return [{ ...quiet, words: '' }, { does: 'look' }];
  const task = selectedOf(board);
  return task === undefined ? [quiet] : onTask(quiet, task, name);
}

/** The first task of the section beside, of those that have tasks. */
function beside(board: Board, side: number): Board {
  const tasks = shownOf(board);
  const full = [...new Set(tasks.map(sectionOf))];
  const next = full.at((full.indexOf(board.section) + side) % full.length);
  return selected(
    board,
    tasks.findIndex((task) => sectionOf(task) === next),
  );
}

/** Names what Enter opens, for the bottom line, and the verb that does it. */
export function opens(task: ListedTask): readonly [word: string, verb: string] {
  if (sectionOf(task) !== 'yours') return ['read', 'show'];
  if (task.state === 'questions') return ['answer', 'answer'];
  const words: Partial<Record<State, string>> = { blocked: 'unblock', draft: 'confirm' };
  return [words[task.state] ?? 'review', 'review'];
}

const VERDICTS = { a: 'approve', n: 'needs-work', r: 'reject' } as const;

function onTask(board: Board, task: ListedTask, name: string): Pressed {
  const { id, state } = task;
  const [, verb] = opens(task);
  const deed = (does: Does, ...argv: string[]): Pressed => [board, { does, task, argv }];
  const no = (why: string): Pressed => [{ ...board, says: `${id} is ${state}: ${why}` }];
  switch (name) {
    case 'return':
      return deed(verb === 'show' ? 'read' : 'verb', verb, id);
    case 'd':
      return deed('diff');
    case 'l':
      return sectionOf(task) === 'work' ? deed('verb', 'logs', id, '-f') : deed('read', 'logs', id);
    case 'm':
      return [{ ...board, mode: { at: 'moves', task } }];
    case 'c':
      if (state !== 'review') return no('only work in review has comments');
      return deed('verb', 'edit', id, 'review.md');
    case 'a':
    case 'n':
    case 'r':
      if (state !== 'review' && !(name === 'a' && task.code === 'in_hands'))
        return no('a verdict is for work in review');
      return [{ ...board, mode: { at: VERDICTS[name], text: '', task } }];
    default:
      return [board];
  }
}

function typed(board: Board, typing: Typing, { name, text, ctrl }: Key): Pressed {
  const { text: before, at, task } = typing;
  const next = changed(board, { mode: { at: 'tasks' } });
  if (name === 'escape') return [next];
  if (name === 'return') {
    const words = before.trim();
    if (task === undefined) return [{ ...next, words }, { does: 'look' }];
    // With a space before it, it is a text in any case: no id, and no flag.
    const argv = [at, task.id, ...(words === '' ? [] : [` ${words}`])];
    return [next, { does: 'quiet', task, argv }];
  }
  const last = [...new Intl.Segmenter().segment(before)].at(-1);
  const shorter = name === 'backspace' ? before.slice(0, last?.index ?? 0) : before + text;
  const now = ctrl && name === 'u' ? '' : shorter;
  return [changed(board, { mode: { ...typing, text: now } })];
}

/** Moves by a person of which a verb exists; the others come with an answer or a verdict. */
const VERB_OF: Readonly<Record<string, readonly [verb: string, ...flags: string[]]>> = {
  confirmed: ['confirm'],
  retry: ['retry'],
  reopen: ['retry', '--again'],
  abort: ['abort'],
};

export function movesOf(state: State) {
  return TRANSITIONS.flatMap(({ from, to, by, trigger }) => {
    const argv = VERB_OF[trigger];
    return from === state && by === 'person' && argv !== undefined ? [{ to, argv }] : [];
  });
}

function moved(board: Board, task: ListedTask, text: string): Pressed {
  const next: Board = { ...board, mode: { at: 'tasks' } };
  const chosen = movesOf(task.state)[Number(text) - 1];
  if (chosen === undefined) return [next];
  const [verb, ...flags] = chosen.argv;
  return [next, { does: 'quiet', task, argv: [verb, task.id, ...flags] }];
}
