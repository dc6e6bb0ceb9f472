import matter from 'gray-matter';
import { expect, test, describe } from 'vitest';
import {
  decodeText,
  dumpFrontMatter,
  readFrontMatter,
} from '../../../src/task/text/yaml/front-matter.ts';
import { readYaml } from '../../../src/task/text/yaml/yaml-head.ts';
import { parseRecord, renderRecord } from '../../../src/task/text/documents/record.ts';
import * as fc from '../../support/property.ts';

function read(text: string) {
  const result = readFrontMatter(text, 'contract.md');
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.value;
}

function problemOf(text: string) {
  const result = readFrontMatter(text, 'contract.md');
  if (result.ok) throw new Error('was accepted');
  return result.problems[0]!;
}

describe('front matter that is read', () => {
  test('head, body and lines', () => {
    const front = read('---\ntitle: A\nverify:\n  - run: npm test\n  - checklist\n---\nBody\n');
    expect(front).toMatchObject({ present: true, body: 'Body\n' });
    expect({ ...front.head }).toMatchObject({
      title: 'A',
      verify: [{ run: 'npm test' }, 'checklist'],
    });
    expect(front.places.get('title')).toEqual({ line: 2, col: 1 });
    expect(front.places.get('verify')).toEqual({ line: 3, col: 1 });
    expect(front.places.get('verify.1')).toEqual({ line: 5, col: 5 });
  });

  test.each([
    ['no front matter', '# A\n', '# A\n'],
    ['empty text', '', ''],
    ['a blank line first', '\n---\na: 1\n---\n', '\n---\na: 1\n---\n'],
    ['a BOM and no front matter', '\uFEFF# A\n', '\uFEFF# A\n'],
  ])('%s: not present, body is the text', (_, text, body) => {
    expect(read(text)).toMatchObject({ present: false, body, head: {} });
  });

  test.each([
    ['empty', '---\n---\nx'],
    ['comment only', '---\n# c\n---\nx'],
    ['bare comment mark', '---\n#\n---\nx'],
    ['BOM', '\uFEFF---\n---\nx'],
  ])('%s head is an empty mapping', (_, text) => {
    const front = read(text);
    expect(front.present).toBe(true);
    expect(Object.keys(front.head)).toEqual([]);
    expect(front.body).toBe('x');
  });

  test('BOM, CRLF, mixed ends: the values have no CR, the body keeps its bytes', () => {
    const front = read('\uFEFF---\r\na: 1\r\nb: two\n---\r\nx\r\ny\n');
    expect({ ...front.head }).toEqual({ a: 1, b: 'two' });
    expect(front.body).toBe('x\r\ny\n');
    expect(front.places.get('b')?.line).toBe(3);
  });

  test('YAML 1.2 core: 0123, 190:20:30, dates, yes', () => {
    const text = '---\na: 0123\nb: 190:20:30\nc: 2026-02-08\nd: yes\ne: 12:30:00\n---\n';
    expect({ ...read(text).head }).toEqual({
      a: 123,
      b: '190:20:30',
      c: '2026-02-08',
      d: 'yes',
      e: '12:30:00',
    });
    const naive = matter(text, {}).data as Record<string, unknown>;
    expect(naive['a']).toBe(83);
    expect(naive['c']).toBeInstanceOf(Date);
  });

  test('a key that asks gray-matter for excerpts changes nothing', () => {
    expect(read('---\nexcerpt_separator: {a: 1}\n---\nx').body).toBe('x');
  });

  test('objects have no prototype to fall back on', () => {
    const { head } = read('---\na: {b: 1}\n---\n');
    expect(head['toString']).toBeUndefined();
    expect((head['a'] as Record<string, unknown>)['valueOf']).toBeUndefined();
  });
});

describe('front matter that would run code', () => {
  const forms = ['---js', '--- js', '---JS', '---javascript', '---coffee', '---json', '---yaml'];
  test.each([...forms, '---constructor', '---toString', '----', '--- ', '---\t'])(
    '%s is refused',
    (fence) => {
      for (const bom of ['', '\uFEFF']) {
        const text = `${bom}${fence}\n{ "a": globalThis.hostile = true }\n---\n`;
        expect(problemOf(text)).toMatchObject({ code: 'front_matter', line: 1, expected: '---' });
      }
      expect((globalThis as Record<string, unknown>)['hostile']).toBeUndefined();
    },
  );

  test('plain gray-matter runs it', () => {
    const text = '---js\n{ a: (globalThis.ran_by_gray_matter = 1) }\n---\n';
    matter(text, { language: 'yaml' });
    const ran = globalThis as Record<string, unknown>;
    expect(ran['ran_by_gray_matter']).toBe(1);
    delete ran['ran_by_gray_matter'];
    expect(readFrontMatter(text, 'x').ok).toBe(false);
    expect(ran['ran_by_gray_matter']).toBeUndefined();
  });

  test('the same bad YAML read twice is refused twice', () => {
    const text = '---\na: [unclosed_twice\n---\n';
    expect(() => matter(text)).toThrow();
    expect(matter(text).data).toEqual({});
    expect(problemOf(text).code).toBe('yaml');
    expect(problemOf(text).code).toBe('yaml');
  });

  test('two readings share no object', () => {
    const text = '---\na: {b: shared}\n---\n';
    expect(matter(text).data).toBe(matter(text).data);
    expect(read(text).head).not.toBe(read(text).head);
  });
});

describe('fences', () => {
  test.each([
    ['not closed', '---\na: 1\n'],
    ['nothing after', '---'],
    ['closed with four', '---\na: 1\n----\n'],
    ['closed with words', '---\na: 1\n--- x\n---\n'],
    ['closed with a blank behind', '---\na: 1\n--- \n'],
  ])('%s is refused', (_, text) => {
    expect(problemOf(text).code).toBe('front_matter');
  });

  test('half-saved file: no prefix without its closing line is accepted', () => {
    const text = '---\ntitle: A\nquality_gate: person\n---\n# A\n';
    const closed = text.indexOf('---', 4) + 3;
    for (let length = 3; length < closed; length++)
      expect(readFrontMatter(text.slice(0, length), 'x').ok, text.slice(0, length)).toBe(false);
    expect(matter(text.slice(0, 13), {}).data).toEqual({ title: 'A' });
  });

  test('limits on size', () => {
    expect(problemOf(`---\n${'# x\n'.repeat(3000)}---\n`).message).toContain('no closing line');
    expect(problemOf(`---\na: ${'x'.repeat(70_000)}\n---\n`).message).toContain('no closing line');
  });
});

describe('YAML that is refused', () => {
  const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]';
  test.each([
    ['alias bomb', bomb, 2, 4],
    ['alias', 'a: *x', 2, 4],
    ['merge key', 'a: 1\n<<: {b: 2}', 3, 1],
    ['tag', 'a: 1\nb: !!js/function x', 3, 4],
    ['lone tag', 'a: ! x', 2, 4],
    ['anchor', 'a: 1\nb:\n  - &x 1', 4, 5],
    ['key twice', 'a: 1\nb: 2\na: 3', 4, 1],
    ['key twice in a flow mapping', 'x: {a: 1, a: 2}', 2, 11],
    ['__proto__', 'a: 1\n__proto__: {isAdmin: true}', 3, 1],
    ['constructor', 'a:\n  constructor: 1', 3, 3],
    ['prototype', 'prototype: 1', 2, 1],
    ['a list', '- a', 2, 1],
    ['a text', 'just words', 2, 1],
    ['null', '~', 2, 1],
    ['a list as key', '? [a]\n: 1', 2, 3],
    ['a directive', '%YAML 1.1\na: yes', 2, 1],
    ['a document end', 'a: 1\n...\nb: 1', 3, 1],
    ['a control character', 'a: 1\nb: x\u001f', 3, 5],
    ['a tab as indent', 'a:\n\tb: 1', 3, 1],
    ['an open quote', 'a: "x', 2, 6],
  ])('%s', (_, yaml, line, col) => {
    expect(problemOf(`---\n${yaml}\n---\n`)).toMatchObject({ code: 'yaml', line, col });
    const crlf = `\uFEFF---\r\n${yaml.replaceAll('\n', '\r\n')}\r\n---\r\n`;
    expect(problemOf(crlf)).toMatchObject({ code: 'yaml', line });
  });

  test.each([
    ['flow lists', `a: ${'['.repeat(17)}${']'.repeat(17)}`],
    ['block mappings', Array.from({ length: 18 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['compact lists', `a:\n  ${'- '.repeat(17)}x`],
    ['60,000 open brackets', `a: ${'['.repeat(60_000)}`],
    ['20,000 compact lists', `a:\n  ${'- '.repeat(20_000)}x`],
    ['20,000 explicit keys', '? '.repeat(20_000)],
    ['nested flow mappings', '{a: '.repeat(15_000)],
  ])('nesting: %s', (_, yaml) => {
    expect(problemOf(`---\n${yaml}\n---\n`)).toMatchObject({ code: 'yaml' });
  });

  test('16 levels are read', () => {
    const value = `${'['.repeat(15)}x${']'.repeat(15)}`;
    expect(JSON.stringify(read(`---\na: ${value}\n---\n`).head)).toContain('x');
    expect(problemOf(`---\na: [${value}]\n---\n`).message).toContain('deeper');
  });

  test('5,000 nodes', () => {
    expect(problemOf(`---\na: [${'x,'.repeat(5000)}]\n---\n`).message).toContain('5000');
    expect(read(`---\na: [${'x,'.repeat(4990)}]\n---\n`).present).toBe(true);
  });
});

describe('bytes', () => {
  const decoded = (bytes: number[]) => decodeText(Uint8Array.from(bytes), 'x.md');
  test('UTF-8 with a BOM stays as it is', () => {
    expect(decoded([0xef, 0xbb, 0xbf, 0xc3, 0xa4, 0x0d, 0x0a])).toMatchObject({
      ok: true,
      value: '\uFEFFä\r\n',
    });
  });
  test.each([
    ['non-UTF-8', [0x61, 0xff], 1, 1],
    ['an overlong form', [0xc0, 0x80], 1, 1],
    ['UTF-16 LE', [0xff, 0xfe, 0x61, 0], 1, 1],
    ['UTF-16 BE', [0xfe, 0xff, 0, 0x61], 1, 1],
    ['NUL', [0x61, 0x0a, 0x62, 0], 2, 2],
    ['bare CR', [0x61, 0x0a, 0x0d, 0x62], 2, 1],
    ['CR at the end', [0x61, 0x0d], 1, 2],
  ])('%s is refused', (_, bytes, line, col) => {
    expect(decoded(bytes)).toMatchObject({
      ok: false,
      problems: [{ code: 'encoding', line, col }],
    });
  });
  test('bare CR does not become an engine name', () => {
    expect(problemOf('---\rjs\n{}\n---\n').code).toBe('encoding');
  });
});

const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    'yes', '0123', '---', 'a: b', '# x', 'x\n---\npermissions: all', '*a', '&a', '!t', '{{x}}', ' x ',
    '\r\n', '\u0085', '\u2028', '"', "'", '%', '- a', '? a', 'null', '~', '1e3', '0x1', '.nan', '<<', '',
  ),
); // prettier-ignore
const key = fc
  .stringMatching(/^[a-z][a-z_]{0,12}$/)
  .filter((name) => name !== 'constructor' && name !== 'prototype');
const heads = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { minLength: 1 })), {
  noNullPrototype: true,
});
const isBareFree = (value: unknown) => JSON.stringify(value) !== undefined;

test('signs that a terminal would obey are escaped, and read back as they were', () => {
  const head = { reason: 'x', changed: ['src/a\u202Etxt.exe', 'b\u{E0001}c', 'd\u2028"\\e\u0085'] };
  const text = dumpFrontMatter(head);
  expect(text).not.toMatch(/[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain('"src/a\\u202etxt.exe"');
  expect({ ...read(text).head }).toEqual(head);
});

test('a dumped head is read back as it was', () => {
  fc.assert(
    fc.property(heads.filter(isBareFree), (head) => {
      const text = `${dumpFrontMatter(head)}body`;
      const front = read(text);
      expect(JSON.parse(JSON.stringify(front.head))).toEqual(JSON.parse(JSON.stringify(head)));
      expect(front.body).toBe('body');
    }),
  );
});

test('a newline in a title adds no key', () => {
  const head = { title: 'x\npermissions: all\n---\n# y' };
  expect({ ...read(dumpFrontMatter(head)).head }).toEqual(head);
});

test('undefined values and empty lists are left out', () => {
  expect(dumpFrontMatter({ a: undefined, b: [], c: 1 })).toBe('---\nc: 1\n---\n');
  expect(dumpFrontMatter({})).toBe('---\n---\n');
});

test('reading is total', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    '\r',
    'a: ',
    '- ',
    '[',
    '{',
    '"',
    "'",
    '|',
    '>',
    '#',
    'x',
    ' ',
    '\t',
    ':',
    '&',
    '*',
    '!',
    '%',
    '\uFEFF',
    '?',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((all) => `---\n${all.join('')}\n---\n`),
      ),
      (text) => {
        expect(typeof readFrontMatter(text, 'x').ok).toBe('boolean');
      },
    ),
    { numRuns: 500 },
  );
});

describe('records', () => {
  test('parse(render(x)) = x', () => {
    const bodies = fc.string({ unit: 'grapheme' }).map((body) => body.replace(/\r/g, ''));
    fc.assert(
      fc.property(heads.filter(isBareFree), bodies, (head, body) => {
        const parsed = parseRecord(renderRecord(head, body), 'owner.md');
        expect(parsed).toMatchObject({ ok: true, value: { body } });
        if (parsed.ok)
          expect(JSON.parse(JSON.stringify(parsed.value.head))).toEqual(
            JSON.parse(JSON.stringify(head)),
          );
      }),
    );
  });
  test.each(['', 'words', '---\na: 1\n', '---\n- a\n---\n'])('%j is refused', (text) => {
    expect(parseRecord(text, 'owner.md').ok).toBe(false);
  });
});

describe('a whole file of YAML', () => {
  test.each([
    ['plain', 'a: 1\nb: {c: x}\n'],
    ['with a first line of dashes', '---\na: 1\nb: {c: x}\n'],
    ['BOM and CRLF', '\uFEFFa: 1\r\nb: {c: x}\r\n'],
  ])('%s', (_, text) => {
    const read = readYaml(text, 'config.yaml');
    expect(read).toMatchObject({ ok: true, value: { head: { a: 1, b: { c: 'x' } } } });
    if (read.ok) expect(read.value.places.get('b')?.line).toBe(text.startsWith('---') ? 3 : 2);
  });
  test.each(['', '# only words\n', '---\n'])('%j is an empty mapping', (text) => {
    const read = readYaml(text, 'config.yaml');
    expect(read.ok && Object.keys(read.value.head)).toEqual([]);
  });
  test.each([
    ['a second document is not cut off unsaid', 'a: 1\n---\nparallel: 9\n', 'yaml', 2],
    ['an alias', 'a: 1\nb: *x\n', 'yaml', 2],
    ['a list', '- a\n', 'yaml', 1],
    ['nesting', `a: ${'['.repeat(60_000)}`, 'yaml', 1],
    ['too long', `a: ${'x'.repeat(70_000)}`, 'too_large', 1],
    ['bare CR', 'a: 1\rb: 2', 'encoding', 1],
  ])('%s', (_, text, code, line) => {
    expect(readYaml(text, 'config.yaml')).toMatchObject({ ok: false, problems: [{ code, line }] });
  });
});
