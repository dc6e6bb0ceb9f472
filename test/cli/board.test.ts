/** The board: pure tables of keys, news and widths. How it looks in a terminal: board-terminal.test.ts. */
import { describe, expect, test } from 'vitest';
import { pressed, type Key } from '../../src/cli/board/board-keys.ts';
import { boardScreen, type Drawn } from '../../src/cli/board/board-lines.ts';
import {
  changed,
  NO_BOARD,
  sectionOf,
  selectedOf,
  type Board,
} from '../../src/cli/board/board-state.ts';
import { changesOf } from '../../src/cli/board/each-change.ts';
import { width } from '../../src/cli/output/text-width.ts';
import type { ListedTask } from '../../src/engine/queries/listing.ts';
import type { State } from '../../src/task/core/model/state.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const SINCE = '2026-11-22T11:58:58Z';

const PLAIN = {
  agent: 'builder',
  priority: 'medium',
  tags: [],
  attempt: 1,
  since: SINCE,
  stands_since: SINCE,
  fix: '',
  waits_for: 'nothing',
  code: 'nothing',
  reason: 'next step',
} as const;

/** A task as `list` has it; what it waits for goes with its state. */
function task(id: string, state: State, more: Partial<ListedTask> = {}): ListedTask {
  const waits: Partial<Record<State, Partial<ListedTask>>> = {
    questions: { waits_for: 'person', code: 'unanswered', reason: 'asks a question: Which?' },
    review: { waits_for: 'person', code: 'verdict', reason: 'waits for a verdict' },
    blocked: { waits_for: 'person', code: 'blocked', reason: 'no mail server' },
    draft: { waits_for: 'person', code: 'unconfirmed', reason: 'not confirmed yet' },
    in_progress: { waits_for: 'agent', code: 'running', reason: 'an agent works on it' },
  };
  return {
    ...PLAIN,
    id,
    state,
    title: `Title of ${id}`,
    ...waits[state],
    ...more,
  };
}

const SOME = [
  task('ask', 'questions'),
  task('look', 'review'),
  task('stuck', 'blocked'),
  task('new', 'draft'),
  task('busy', 'in_progress'),
  task('soon', 'ready'),
];
const boardOf = (tasks: readonly ListedTask[], more: Partial<Board> = {}): Board =>
  changed(NO_BOARD, { tasks, notes: ['2 done'], ...more });

const NAMED = /^(?:up|down|left|right|tab|home|end|page.*|return|escape|backspace)$/;
const key = (name: string): Key => {
  const ctrl = name.startsWith('C-');
  const bare = ctrl ? name.slice(2) : name;
  return { name: bare, ctrl, text: ctrl || NAMED.test(name) ? '' : name };
};
/** After these keys: the board, and what the last one has to do. */
const press = (board: Board, ...keys: readonly string[]) =>
  keys.reduce<ReturnType<typeof pressed>>(([now], name) => pressed(now, key(name)), [board]);
const on = (id: string, tasks = SOME): Board => {
  const place = tasks.findIndex((one) => one.id === id);
  return press(boardOf(tasks), ...Array<string>(place).fill('down'))[0];
};

describe('keys', () => {
  test('what needs a person is selected first, then what is at work, then the others', () => {
    expect(SOME.map(sectionOf)).toEqual(['yours', 'yours', 'yours', 'yours', 'work', 'next']);
    expect(sectionOf(task('mine', 'in_progress', { waits_for: 'person', code: 'in_hands' }))).toBe(
      'yours',
    );
    expect(sectionOf(task('old', 'done', { code: 'ended' }))).toBe('ended');
    expect(selectedOf(boardOf(SOME))?.id).toBe('ask');
    expect(selectedOf(boardOf(SOME.toReversed()))?.state).toBe('draft');
    expect(selectedOf(boardOf([]))).toBeUndefined();
  });

  test.each<[string, string, readonly string[]]>([
    ['down is the next', 'look', ['down']],
    ['j and k', 'look', ['j', 'j', 'k']],
    ['from one section into the next', 'busy', ['j', 'j', 'j', 'j']],
    ['no further than the last', 'soon', ['end', 'down', 'j']],
    ['no further than the first', 'ask', ['up', 'k', 'pageup']],
    ['Home', 'ask', ['end', 'home']],
    ['a page', 'soon', ['pagedown']],
    ['right is the first of the next section', 'busy', ['j', 'right']],
    ['left of the first section is the last', 'soon', ['left']],
    ['Tab goes around', 'ask', ['tab', 'tab', 'tab']],
    ['what is pasted by mistake', 'ask', ['pasted']],
    ['a key without a meaning', 'ask', ['z']],
  ])('%s: %s', (_, id, keys) => {
    expect(selectedOf(press(boardOf(SOME), ...keys)[0])?.id).toBe(id);
    expect(press(boardOf([]), ...keys)[1]).toBeUndefined();
  });

  test.each<[on: string, keys: string, does: string, line: string]>([
    ['ask', 'return', 'verb', 'answer ask'],
    ['look', 'return', 'verb', 'review look'],
    ['stuck', 'return', 'verb', 'review stuck'],
    ['new', 'return', 'verb', 'review new'],
    ['busy', 'return', 'read', 'show busy'],
    ['soon', 'return', 'read', 'show soon'],
    ['look', 'd', 'diff', ''],
    ['look', 'c', 'verb', 'edit look review.md'],
    ['busy', 'l', 'verb', 'logs busy -f'],
    ['look', 'l', 'read', 'logs look'],
    ['look', 'a return', 'quiet', 'approve look'],
    ['look', 'a o k return', 'quiet', 'approve look  ok'],
    ['look', 'n - x backspace y return', 'quiet', 'needs-work look  -y'],
    ['look', 'r x C-u z return', 'quiet', 'reject look  z'],
    ['new', 'm 1', 'quiet', 'confirm new'],
    ['stuck', 'm 1', 'quiet', 'retry stuck'],
    ['stuck', 'm 2', 'quiet', 'abort stuck'],
    ['busy', 'm 1', 'quiet', 'abort busy'],
  ])('on %s, %s: %s %s', (id, keys, does, line) => {
    const [, deed] = press(on(id), ...keys.split(' '));
    expect(deed).toMatchObject({ does, task: { id }, argv: line === '' ? [] : expect.anything() });
    expect(deed !== undefined && 'argv' in deed && deed.argv.join(' ')).toBe(line);
  });

  test('an ended task is taken up again, or stays', () => {
    const old = [task('old', 'done', { code: 'ended', waits_for: 'nobody' })];
    expect(press(boardOf(old), 'm', '1')[1]).toMatchObject({ argv: ['retry', 'old', '--again'] });
    expect(press(boardOf(old), 'm', 'escape')[1]).toBeUndefined();
    expect(press(boardOf(old), 'm', '9')[0].mode.at).toBe('tasks');
  });

  test.each(['a', 'n', 'r', 'c'])('%s on what is not in review says why not', (name) => {
    const [board, deed] = press(on('ask'), name);
    expect(deed).toBeUndefined();
    expect(board.says).toMatch(/^ask is questions: .* in review$|has comments$/);
    expect(press(board, 'j')[0].says).toBe('');
  });

  test('work in the hands of a person is approved by them, and not sent back', () => {
    const mine = [task('mine', 'in_progress', { waits_for: 'person', code: 'in_hands' })];
    expect(press(boardOf(mine), 'a', 'return')[1]).toMatchObject({ argv: ['approve', 'mine'] });
    expect(press(boardOf(mine), 'n')[0].says).toContain('a verdict is for work in review');
  });

  test('a verdict that is not given: Esc', () => {
    const [board, deed] = press(on('look'), 'a', 'x', 'escape');
    expect([board.mode.at, deed]).toEqual(['tasks', undefined]);
  });

  test.each([
    ['q', 'quit'],
    ['C-c', 'quit'],
    ['C-z', 'suspend'],
    ['C-l', 'redraw'],
  ])('%s: %s', (name, does) => expect(press(on('look'), name)[1]).toEqual({ does }));

  test('Ctrl-C leaves a line that is typed, too, and q is a letter there', () => {
    expect(press(on('look'), 'a', 'C-c')[1]).toEqual({ does: 'quit' });
    expect(press(on('look'), 'a', 'q')[1]).toBeUndefined();
  });
});

describe('search and news', () => {
  test('titles and ids while it is typed, texts with Enter, all with Esc', () => {
    const [typing] = press(boardOf(SOME), '/', 's', 'o');
    expect(selectedOf(typing)?.id).toBe('soon');
    const [found, deed] = press(typing, 'return');
    expect([found.words, deed]).toEqual(['so', { does: 'look' }]);
    const [all, again] = press(found, 'escape');
    expect([all.words, again]).toEqual(['', { does: 'look' }]);
    expect(press(typing, 'escape')[0].words).toBe('');
    expect(press(found, '/', 'backspace', 'return')[0].words).toBe('s');
  });

  test('the selection stays at its task while others come and go above it', () => {
    const board = on('stuck');
    const more = [task('first', 'questions'), ...SOME.slice(1)];
    expect(selectedOf(changed(board, { tasks: more }))?.id).toBe('stuck');
  });

  test('a task that was answered leaves its place to the next that waits', () => {
    const answered = SOME.map((one) => (one.id === 'ask' ? task('ask', 'ready') : one));
    expect(selectedOf(changed(boardOf(SOME), { tasks: answered }))?.id).toBe('look');
  });

  test('the last of all tasks went away', () => {
    expect(selectedOf(changed(on('soon'), { tasks: SOME.slice(0, 2) }))?.id).toBe('look');
    expect(selectedOf(changed(on('soon'), { tasks: [] }))).toBeUndefined();
  });
});

const shown = (board: Board, cells: number, rows: number): Drawn =>
  boardScreen(board, { cells, rows, now: NOW, name: 'shop' });
const textOf = (board: Board, cells: number, rows: number): string =>
  shown(board, cells, rows).lines.join('\n');

const HOSTILE = [
  'clears \u001b[2J\u001b]0;title\u0007 the screen',
  'goes \u202eback\u202c and \u2066aside\u2069',
  '世界の扉を開ける '.repeat(30),
  '👩‍👩‍👧‍👦 family of one cell or two 🇩🇪',
  'x'.repeat(300),
  'two\nlines\r\tand a tab',
];

describe('lines', () => {
  const SIZES = [40, 59, 80, 99, 100, 120, 200].flatMap((cells) =>
    [3, 10, 16, 20, 24, 40, 60].map((rows) => [cells, rows] as const),
  );
  const hostile = HOSTILE.map((title, i) =>
    task(`h${i}`, (['questions', 'in_progress', 'ready'] as const)[i % 3] ?? 'ready', {
      title,
      reason: title,
      agent: title.slice(0, 40),
      tags: [title],
    }),
  );
  const printed = new Map(hostile.map(({ id, title }) => [id, title]));
  const BOARDS: readonly (readonly [string, Board])[] = [
    ['nothing', boardOf([])],
    ['some', boardOf(SOME)],
    ['hostile titles', boardOf(hostile, { printed, words: HOSTILE[0] ?? '' })],
    ['a hostile line that is typed', press(boardOf(hostile), '/', ...(HOSTILE[2] ?? ''))[0]],
    ['the keys', press(boardOf(SOME), '?')[0]],
    ['moves', press(on('stuck'), 'm')[0]],
    ['many', boardOf(Array.from({ length: 300 }, (_, i) => task(`t${i}`, 'ready')))],
  ];

  test.each(BOARDS)('%s fits every screen, and drives none', (_, board) => {
    for (const [cells, rows] of SIZES) {
      const { lines, cursor } = shown(board, cells, rows);
      expect(lines.length, `${cells}×${rows}`).toBe(rows);
      for (const line of lines) expect(width(line), line).toBeLessThanOrEqual(cells);
      // No line has a control or a mark of direction, and none breaks it.
      expect(lines.join('')).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u);
      expect(cursor[0]).toBeLessThan(rows);
      expect(cursor[1]).toBeLessThanOrEqual(cells);
    }
  });

  test.each(SIZES.filter(([, rows]) => rows >= 10))(
    'the selected task is in sight: %i×%i',
    (cells, rows) => {
      let board = boardOf([
        ...SOME,
        ...Array.from({ length: 50 }, (_, i) => task(`t${i}`, 'ready')),
      ]);
      for (let n = 0; n < board.tasks.length; n++, [board] = press(board, 'down')) {
        const { lines, cursor } = shown(board, cells, rows);
        expect(lines[cursor[0]]).toContain(`▸ `);
        expect(lines[cursor[0]]).toContain(`Title of ${board.id} `);
      }
    },
  );

  test('40 columns: a list of titles, and who is at work with its last line', () => {
    const board = boardOf(SOME, { printed: new Map([['busy', 'npm test: 12 passed']]) });
    expect(textOf(board, 39, 20)).toBe(`shop  ! 4 need you · 2 done
Needs you (4)
▸ ? Title of ask                     1m
  ◆ Title of look                    1m
  ✗ Title of stuck                   1m
  · Title of new                     1m

At work (1)
  ● Title of busy                 1m02s
    builder #1  npm test: 12 passed

Next (1)
  ○ Title of soon                    1m


───────────────────────────────────────
? questions  ask  builder  1m
Title of ask
asks a question: Which?
Enter answer   d diff   ? keys   q quit`);
  });

  test('80 columns: what each waits for is beside its title', () => {
    const [, , row] = shown(boardOf(SOME), 79, 24).lines;
    expect(row).toBe(
      '▸ ? Title of ask                          asks a question: Which?            1m',
    );
  });

  test('120 columns: the sections side by side', () => {
    const [, heads, , cards, second] = shown(boardOf(SOME), 119, 24).lines;
    expect(heads).toMatch(/^Needs you \(4\) {2,}At work \(1\) {2,}Next \(1\)$/);
    expect(cards).toMatch(/^▸ \? Title of ask +1m +● Title of busy +1m02s +○ Title of soon +1m$/);
    expect(second).toMatch(/^ {4}asks a question: Which\? +builder #1 +next step$/);
  });

  test('nothing waits and nobody works: that is what it says', () => {
    expect(textOf(boardOf([]), 119, 24)).toMatch(
      /nothing needs you[^]*Nothing needs you\. +No agent is at work\./,
    );
    expect(textOf(boardOf([]), 79, 24)).toContain('contracts do "What you want"');
  });

  test('an agent that is silent says so in place of its last line', () => {
    const busy = task('busy', 'in_progress', { lagging: true, step: 'reads', step_seconds: 61 });
    const board = boardOf([busy], { printed: new Map([['busy', 'old news']]) });
    expect(textOf(board, 39, 20)).toContain('builder #1  LAGGING 1m01s  reads');
  });

  test('of a thousand tasks only those in sight are drawn', () => {
    let reads = 0;
    const tasks = Array.from({ length: 1000 }, (_, i) => {
      const one = task(`t${i}`, i % 2 === 0 ? 'questions' : 'ready');
      return Object.defineProperty({ ...one }, 'reason', { get: () => (reads += 1) && 'why' });
    });
    for (const cells of [40, 80, 120]) shown(boardOf(tasks), cells, 40);
    expect(reads).toBeLessThan(3 * 2 * 40);
  });

  test('keys of the bottom line are those of the selected task', () => {
    const foot = (id: string): string => shown(on(id), 79, 24).lines.at(-1) ?? '';
    expect(foot('ask')).toMatch(/^Enter answer {3}/);
    expect(foot('look')).toMatch(/^Enter review {3}a n r verdict {3}c comment/);
    expect(foot('stuck')).toMatch(/^Enter unblock/);
    expect(foot('new')).toMatch(/^Enter confirm/);
    expect(foot('busy')).toMatch(/^Enter read/);
    expect(shown(boardOf([]), 79, 24).lines.at(-1)).toBe('/ search   ? keys   q quit');
    for (const { id } of SOME) expect(foot(id)).toMatch(/\? keys {3}q quit$/);
  });
});

describe('plain: a line for each change', () => {
  test.each<[string, readonly ListedTask[], readonly ListedTask[], readonly string[]]>([
    ['nothing changed', SOME, SOME, []],
    [
      'a move, with what to do',
      [task('a', 'in_progress')],
      [task('a', 'questions', { fix: 'contracts answer a' })],
      ['a  in_progress → questions: asks a question: Which?  → contracts answer a'],
    ],
    ['a new one', [], [task('a', 'ready')], ['a  new in ready: next step']],
    ['one that ended', [task('a', 'review')], [], ['a  left review']],
    [
      'another reason in the same state',
      [task('a', 'ready')],
      [task('a', 'ready', { reason: 'slots \u001b[2J' })],
      ['a  ready: slots \\x1b[2J'],
    ],
  ])('%s', (_, before, after, lines) => {
    expect(changesOf(before, after)).toEqual(lines);
  });
});
