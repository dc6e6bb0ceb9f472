/** The live lines: pure tables of events, time and size; and how they are drawn, without a terminal. */
import { describe, expect, test } from 'vitest';
import { afterEvent, liveLines, NOTHING_LIVE, took, type Live } from '../../src/cli/output/live.ts';
import { isLively, liveScreen, type Ticker } from '../../src/cli/output/live-screen.ts';
import { width } from '../../src/cli/output/text-width.ts';
import type { Streams } from '../../src/cli/streams/streams.ts';
import type { Event } from '../../src/task/core/lines/event.ts';

const called = (task: string, attempt = 1): Event => {
  return { event: 'called', task, attempt, agent: 'builder', adapter: 'shell' };
};
const reviewed = (task: string, attempt = 2): Event => {
  return {
    event: 'claimed',
    task,
    attempt,
    kind: 'review',
    nth: 1,
    agent: '',
    reason: 'verification',
  };
};
const printed = (task: string, text: string, attempt = 1): Event => {
  return { event: 'progress', task, attempt, text };
};
const status = (task: string, text: string, attempt = 1): Event => {
  return { event: 'status', task, attempt, text };
};
const lags = (task: string, seconds: number, attempt = 1): Event => {
  return { event: 'lags', task, attempt, seconds, limit_seconds: 30 };
};
const goesOn = (task: string, attempt = 1): Event => {
  return { event: 'goes_on', task, attempt, seconds: 40, limit_seconds: 30 };
};
const ended = (task: string, attempt = 1): Event => {
  return { event: 'ended', task, attempt, kind: 'work', nth: 1, outcome: 'complete', reason: '' };
};

/** Each event with the second at which it came. */
function after(...events: readonly (readonly [number, Event])[]): Live {
  return events.reduce((live, [second, one]) => afterEvent(live, one, second * 1000), NOTHING_LIVE);
}

describe('what a line says', () => {
  const rows: [string, Live, string[]][] = [
    ['nothing runs', NOTHING_LIVE, []],
    ['an agent was called', after([0, called('a')]), ['a             in_progress   #1      9s']],
    [
      'its last line',
      after([0, called('a')], [1, printed('a', 'one')], [2, printed('a', 'two')]),
      ['a             in_progress   #1      9s  two'],
    ],
    [
      'the step of its status.md goes before what it prints',
      after([0, called('a')], [1, status('a', 'writes tests')], [2, printed('a', 'noise')]),
      ['a             in_progress   #1      9s  writes tests'],
    ],
    [
      'LAGGING, and for how long by now',
      after([-61, called('a')], [-60, status('a', 'thinks')], [2, lags('a', 31)]),
      ['a             in_progress   #1   1m10s  LAGGING 38s  thinks'],
    ],
    [
      'it goes on',
      after([-60, called('a')], [2, lags('a', 31)], [3, goesOn('a')]),
      ['a             in_progress   #1   1m09s'],
    ],
    [
      'a review and its checks',
      after(
        [0, reviewed('a')],
        [
          1,
          { event: 'checked', task: 'a', attempt: 2, check: 'run: x', passed: false, reason: '' },
        ],
      ),
      ['a             review        #2      9s  check failed: run: x'],
    ],
    [
      'the gate of a review is called in the same attempt',
      after([0, reviewed('a')], [5, called('a', 2)]),
      ['a             review        #2      9s'],
    ],
    ['an attempt that ended', after([0, called('a')], [1, ended('a')]), []],
    [
      'a claim of a person: nobody runs',
      after([0, { ...reviewed('a'), kind: 'work' } as Event]),
      [],
    ],
    [
      'words of an attempt that is over are not another one’s',
      after([0, called('a', 3)], [1, printed('a', 'old', 1)]),
      ['a             in_progress   #3      9s'],
    ],
    [
      'what could drive the terminal',
      after([0, called('a')], [1, printed('a', '\u001b[2J\u202egone\rx')]),
      ['a             in_progress   #1      9s  \\x1b[2J\\u202egone\\rx'],
    ],
  ];
  for (const [name, live, lines] of rows) {
    test(name, () => expect(liveLines(live, 9000, 80, 24)).toEqual(lines));
  }
});

describe('never wider, never higher than the screen', () => {
  const long = 'build_20261121_a-rather-long-name-of-a-task-for-this_k3f9';
  const many = Array.from({ length: 30 }, (_, i) => [0, called(`${long}${i}`)] as const);
  const live = after(
    ...many,
    [1, printed(`${long}0`, '測試 🚀 '.repeat(60))],
    [2, lags(`${long}29`, 31)],
    [3, status(`${long}1`, 'x'.repeat(500))],
  );
  for (const cells of [20, 59, 79, 199]) {
    for (const rows of [1, 5, 24, 60]) {
      test(`${cells} cells, ${rows} rows`, () => {
        const lines = liveLines(live, 9000, cells, rows);
        expect(lines.length).toBe(Math.min(30, Math.max(1, rows - 4)));
        expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(cells);
      });
    }
  }

  test('ids that begin alike are told apart at 60 cells', () => {
    const ids = ['login-page_k3f9', 'login-page_m2lc', 'login-form_k3f9'].map(
      (end) => `build_20261121_${end}`,
    );
    const lines = liveLines(after(...ids.map((id) => [0, called(id)] as const)), 9000, 59, 24);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      '…21_login-page_k3f9',
      '…21_login-page_m2lc',
      '…21_login-form_k3f9',
    ]);
  });

  test('those that have no line are counted, the silent ones too', () => {
    expect(liveLines(live, 9000, 79, 16).at(-1)).toBe('and 19 more, 1 of them LAGGING');
    expect(liveLines(after(...many), 9000, 79, 16).at(-1)).toBe('and 19 more');
  });
});

test('times in few cells', () => {
  const rows: [number, string][] = [
    [-5, '0s'],
    [59_999, '59s'],
    [60_000, '1m00s'],
    [3_599_000, '59m59s'],
    [3_600_000 * 3 + 60_000 * 5, '3h05m'],
    [3_600_000 * 100, '100h00m'],
  ];
  for (const [ms, words] of rows) expect(took(ms)).toBe(words);
});

describe('drawing', () => {
  function drawn(size = { columns: 80 }) {
    let time = 0;
    let tick: () => void = () => undefined;
    const written: string[] = [];
    const ticker: Ticker = {
      now_ms: () => time,
      every: (_, job) => {
        tick = job;
        return () => {
          tick = () => undefined;
        };
      },
    };
    const streams: Streams = {
      out: (text) => void written.push(text),
      err: (text) => void written.push(`err ${text}`),
      isTTY: true,
      get columns() {
        return size.columns;
      },
      rows: 24,
    };
    const screen = liveScreen(streams, ticker);
    return {
      screen,
      /** What was written since the last look. */
      look: () => written.splice(0),
      pass: (ms: number) => {
        time += ms;
        tick();
      },
    };
  }

  test('a thousand lines of an agent are drawn once a tick, and nothing when nothing changed', () => {
    const { screen, look, pass } = drawn();
    screen.event(called('a'));
    for (let i = 0; i < 1000; i++) screen.event(printed('a', `line ${i}`));
    expect(look()).toEqual([]);
    pass(250);
    expect(look()).toEqual(['a             in_progress   #1      0s  line 999\n']);
    pass(250);
    expect(look()).toEqual([]);
    pass(500);
    expect(look()).toEqual([
      '\u001b[1A\r\u001b[Ja             in_progress   #1      1s  line 999\n',
    ]);
  });

  test('what is said goes above, also on the other stream, and the lines come back', () => {
    const { screen, look, pass } = drawn();
    screen.event(called('a'));
    pass(250);
    look();
    screen.streams.err('odd\n');
    expect(look()).toEqual([
      '\u001b[1A\r\u001b[J',
      'err odd\n',
      'a             in_progress   #1      0s\n',
    ]);
    screen.end();
    expect(look()).toEqual(['\u001b[1A\r\u001b[J']);
  });

  test('a window that became narrower: all rows of the broken lines are taken away', () => {
    const size = { columns: 80 };
    const { screen, look, pass } = drawn(size);
    screen.event(called('a'));
    screen.event(printed('a', 'x'.repeat(100)));
    pass(250);
    expect(width(look()[0]?.trimEnd() ?? '')).toBe(79);
    size.columns = 30;
    pass(250);
    const [narrow = ''] = look();
    expect(narrow.startsWith('\u001b[3A\r\u001b[J')).toBe(true);
    expect(width(narrow.slice(8).trimEnd())).toBe(29);
  });

  test('a foot is drawn above them, in place, and leaves rows for what scrolls', () => {
    const { screen, look, pass } = drawn();
    screen.event(called('a'));
    let rows = 0;
    screen.foot((room) => {
      rows = room;
      return ['board', 'x'.repeat(100)];
    });
    expect(rows).toBe(24 - 1 - 6);
    const line = 'a             in_progress   #1      0s\n';
    const foot = `board\n${'x'.repeat(78)}…\n`;
    expect(look()).toEqual([`${foot}${line}`]);
    screen.streams.out('news\n');
    expect(look()).toEqual(['\u001b[3A\r\u001b[J', 'news\n', `${foot}${line}`]);
    screen.foot(() => ['smaller']);
    expect(look()).toEqual([`\u001b[3A\r\u001b[Jsmaller\n${line}`]);
    pass(250);
    expect(look()).toEqual([]);
    screen.end();
    expect(look()).toEqual(['\u001b[2A\r\u001b[J']);
  });

  test('the cursor is never hidden and no other screen entered: nothing to restore after a crash', () => {
    const { screen, look, pass } = drawn();
    screen.event(called('a'));
    pass(250);
    screen.streams.out('x\n');
    screen.end();
    expect(look().join('')).not.toMatch(/\u001b\[\?/); // oxlint-disable-line no-control-regex
  });
});

describe('only for a person before a terminal', () => {
  const tty = { out: () => undefined, err: () => undefined, isTTY: true };
  const rows: [string, Streams, NodeJS.ProcessEnv, boolean][] = [
    ['a terminal', tty, { TERM: 'xterm' }, true],
    ['a pipe', { ...tty, isTTY: false }, { TERM: 'xterm' }, false],
    ['a dumb one', tty, { TERM: 'dumb' }, false],
    ['a CI', tty, { TERM: 'xterm', CI: 'true' }, false],
    ['a CI that is none', tty, { TERM: 'xterm', CI: 'false' }, true],
  ];
  for (const [name, streams, env, lively] of rows) {
    test(name, () => expect(isLively(streams, env)).toBe(lively));
  }
});
