/** The board as lines: states side by side, or one under another where the output is narrow or not cut. */
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type { ListedTask } from '../../engine/queries/list.ts';
import { colours as pc } from './colour.ts';
import { ageOf, labelsOf, markOf, namesOf, titleOf, whoOf } from './task-cells.ts';
import { cut, fit, width, wrap, type Screen } from './text-width.ts';
import { stepWords } from './live.ts';
import { colourState } from './output.ts';

/** Cells of a column. */
const NARROWEST = 24;
const WIDEST = 48;
const STACKED_BELOW = 72;
const ID_LEAST = 16;
/** In a column at a terminal. */
const CARDS_MAX = 20;

export interface BoardColumn {
  readonly state: State;
  readonly tasks: readonly ListedTask[];
}

/** At most so many cells of the lines of one task. */
type Card = (task: ListedTask, room: number) => readonly string[];

/** `nothing` is the line of an empty board. */
export function boardLines(
  board: readonly BoardColumn[],
  screen: Screen,
  nothing: () => string,
  now: Date,
): string[] {
  const all = board.flatMap(({ tasks }) => tasks);
  const names = namesOf(all, screen.limit);
  const card: Card = (task, room) => {
    const urgent = labelsOf({ priority: task.priority, tags: [] });
    const facts = [ageOf(task, now), urgent, whoOf(task)].filter((one) => one !== '').join(' ');
    const name = cut(names.get(task.id) ?? task.id, Math.max(ID_LEAST, room - width(facts) - 4));
    const lines = [`${markOf(task) || ' '} ${titleOf(task)}`, pc.dim(`  ${name}  ${facts}`)];
    return [...lines, `  ${stepWords(task)}`].filter((line) => line !== '  ');
  };
  const full = board.filter(({ tasks }) => tasks.length > 0);
  const empty = board.filter(({ tasks }) => tasks.length === 0).map(({ state }) => state);
  if (full.length === 0) return [nothing()];
  const lines = bands(full, screen, card);
  return empty.length === 0
    ? lines
    : [...lines, ...wrap(pc.dim(`Empty: ${empty.join(', ')}`), screen.limit)];
}

/** Rows of columns: the states keep their order from left to right, then go on below. */
function bands(board: readonly BoardColumn[], { cells, limit }: Screen, card: Card): string[] {
  const stacked = !Number.isFinite(limit) || cells < STACKED_BELOW;
  const fitting = Math.min(board.length, Math.floor((cells + 2) / (NARROWEST + 2)));
  // 5 states where 4 fit are 3 and 2.
  const across = stacked ? 1 : Math.ceil(board.length / Math.ceil(board.length / fitting));
  const room = stacked ? limit : Math.min(WIDEST, Math.floor((cells + 2) / across) - 2);
  const lines: string[] = [];
  for (let i = 0; i < board.length; i += across) {
    const columns = board.slice(i, i + across).map((column) => columnLines(column, room, card));
    const height = Math.max(...columns.map((column) => column.length));
    for (let row = 0; row < height; row++) {
      const cells = columns.map((column) => fit(column[row] ?? '', room));
      lines.push(cells.join('  ').trimEnd());
    }
    lines.push('');
  }
  return lines;
}

function columnLines({ state, tasks }: BoardColumn, room: number, card: Card): string[] {
  const shown = Number.isFinite(room) ? tasks.slice(0, CARDS_MAX) : tasks;
  const left = tasks.length - shown.length;
  const lines = [
    pc.bold(colourState(state, `${state} (${tasks.length})`)),
    colourState(state, '─'.repeat(Math.min(WIDEST, room))),
    ...shown.flatMap((task) => card(task, room)),
    ...(left === 0 ? [] : [`… ${left} more: contracts list --state ${state}`]),
  ];
  return lines.map((line) => cut(line, room));
}

/** Tasks by state, in the order of the states; those without tasks too. */
export function boardOf(tasks: readonly ListedTask[], states: readonly State[] = LIVE_STATES) {
  return states.map((state): BoardColumn => ({
    state,
    tasks: tasks.filter((task) => task.state === state),
  }));
}
