/** The smallest edits of a front matter: what they change, what they leave as it is, and what they refuse. */
import { expect, test } from 'vitest';
import { editHead, type HeadChange } from '../../../src/task/text/yaml/edit-head.ts';

type How = HeadChange['how'];
type Row = readonly [
  what: string,
  before: string,
  how: How,
  key: string,
  value: HeadChange['value'],
  after: string,
];

const EDITED: readonly Row[] = [
  [
    'a word',
    'agent: dev # the fast one\nv: 1\n',
    'set',
    'agent',
    'qa',
    'agent: qa # the fast one\nv: 1\n',
  ],
  ['a quoted text', 'title: "a: b"\n', 'set', 'title', 'Plain', 'title: Plain\n'],
  ['a text that must be quoted', 'title: a\n', 'set', 'title', 'b: c # d', 'title: "b: c # d"\n'],
  [
    'a text of several lines',
    'title: a\n',
    'set',
    'title',
    'b\nagent: evil',
    'title: "b\\nagent: evil"\n',
  ],
  ['a number', 'wave: 1\n', 'set', 'wave', 2, 'wave: 2\n'],
  ['digits that are a text', 'title: a\n', 'set', 'title', '42', 'title: "42"\n'],
  [
    'a key without a value',
    'agent: # nobody yet\nv: 1\n',
    'set',
    'agent',
    'qa',
    'agent: qa # nobody yet\nv: 1\n',
  ],
  ['a new key', 'v: 1\n# the end\n', 'set', 'agent', 'qa', 'v: 1\n# the end\nagent: qa\n'],
  [
    'a new key below a text of several lines',
    'note: |\n  a\n',
    'set',
    'agent',
    'qa',
    'note: |\n  a\nagent: qa\n',
  ],
  ['an entry in brackets', 'tags: [a, b] # two\n', 'add', 'tags', 'c', 'tags: [a, b, c] # two\n'],
  ['an entry in empty brackets', 'tags: []\n', 'add', 'tags', 'c', 'tags: [c]\n'],
  [
    'an entry with a comma in brackets',
    'write: [a]\n',
    'add',
    'write',
    '{b,c}/**',
    'write: [a, "{b,c}/**"]\n',
  ],
  [
    'an entry of brackets over lines',
    'tags: [\n  a, # one\n]\nv: 1\n',
    'add',
    'tags',
    'b',
    'tags: [\n  a, b, # one\n]\nv: 1\n',
  ],
  [
    'an entry behind dashes',
    'tags:\n    - a # one\n# about v\nv: 1\n',
    'add',
    'tags',
    'b',
    'tags:\n    - a # one\n    - b\n# about v\nv: 1\n',
  ],
  [
    'an entry behind dashes at the margin',
    'tags:\n- a\nv: 1\n',
    'add',
    'tags',
    'b',
    'tags:\n- a\n- b\nv: 1\n',
  ],
  [
    'an entry behind a mapping',
    'verify:\n  - run: a\n\nv: 1\n',
    'add',
    'verify',
    'run: b',
    'verify:\n  - run: a\n  - "run: b"\n\nv: 1\n',
  ],
  ['an entry to one without a dash', 'tags: a # one\n', 'add', 'tags', 'b', 'tags: [a, b] # one\n'],
  ['an entry of a new list', 'v: 1\n', 'add', 'tags', 'b', 'v: 1\ntags:\n  - b\n'],
  ['an entry of a list without entries', 'tags:\nv: 1\n', 'add', 'tags', 'b', 'tags: [b]\nv: 1\n'],
  ['an entry that is there', 'tags: [ a ,b]\n', 'add', 'tags', 'b', 'tags: [ a ,b]\n'],
  ['without an entry in brackets', 'tags: [a, b, c]\n', 'remove', 'tags', 'b', 'tags: [a, c]\n'],
  ['without the last in brackets', 'tags: [a, b]\n', 'remove', 'tags', 'b', 'tags: [a]\n'],
  [
    'without an entry behind a dash',
    'tags:\n  # both\n  - a\n  - b # two\nv: 1\n',
    'remove',
    'tags',
    'a',
    'tags:\n  # both\n  - b # two\nv: 1\n',
  ],
  [
    'without the only entry',
    'a: 1\ntags:\n  - b\n# c\nv: 1\n',
    'remove',
    'tags',
    'b',
    'a: 1\n# c\nv: 1\n',
  ],
  ['without the only word', 'tags: b\nv: 1\n', 'remove', 'tags', 'b', 'v: 1\n'],
  ['without a key', 'a: 1\nagent: qa # why\nv: 1\n', 'remove', 'agent', undefined, 'a: 1\nv: 1\n'],
  ['without a list', 'tags:\n  - a\n  - b\n\nv: 1\n', 'remove', 'tags', undefined, '\nv: 1\n'],
];

const BODY = '\n# Title\n\nagent: [not, a, key]\n---\ntags: [a]\n';

test.for(EDITED)('%s', ([, before, how, key, value, after]) => {
  for (const eol of ['\n', '\r\n']) {
    const [from, to] = [before, after].map((head) =>
      `---\n${head}---\n${BODY}`.replaceAll('\n', eol),
    );
    expect(editHead(from ?? '', [{ how, key, value }])).toEqual({ text: to });
  }
});

const LEFT: readonly (readonly [
  head: string,
  how: How,
  key: string,
  value: HeadChange['value'],
  why: string,
])[] = [
  [
    'tags: [a]\n',
    'set',
    'tags',
    'b',
    'tags is more than one value: --add and --remove change a list',
  ],
  [
    'x_own: { a: 1 }\n',
    'set',
    'x_own',
    'b',
    'x_own is more than one value: --add and --remove change a list',
  ],
  ['title: >\n  a\n  b\n', 'set', 'title', 'c', 'title has more than one line'],
  ['title: a\n  b\n', 'set', 'title', 'c', 'title has more than one line'],
  ['tags: [a]\n', 'remove', 'tags', 'b', 'tags does not have b'],
  ['v: 1\n', 'remove', 'tags', undefined, 'tags does not have a value'],
  ['tags: [a, # why\n  b]\n', 'remove', 'tags', 'a', 'a comment is beside this entry'],
  ['tags:\n  # why\n  - a\nv: 1\n', 'remove', 'tags', 'a', 'a comment is among its lines'],
  ['{ v: 1, tags: [a] }\n', 'add', 'tags', 'b', 'the front matter is not one key a line'],
  ['tags: ~\n', 'add', 'tags', 'b', 'an edit of tags would be read back differently'],
  ['tags: &x [a]\n', 'add', 'tags', 'b', 'an anchor (&) is not allowed'],
  ['tags: [a\n', 'add', 'tags', 'b', 'a bracket is not closed'],
];

test.for(LEFT)('%j is left as it is: %s %s=%s', ([head, how, key, value, why]) => {
  expect(editHead(`---\n${head}---\n`, [{ how, key, value }])).toEqual({ why });
});

test('a contract without front matter, and one with two kinds of line ends, are left as they are', () => {
  const change: HeadChange = { how: 'set', key: 'agent', value: 'qa' };
  const none = { why: 'the contract has no front matter' };
  expect(editHead('# T\n\n- Agent: dev\n', [change])).toEqual(none);
  const mixed = { why: 'its line ends are not all the same' };
  expect(editHead('---\nv: 1\r\nagent: dev\n---\n', [change])).toEqual(mixed);
});

test('several changes are made in their order', () => {
  const all: HeadChange[] = [
    { how: 'set', key: 'agent', value: 'qa' },
    { how: 'add', key: 'tags', value: 'b' },
    { how: 'remove', key: 'tags', value: 'a' },
  ];
  expect(editHead('---\ntags: [a]\n---\n', all)).toEqual({
    text: '---\ntags: [b]\nagent: qa\n---\n',
  });
});
