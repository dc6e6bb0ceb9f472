/** Files of learnings as runners and people write them, and the smallest edits of them. */
import { describe, expect, test } from 'vitest';
import { editHead, parseLearning } from '../../../src/memory/text/learning-file.ts';

const FILE = '.contracts/memory/pattern/a.md';
const PLAIN = {
  type: 'pattern',
  information: 'Use Zod.',
  entities: [],
  tags: [],
  confidence: 0.7,
  source: [],
  uses: [],
  returned: [],
  feedback: 0,
  created: '',
};

const read = (text: string) => parseLearning(text, FILE, 'pattern');
const head = (...lines: string[]): string =>
  ['---', 'information: Use Zod.', ...lines, '---', ''].join('\n');

describe('read, and what is left out is as usual', () => {
  test.each<[says: string, text: string, more: object]>([
    ['no front matter', 'Use Zod.\n', {}],
    ['words over several lines', 'Use\n\n  Zod.\n', {}],
    ['a byte order mark', '\uFEFFUse Zod.\n', {}],
    ['a byte order mark before front matter', `\uFEFF${head()}`, {}],
    ['CRLF', head('tags:', '  - a').replaceAll('\n', '\r\n'), { tags: ['a'] }],
    ['words in the text below', '---\ntags: [a]\n---\nUse Zod.\n', { tags: ['a'] }],
    ['lists with commas', head('tags: a, b', 'source: one'), { tags: ['a', 'b'], source: ['one'] }],
    [
      'every key',
      head('v: 1', 'type: pattern', 'confidence: 0', 'feedback: -3', 'created: x'),
      {
        confidence: 0,
        feedback: -3,
        created: 'x',
      },
    ],
  ])('%s', (_, text, more) => {
    const found = read(text);
    expect(found).toMatchObject({ ok: true, warnings: [] });
    expect(found.ok && found.value.learning).toEqual({ ...PLAIN, ...more });
  });
});

describe('read with a warning', () => {
  test.each([
    ['confidence: 7', 'confidence cannot be read', '7', 'a number from 0 to 1'],
    ['confidence: high', 'confidence cannot be read', '"high"', 'a number from 0 to 1'],
    ['feedback: x', 'feedback cannot be read', '"x"', 'a number from -1000 to 1000'],
    ['tags: { a: 1 }', 'tags cannot be read', '{"a":1}', 'a list of words'],
    ['tags: [1, a]', 'tags cannot be read', '[1,"a"]', 'a list of words'],
    ['type: insight', 'its folder says another type, and that one counts', '"insight"', 'pattern'],
    ['colour: red', 'this key does nothing', 'colour', undefined],
  ])('%s', (line, message, found, expected) => {
    const result = read(head(line));
    expect(result).toMatchObject({ ok: true, warnings: [{ file: FILE, message, found }] });
    expect(result.ok && result.warnings[0]?.expected).toBe(expected);
    expect(result.ok && result.value.learning.information).toBe('Use Zod.');
  });
});

describe('refused', () => {
  test.each([
    ['nothing', '', 'bad_value'],
    ['blanks', ' \n\n', 'bad_value'],
    ['a list for a sentence', '---\ninformation: [a]\n---\n', 'bad_value'],
    ['front matter that is not closed', '---\ninformation: x', 'front_matter'],
    ['front matter that runs', '---js\nalert(1)\n---\nUse Zod.\n', 'front_matter'],
    ['no YAML', '---\n: : :\n---\n', 'yaml'],
    ['the same key twice', head('information: Use io-ts.'), 'yaml'],
    ['half a line end', 'Use\rZod.\n', 'bare_cr'],
  ])('%s', (_, text, code) => {
    const result = read(text);
    expect(result.ok).toBe(false);
    expect(!result.ok && result.problems[0]).toMatchObject({ file: FILE });
    expect(!result.ok && result.problems[0]?.fix).not.toBe('');
    if (code !== 'bare_cr') expect(!result.ok && result.problems[0]?.code).toBe(code);
  });
});

test.each([
  ['correction', 'correction', 0],
  ['anti-pattern', 'anti_pattern', 0],
  ['rumour', 'insight', 1],
])('a candidate says its type: %s', (word, type, warnings) => {
  const result = parseLearning(head(`type: ${word}`), FILE, undefined);
  expect(result.ok && [result.value.learning.type, result.warnings.length]).toEqual([
    type,
    warnings,
  ]);
});

describe('an edit changes its keys, and no other byte', () => {
  const ALL = [
    '---',
    '# mine',
    'information: "Use Zod."  # so it is',
    'source: # who',
    '  - one',
    '',
    '  - two',
    '# between',
    'colour: { red: 1 }',
    '',
    'feedback: 1',
    '---',
    '',
    '# More',
    '---',
    'source: none',
    '',
  ].join('\n');

  test.each<[says: string, before: string, changes: object, after: string]>([
    [
      'a list with blank lines in it',
      ALL,
      { source: ['one', 'three'] },
      ALL.replace('source: # who\n  - one\n\n  - two\n', 'source:\n  - one\n  - three\n'),
    ],
    ['a number', ALL, { feedback: 2 }, ALL.replace('feedback: 1', 'feedback: 2')],
    [
      'a key that is new',
      ALL,
      { uses: ['x'] },
      ALL.replace('feedback: 1\n', 'feedback: 1\nuses:\n  - x\n'),
    ],
    ['a key that goes', ALL, { feedback: undefined }, ALL.replace('feedback: 1\n', '')],
    ['nothing', ALL, {}, ALL],
    ['the same', ALL, { source: ['one', 'two'], feedback: 1 }, ALL],
    [
      'a list that has one more',
      ALL,
      { source: ['one', 'two', 'three'] },
      ALL.replace('  - two\n', '  - two\n  - three\n'),
    ],
    [
      'a list without blanks in front, and words behind its items',
      '---\ntags:\n- a # Ann says so\n---\n',
      { tags: ['a', 'b'] },
      '---\ntags:\n- a # Ann says so\n- b\n---\n',
    ],
    [
      'keys on one line',
      '---\n{information: Use Zod., plan: shop}\n---\nMore\n',
      { asked: true, plan: 'other' },
      '---\ninformation: Use Zod.\nplan: other\nasked: true\n---\nMore\n',
    ],
    [
      'CRLF stays CRLF',
      head('feedback: 1').replaceAll('\n', '\r\n'),
      { feedback: 2, uses: ['x'] },
      head('feedback: 2', 'uses:', '  - x').replaceAll('\n', '\r\n'),
    ],
    [
      'a byte order mark stays in front',
      `\uFEFF${head()}`,
      { feedback: 2 },
      `\uFEFF${head('feedback: 2')}`,
    ],
    ['a quoted key', head('"feedback": 1'), { feedback: 2 }, head('feedback: 2')],
    ['no front matter', 'Use Zod.\n', { feedback: 2 }, '---\nfeedback: 2\n---\n\nUse Zod.\n'],
    [
      'a list at the first column',
      head('source:', '- one', 'tags: [a]'),
      { source: ['two'] },
      head('source:', '  - two', 'tags: [a]'),
    ],
    [
      'a key that begins as another',
      head('sources: x', 'source: [y]'),
      { source: ['z'] },
      head('sources: x', 'source:', '  - z'),
    ],
  ])('%s', (_, before, changes, after) => {
    expect(editHead(before, changes)).toBe(after);
    expect(editHead(after, changes)).toBe(after);
  });
});
