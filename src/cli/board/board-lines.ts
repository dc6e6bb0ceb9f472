/** The board as lines that fit the screen: columns, or one list where it is narrow. Only what is in sight is made. */
import type { ListedTask } from '../../engine/queries/listing.ts';
import { STATE_MARKS, YOURS } from '../../task/core/model/marks.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { colours as pc } from '../output/colour.ts';
import { stepWords, took } from '../output/live.ts';
import { ageOf, labelsOf, titleOf, whoOf } from '../output/task-cells.ts';
import { cut, fit, width, wrap } from '../output/text-width.ts';
import { KEYS, movesOf, opens } from './board-keys.ts';
import { sectionOf, SECTIONS, sectionsOf, selectedOf } from './board-state.ts';
import type { Board, Section } from './board-state.ts';

export interface Sight {
  readonly cells: number;
  readonly rows: number;
  readonly now: Date;
  /** Name of the workspace. */
  readonly name: string;
}

export interface Drawn {
  readonly lines: readonly string[];
  /** The place of the cursor, from 0: at the selected task, or behind what is typed. */
  readonly cursor: readonly [row: number, cell: number];
}

/** Below this the sections are in one list. */
const COLUMNS_FROM = 100;
/** Below this a row of the list has no room for the reason. */
const REASONS_FROM = 60;
const HEADINGS = { yours: 'Needs you', work: 'At work', next: 'Next', ended: 'Ended' } as const;
const NOTHING = { yours: 'Nothing needs you.', work: 'No agent is at work.', next: '', ended: '' };
const NO_TASK = 'No task here. Make one: contracts do "What you want"';
const POINTER = '▸';
const ASKS = {
  search: 'Search',
  approve: 'Approve. Any words?',
  'needs-work': 'What is wrong with it?',
  reject: 'Give it up. Why?',
} as const;

const isWide = (cells: number): boolean => cells >= COLUMNS_FROM;

const signOf = (state: State): string => pc[STATE_MARKS[state].colour](STATE_MARKS[state].sign);

export function boardScreen(board: Board, sight: Sight): Drawn {
  const { cells, rows } = sight;
  const isHelp = board.mode.at === 'keys';
  const detail = isHelp ? [] : detailLines(board, sight);
  const room = Math.max(1, rows - detail.length - 2);
  const body = isHelp ? helpLines(cells) : bodyLines(board, sight, room);
  const foot = footLine(board, cells);
  const filled = Array.from({ length: room }, (_, i) => body[i] ?? '');
  const all = [headLine(board, sight), ...filled, ...detail, foot];
  const lines = all.map((line) => cut(line, cells)).slice(-rows);
  const isTyping = 'text' in board.mode;
  const chosen = lines.findIndex((one) => one.includes(POINTER));
  const row = isTyping ? lines.length - 1 : Math.max(0, chosen);
  const before = isTyping ? foot : (lines[row] ?? '').split(POINTER, 1)[0];
  return { lines, cursor: [row, Math.min(cells, width(before ?? ''))] };
}

function headLine(board: Board, { name }: Sight): string {
  const yours = board.tasks.filter((task) => sectionOf(task) === 'yours').length;
  const words = `${YOURS.sign} ${yours} ${yours === 1 ? 'needs' : 'need'} you`;
  const need = pc.bold(pc[YOURS.colour](words));
  const search = board.words === '' ? [] : [`with “${board.words}”, Esc: all`];
  const rest = [...search, ...board.notes].map((one) => escapeText(one));
  const facts = [yours === 0 ? 'nothing needs you' : need, ...rest];
  return `${pc.bold(escapeText(name))}  ${facts.join(pc.dim(' · '))}`;
}

function bodyLines(board: Board, sight: Sight, room: number): readonly string[] {
  const all = sectionsOf(board);
  const wide = isWide(sight.cells);
  const shown = SECTIONS.filter((one) =>
    wide ? one !== 'ended' || all.ended.length > 0 : one === 'yours' || all[one].length > 0,
  );
  if (!wide) {
    const wants = shown.map((one) => 2 + Math.max(1, all[one].length * heightOf(one, sight.cells)));
    const rows = shared(wants, room);
    return shown.flatMap((one, i) => sectionLines(board, one, sight, sight.cells, rows[i] ?? 0));
  }
  const cells = Math.floor((sight.cells + 2) / shown.length) - 2;
  const columns = shown.map((one) => sectionLines(board, one, sight, cells, room));
  const across = (row: number): string =>
    columns.map((one) => fit(one[row] ?? '', cells)).join('  ');
  return Array.from({ length: room }, (_, row) => across(row).trimEnd());
}

/** Each gets what it wants, but at most an even part; what is left over goes to the first that wants more. */
function shared(wants: readonly number[], room: number): readonly number[] {
  const even = wants.map((one) => Math.min(one, Math.floor(room / wants.length)));
  let left = room - even.reduce((sum, one) => sum + one, 0);
  return even.map((has, i) => {
    const more = Math.min(left, (wants[i] ?? 0) - has);
    left -= more;
    return has + more;
  });
}

const heightOf = (section: Section, cells: number): number =>
  isWide(cells) || section === 'work' ? 2 : 1;

/** A heading, and the page of tasks on which the selected one is. */
function sectionLines(board: Board, section: Section, sight: Sight, cells: number, rows: number) {
  const tasks = sectionsOf(board)[section];
  const height = heightOf(section, sight.cells);
  const fits = Math.max(1, Math.floor((rows - 2) / height));
  const chosen = tasks.findIndex(({ id }) => id === board.id);
  const first = Math.floor(Math.max(0, chosen) / fits) * fits;
  const page = tasks.slice(first, first + fits);
  const card = (task: ListedTask, i: number): string[] => {
    const isChosen = chosen === first + i;
    const title = isChosen ? pc.bold(titleOf(task)) : titleOf(task);
    const ms = sight.now.getTime() - Date.parse(task.stands_since);
    const end = section === 'work' ? took(ms) : ageOf(task, sight.now);
    const room = cells - width(end) - 6;
    const half = height === 1 && cells >= REASONS_FROM ? Math.floor(room / 2) : 0;
    const why = half === 0 ? '' : `  ${pc.dim(fit(escapeText(task.reason), half - 2))}`;
    const begin = `${isChosen ? pc.bold(pc.cyan(POINTER)) : ' '} ${signOf(task.state)}`;
    const row = `${begin} ${fit(title, room - half)}${why}  ${pc.dim(end)}`;
    return height === 1 ? [row] : [row, pc.dim(`    ${cut(secondLine(board, task), cells - 4)}`)];
  };
  const isSearch = board.mode.at === 'search' || board.words !== '';
  const part = page.length === tasks.length ? '' : `${first + 1}–${first + page.length} of `;
  const title = pc.bold(`${HEADINGS[section]} (${part}${tasks.length})`);
  const body =
    tasks.length === 0 ? [pc.dim(`  ${isSearch ? '' : NOTHING[section]}`)] : page.flatMap(card);
  const isColumn = isWide(sight.cells);
  return isColumn
    ? [title, pc.dim('─'.repeat(cells)), ...body]
    : [title, ...body, ''].slice(0, rows);
}

/** For an agent at work its last line, or its step while it is silent; else what the task waits for. */
function secondLine(board: Board, task: ListedTask): string {
  const last = escapeText(board.printed.get(task.id) ?? '');
  const step = stepWords(task);
  if (task.state !== 'in_progress' && last === '') return escapeText(task.reason);
  const words = task.lagging === true || last === '' ? step || last : last;
  return [`${whoOf(task)} #${task.attempt}`, words].filter((one) => one !== '').join('  ');
}

/** The selected task in full; fewer rows where the screen is low. */
function detailLines(board: Board, { cells, rows, now }: Sight): readonly string[] {
  const task = selectedOf(board);
  const rule = pc.dim('─'.repeat(cells));
  const lines = task === undefined ? [rule, NO_TASK] : [rule, ...factsOf(board, task, cells, now)];
  const most = rows < 16 ? 0 : rows < 24 ? 4 : 5;
  return Array.from({ length: most }, (_, i) => lines[i] ?? '');
}

function factsOf(board: Board, task: ListedTask, cells: number, now: Date): readonly string[] {
  const facts = [whoOf(task), labelsOf(task), ageOf(task, now)].filter((one) => one !== '');
  const top = `${signOf(task.state)} ${task.state}  ${task.id}  ${pc.dim(facts.join('  '))}`;
  const title = wrap(pc.bold(titleOf(task)), cells).slice(0, 1);
  const last = board.printed.get(task.id) || task.reason;
  return [top, ...title, ...wrap(escapeText(last), cells)];
}

function footLine(board: Board, cells: number): string {
  const { mode, says } = board;
  if ('text' in mode) {
    const asked = `${ASKS[mode.at]} `;
    let text = escapeText(mode.text);
    // What was typed last stays in sight.
    while (text !== '' && width(text) >= cells - asked.length) text = text.slice(1);
    return `${pc.bold(asked)}${text}`;
  }
  if (mode.at === 'moves') {
    const moves = movesOf(mode.task.state).map(({ to }, i) => `${i + 1} to ${to}`);
    return pc.bold(`Move ${[...moves, 'Esc: leave it'].join('   ')}   ${mode.task.id}`);
  }
  if (says !== '') return pc.bold(escapeText(says));
  const task = mode.at === 'keys' ? undefined : selectedOf(board);
  const first = task === undefined ? [] : [`Enter ${opens(task)[0]}`];
  if (task?.state === 'review') first.push('a n r verdict', 'c comment');
  const named = KEYS.flatMap(([keys, , short]) =>
    short === undefined || (task === undefined && /^\w$/.test(keys)) ? [] : [`${keys} ${short}`],
  );
  // How to see the others, and how to leave, are always there.
  const last = ['? keys', 'q quit'];
  const shown: string[] = [];
  for (const one of [...first, ...named])
    if (width([...shown, one, ...last].join('   ')) <= cells) shown.push(one);
  return pc.dim([...shown, ...last].join('   '));
}

function helpLines(cells: number): readonly string[] {
  const keys = KEYS.map(([keys, means]) => `${fit(keys, 9)}  ${means}`);
  const signs = STATES.map((state) => `${signOf(state)} ${state}`).join('  ');
  return [...keys, '', ...wrap(signs, cells)];
}
