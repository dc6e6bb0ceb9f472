/**
 * The reader for plain front matter against the full one: wherever it answers, both say the same,
 * with the same places; wherever YAML could mean something else, it declines.
 */
import { describe, expect, test } from 'vitest';
import { readFrontMatter, readFully, readPlain } from '../../../src/task/text/yaml/front-matter.ts';
import * as fc from '../../support/property.ts';

/** Both readings, as plain values; `declined` when only the full one answers. */
function both(text: string) {
  const plain = readPlain(text);
  if (plain === undefined) return 'declined';
  const own = readFrontMatter(text, 'contract.md');
  const full = readFully(text, 'contract.md');
  if (!own.ok) {
    // The head is plain, but a bare CR is in the body: refused before either reader is asked.
    expect(own.problems[0]?.code).toBe('encoding');
    expect(plain.body).toMatch(/\r(?!\n)/);
    return 'declined';
  }
  if (!full.ok) return { own: own.value.head, full: full.problems };
  const told = ({ head, body, present, places }: typeof own.value) => ({
    head: JSON.stringify(head),
    types: typesOf(head),
    body,
    present,
    places: [...places],
  });
  return { own: told(own.value), full: told(full.value) };
}

/** What JSON would not tell apart, and that no object has a prototype. */
function typesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typesOf);
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : typeof value;
  expect(Object.getPrototypeOf(value)).toBe(null);
  return Object.entries(value).map(([key, inner]) => [key, typesOf(inner)]);
}

function agree(text: string): boolean {
  const read = both(text);
  if (read === 'declined') return false;
  expect(read.own).toEqual(read.full);
  return true;
}

const head = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nBody\n`;

describe('what is plain is read, as YAML would', () => {
  test.each([
    ['words', head('title: Say hello', 'agent: builder')],
    ['numbers', head('v: 1', 'retries_max: 0', 'wave: 12')],
    ['true, false, null, nothing', head('a: true', 'b: false', 'c: null', 'd:', 'e: x')],
    ['yes, no, on are words', head('a: yes', 'b: no', 'c: on', 'd: y')],
    ['dates and times', head('a: 2026-02-08', 'b: 2026-11-21T12:00:00.000Z', 'c: 12:30:00')],
    ['durations', head('timeout: 10m', 'b: 90s', 'c: 1h', 'e: 1_000')],
    ['quotes', head('a: "x: y # z"', "b: 'run: npm test'", 'c: ""', "d: ''", 'e: " x "')],
    ['a list', head('verify:', '  - "run: npm test"', '  - checklist', 'tags:', '- a', '- b')],
    ['mappings of one key', head('verify:', '  - run: npm test', '  - file_exists: docs/*.md')],
    [
      'mappings of several keys',
      head('a:', '  - b: c', '    d: 1', '    e: ""', '  - b: x', 'f: g'),
    ],
    ['the same without an indent', head('a:', '- b: c', '  d: null', '- e')],
    ['a float', head('a: 1.5', 'b: 0.25', 'c: 12.0')],
    [
      'digests and ids',
      head('a: 8207082f-9db7-4123-ba14-a267a9cb8f0e', 'b: 97b0bb', 'c: 1e', 'd: 3.x'),
    ],
    ['versions', head('a: 1.2.3', 'b: 1-2', 'c: 12:30', 'e: 0b1')],
    ['a list on the line', head('a: [x, "y z", 3]', 'b: []', 'c: [ a.b/c , d ]')],
    ['other scripts', head('title: Größe 大きさ для 🙂 tāpat', 'b: ünï')],
    ['marks inside', head("a: it's [so] {it} & *all* ! % @ ` | > ?", 'b: a:b c#d - e, f')],
    ['a path', head('a: ./x', 'b: .github/x', 'c: /etc', 'd: a\\b')],
    ['a comment', head('# words', 'a: 1')],
    ['a comment behind a value', head('a: b # c')],
    ['a blank at the end', head('a: b ')],
    ['a nested mapping', head('a:', '  b: c')],
    ['a mapping on the line', head('a: {b: c}')],
    ['a list in a list', head('a: [[b]]')],
    ['a list in a further key', head('a:', '  - b: c', '    d:', '      - e')],
    ['an empty line', head('a: 1', '', 'b: 2')],
    ['options', head('a: -p', 'b: [--model, x]')],
    ['no line end after the closing line', '---\na: 1\n---'],
  ])('%s', (_, text) => {
    expect(agree(text)).toBe(true);
  });
});

describe('what is not plain is declined, and read by the full reader', () => {
  test.each([
    ['no front matter', '# A\n'],
    ['an empty head', '---\n---\nx'],
    ['not closed', '---\na: 1\n'],
    ['a BOM', '\uFEFF---\na: 1\n---\n'],
    ['CRLF', '---\r\na: 1\r\n---\r\n'],
    ['CRLF in one line', '---\na: 1\r\nb: 2\n---\n'],
    ['another fence', '---\na: 1\n----\n'],
    ['a blank behind the fence', '---\na: 1\n--- \n'],
    ['a key given twice', head('a: 1', 'a: 2')],
    ['a forbidden key', head('constructor: 1')],
    ['__proto__', head('__proto__: 1')],
    ['a merge key', head('<<: {a: 1}')],
    ['a quoted key', head('"a": 1')],
    ['an anchor', head('a: &x 1')],
    ['an alias', head('a: *x')],
    ['a tag', head('a: !!str 1')],
    ['a tilde', head('a: ~')],
    ['octal, hex, float, signs', head('a: 0o14')],
    ['hex', head('a: 0x1F')],
    ['a leading zero', head('a: 0123')],
    ['a long float', head('a: 1.2345678901234567')],
    ['a point and nothing', head('a: 1.')],
    ['an exponent', head('a: 1e3')],
    ['a sign', head('a: -1')],
    ['a plus', head('a: +1')],
    ['infinity', head('a: .inf')],
    ['no number', head('a: .NaN')],
    ['a point and a digit', head('a: .5')],
    ['True', head('a: True')],
    ['NULL', head('a: NULL')],
    ['a colon inside', head('a: b: c')],
    ['a colon at the end', head('a: b:')],
    ['a tab', head('a:\tb')],
    ['a tab inside', head('a: b\tc')],
    ['a value on the next line', head('a:', '  b')],
    ['a value that goes on', head('a: b', '  c')],
    ['a block text', head('a: |', '  b')],
    ['a folded text', head('a: >', '  b')],
    ['a list that goes on', head('a: [b,', '  c]')],
    ['a comma at the end', head('a: [b,]')],
    ['a list item with a key twice', head('a:', '  - b: c', '    b: e')],
    ['a further key too deep', head('a:', '  - b: c', '     d: e')],
    ['a further key after a word', head('a:', '  - b', '    d: e')],
    ['a list item that goes on', head('a:', '  - b', '    c')],
    ['uneven items', head('a:', '  - b', ' - c')],
    ['deeper items', head('a:', '  - b', '   - c')],
    ['an empty item', head('a:', '  -', '  - b')],
    ['a list item under a value', head('a: b', '  - c')],
    ['escapes', head('a: "b\\nc"')],
    ['a quote in quotes', head("a: 'it''s'")],
    ['text behind quotes', head('a: "b" c')],
    ['a control character', head('a: b\u0007c')],
    ['a line separator', head('a: b\u2028c')],
    ['a blank of another kind', head('a: b\u00a0')],
    ['an indicator first', head('a: @b')],
    ['a question mark', head('a: ? b')],
    ['a dash', head('a: - b')],
    ['a document end', head('a: 1', '...')],
    ['a long head', head(...Array.from({ length: 1500 }, (_x, i) => `k${i}: 1`))],
  ])('%s', (_, text) => {
    expect(both(text)).toBe('declined');
  });
});

const TOKENS = [
  ...'abZ019 -:#[]{},"\'&*!|>%@`?~.<=_\\/()$+^\t\r\n\u00a0\u2028\uFEFF\u0085é大🙂\u3000\u00ad',
  ': ',
  '- ',
  ' #',
  '  ',
  '\n',
  '\n',
  '\n  - ',
  '\n- ',
  ': [',
  ', ',
  ']',
  '---',
  '\n---\n',
  'true',
  'Null',
  '0o7',
  '0x1',
  '1e3',
  '1_0',
  '.inf',
  '.nan',
  '-1',
  '2026-01-01',
  '12:30',
  'verify',
  'title: ',
  'run: ',
  'a: ',
  'b:\n',
  '__proto__',
  'constructor',
  '<<: ',
  '""',
  "''",
];

const soup = fc.array(fc.constantFrom(...TOKENS), { maxLength: 24 }).map((parts) => parts.join(''));
const value = fc.oneof(soup, fc.string(), fc.constantFrom(...TOKENS));
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'b', 'Ab_9', 'verify'), value)
      .map(([key, v]) => `${key}: ${v}`),
  },
  { weight: 3, arbitrary: value.map((v) => `  - ${v}`) },
  { weight: 1, arbitrary: value.map((v) => `  - run: ${v}`) },
  { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }).map((v) => `c: [${v.join(', ')}]`) },
  { weight: 1, arbitrary: fc.constantFrom('c:', 'd:', '', '  ', '# x', '- x') },
  { weight: 1, arbitrary: soup },
);

describe('properties', () => {
  test('wherever the plain reader answers, the full one says the same', () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        if (agree(`---\n${lines.join('\n')}\n---\nBody\n`)) answered += 1;
      }),
      { numRuns: 6000 },
    );
    expect(answered).toBeGreaterThan(fc.met(100));
  });

  test('each character, at the start, inside and at the end of a value', () => {
    const odd = [0x1680, 0x180e, 0x200b, 0x2028, 0x2029, 0x202e, 0x205f, 0x2060, 0x3000, 0xd800];
    const codes = [...Array.from({ length: 0x180 }, (_, code) => code), ...odd, 0xdfff, 0xfeff];
    for (const code of codes) {
      const char = String.fromCharCode(code);
      for (const text of [`${char}x`, `x${char}y`, `x${char}`, `1${char}`, `[${char}, x${char}]`]) {
        agree(head(`a: ${text}`, 'b:', `  - ${text}`));
      }
    }
  });
});
