/** Widths, cutting, wrapping and columns: tables of texts that terminals show in unequal cells. */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { columns, cut, fit, screenOf, width, wrap } from '../../src/cli/output/text-width.ts';
import { escapeText } from '../../src/task/text/markdown/escape-terminal.ts';
import * as fc from '../support/property.ts';

const nowhere = { out: () => {}, err: () => {} };

describe('the width of the output', () => {
  test.each([
    ['a terminal', { isTTY: true, columns: 120 }, {}, 120, 120],
    ['a terminal before COLUMNS', { isTTY: true, columns: 120 }, { COLUMNS: '70' }, 120, 120],
    ['a terminal that tells no width', { isTTY: true }, {}, 80, 80],
    ['a narrow terminal', { isTTY: true, columns: 20 }, {}, 24, 24],
    ['a wall', { isTTY: true, columns: 900 }, {}, 250, 250],
    ['a terminal of no columns', { isTTY: true, columns: 0 }, {}, 80, 80],
    ['a pipe', {}, {}, 80, Infinity],
    ['a pipe and COLUMNS', {}, { COLUMNS: '132' }, 132, Infinity],
    ['a pipe and nonsense', {}, { COLUMNS: 'many' }, 80, Infinity],
    ['a pipe and less than nothing', {}, { COLUMNS: '-5' }, 80, Infinity],
  ])('%s', (_name, more, env, cells, limit) => {
    expect(screenOf({ ...nowhere, ...more }, env)).toEqual({ cells, limit });
  });
});

const FAMILY = '👩\u200d👩\u200d👧';

describe('cells of a text', () => {
  test.each([
    ['', 0],
    ['hello', 5],
    ['a → b … c', 9],
    ['Grüße, Ωμέγα, Привет', 20],
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['नमस्ते', stringWidth('नमस्ते')],
    ['👍', 2],
    ['👍🏽', 2],
    [FAMILY, 2],
    ['✅ done', 7],
    ['⚠️', 2],
    ['🇩🇪', 2],
    ['\u001b[31mred\u001b[39m', 3],
    ['\u001b[1m日本\u001b[22m', 4],
    [escapeText('\u001b[31m'), 8],
    [escapeText(FAMILY), 2],
    [escapeText('a\u200db'), 8],
  ])('%j takes %i', (text, cells) => {
    expect(width(text)).toBe(cells);
  });

  test('the quick way agrees with string-width for every character', () => {
    const wrong: string[] = [];
    for (let code = 0x20; code < 0x3000; code++) {
      const char = String.fromCodePoint(code);
      if (!/\p{Cc}/u.test(char) && width(char) !== stringWidth(char)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('and for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
        const text = escapeText(raw);
        expect(width(text)).toBe(stringWidth(text));
      }),
    );
  });
});

describe('cut and fit', () => {
  test.each([
    ['hello', 5, 'hello', 'hello'],
    ['hello', 8, 'hello', 'hello   '],
    ['hello world', 8, 'hello w…', 'hello w…'],
    ['hello', 1, '…', '…'],
    ['hello', 0, '', ''],
    ['日本語', 6, '日本語', '日本語'],
    ['日本語', 5, '日本…', '日本…'],
    ['日本語', 4, '日…', '日… '],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…', 'e\u0301…'],
    [`${FAMILY}abc`, 4, `${FAMILY}a…`, `${FAMILY}a…`],
    [`${FAMILY}${FAMILY}`, 3, `${FAMILY}…`, `${FAMILY}…`],
    ['\u001b[31mred rose\u001b[39m', 4, '\u001b[31mred…\u001b[39m', '\u001b[31mred…\u001b[39m'],
    ['anything', Infinity, 'anything', 'anything'],
  ])('%j to %d', (text, cells, short, filled) => {
    expect(cut(text, cells)).toBe(short);
    expect(fit(text, cells)).toBe(filled);
  });

  test('fit takes exactly its cells, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 40 }),
        (raw, cells) => {
          expect(width(fit(escapeText(raw), cells))).toBe(cells);
        },
      ),
    );
  });
});

describe('wrap', () => {
  test.each([
    ['one line', 20, 0, ['one line']],
    ['', 20, 0, ['']],
    ['one two three', 8, 0, ['one two', 'three']],
    ['one two three', 8, 2, ['one two', '  three']],
    ['  - one two three', 9, 4, ['  - one', '    two', '    three']],
    ['first\nsecond line', 8, 0, ['first', 'second', 'line']],
    ['abcdefghij', 4, 0, ['abcd', 'efgh', 'ij']],
    ['a src/long/path/name b', 8, 2, ['a', '  src/long/path/name', '  b']],
    ['日本語のテキスト', 6, 0, ['日本語', 'のテキ', 'スト']],
    ['見る list', 8, 0, ['見る', 'list']],
    ['a  b', 20, 0, ['a  b']],
    ['tab\there', 20, 0, ['tab    here']],
    ['\u001b[2mone two\u001b[22m', 4, 0, ['\u001b[2mone', 'two\u001b[22m']],
    ['one two three', Infinity, 2, ['one two three']],
  ])('%j in %d cells, indent %i', (text, cells, indent, lines) => {
    expect(wrap(text, cells, indent)).toEqual(lines);
  });

  test('no line is too long, no sign is lost', () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 80 })
      .map((raw) => escapeText(raw).replaceAll('/', ' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: 40 }), (one, cells) => {
        const lines = wrap(one, cells, 2);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(cells);
        expect(lines.join('').replaceAll(' ', '')).toBe(one.replaceAll(' ', ''));
      }),
    );
  });
});

describe('columns', () => {
  const rows = [
    ['ready', 'one', 'A short title', 'next step'],
    ['in_progress', 'two', 'A title that is much longer than the other', '日本語で待っている'],
  ];
  const shapes = [{}, { least: 3 }, { least: 10, most: 30 }, { least: 5 }];

  test('as wide as they need where there is room', () => {
    expect(columns(rows, shapes, 120)).toEqual([
      'ready        one  A short title                   next step',
      'in_progress  two  A title that is much longer t…  日本語で待っている',
    ]);
  });

  test('where nothing is cut, a long cell juts out', () => {
    expect(columns(rows, shapes, Infinity)).toEqual([
      'ready        one  A short title                   next step',
      'in_progress  two  A title that is much longer than the other  日本語で待っている',
    ]);
  });

  test('the widest gives way first, down to its least', () => {
    expect(columns(rows, shapes, 50)).toEqual([
      'ready        one  A short title    next step',
      'in_progress  two  A title that i…  日本語で待って…',
    ]);
    for (const line of columns(rows, shapes, 40)) expect(width(line)).toBeLessThanOrEqual(40);
  });

  test('one that is empty in all rows takes no room', () => {
    expect(columns([['a', '', 'b']], [{}, {}, {}], 80)).toEqual(['a  b']);
    expect(columns([], [{}, {}], 80)).toEqual([]);
  });
});
