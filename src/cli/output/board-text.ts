/** The board as lines: states side by side, or one under another where the output is narrow or not cut. */
import { LIVE_STATES, type State } from '../../task/core/model/state.ts';
import type { ListedTask } from '../../engine/queries/list.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from './colour.ts';
import { idCutter } from './shorten-ids.ts';
import { cut, fit, type Screen } from './text-width.ts';
import { colourState } from './output.ts';

/** Cells of a column. */
const NARROWEST = 24;
const WIDEST = 48;
const STACKED_BELOW = 72;
/** In a column at a terminal. */
const CARDS_MAX = 20;

export interface BoardColumn {
  readonly state: State;
  readonly tasks: readonly ListedTask[];
}

/** `nothing` is the line of an empty board. */
export function boardLines(
  board: readonly BoardColumn[],
  screen: Screen,
  nothing: () => string,
): string[] {
  const full = board.filter(({ tasks }) => tasks.length > 0);
  const empty = board.filter(({ tasks }) => tasks.length === 0).map(({ state }) => state);
  const stacked = !Number.isFinite(screen.limit) || screen.cells < STACKED_BELOW;
  const lines = stacked ? stack(full, screen.limit) : bands(full, screen.cells);
  if (full.length === 0) return [nothing()];
  return empty.length === 0 ? lines : [...lines, pc.dim(`Empty: ${empty.join(', ')}`)];
}

function heading({ state, tasks }: BoardColumn): string {
  return pc.bold(colourState(state, `${state} (${tasks.length})`));
}

function stack(board: readonly BoardColumn[], limit: number): string[] {
  return board.flatMap((column) => {
    const shown = Number.isFinite(limit) ? column.tasks.slice(0, CARDS_MAX) : column.tasks;
    const widest = shown.reduce((most, { id }) => Math.max(most, id.length), 0);
    const cards = shown.map(({ id, title }) => {
      const line = `  ${id.padEnd(Math.min(widest, limit / 2))}  ${pc.dim(escapeText(title))}`;
      return cut(line, limit).trimEnd();
    });
    return [heading(column), ...cards, ...more(column, shown.length), ''];
  });
}

function more({ tasks, state }: BoardColumn, shown: number): string[] {
  const left = tasks.length - shown;
  return left === 0 ? [] : [`  … ${left} more: contracts list --state ${state}`];
}

/** Rows of columns: the states keep their order from left to right, then go on below. */
function bands(board: readonly BoardColumn[], cells: number): string[] {
  const fitting = Math.min(board.length, Math.floor((cells + 2) / (NARROWEST + 2)));
  // 5 states where 4 fit are 3 and 2.
  const across = Math.ceil(board.length / Math.ceil(board.length / fitting));
  const room = Math.min(WIDEST, Math.floor((cells + 2) / across) - 2);
  const lines: string[] = [];
  for (let i = 0; i < board.length; i += across) {
    const columns = board.slice(i, i + across).map((column) => columnLines(column, room));
    const height = Math.max(...columns.map((column) => column.length));
    for (let row = 0; row < height; row++) {
      lines.push(
        columns
          .map((column) => fit(column[row] ?? '', room))
          .join('  ')
          .trimEnd(),
      );
    }
    lines.push('');
  }
  return lines;
}

function columnLines(column: BoardColumn, room: number): string[] {
  const shown = column.tasks.slice(0, CARDS_MAX);
  const rule = '─'.repeat(room);
  const ids = shown.map(({ id }) => id);
  const cutId = idCutter(ids, room);
  const cards = shown.flatMap(({ id, title }) => [
    cutId(id),
    ...(title === '' ? [] : [pc.dim(cut(`  ${escapeText(title)}`, room))]),
  ]);
  const left = column.tasks.length - shown.length;
  return [
    cut(heading(column), room),
    colourState(column.state, rule),
    ...cards,
    ...(left === 0 ? [] : [cut(`… ${left} more`, room)]),
  ];
}

/** Tasks by state, in the order of the states; those without tasks too. */
export function boardOf(tasks: readonly ListedTask[], states: readonly State[] = LIVE_STATES) {
  return states.map((state): BoardColumn => ({
    state,
    tasks: tasks.filter((task) => task.state === state),
  }));
}
