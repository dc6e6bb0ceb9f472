/** The part of TOML that agents of Codex are written in, and front matter that is no YAML. */
import { expect, test } from 'vitest';
import { readLooseHead } from '../../../src/task/text/yaml/loose-head.ts';
import { readTomlHead } from '../../../src/task/text/yaml/toml-head.ts';

const isNone = (): boolean => false;

const AGENT = `# who
name = "reviewer" # inside
description = 'Looks at C:\\work'
model_reasoning_effort = "high"
max = 1_000
on = true
developer_instructions = """
You look.\tTwice: \\"so\\".
Long \\
   line.
"""
nickname_candidates = [
  "a", # one
  'b',
]

[mcp_servers.docs]
url = "x"
`;

test('keys before the first table, texts of every kind', () => {
  const read = readTomlHead(AGENT, isNone);
  expect(read.ok && { ...read.head }).toEqual({
    name: 'reviewer',
    description: 'Looks at C:\\work',
    model_reasoning_effort: 'high',
    max: 1000,
    on: true,
    developer_instructions: 'You look.\tTwice: "so".\nLong line.\n',
    nickname_candidates: ['a', 'b'],
  });
  expect(read.ok && read.lines.get('developer_instructions')).toBe(7);
  expect(readTomlHead(AGENT.replaceAll('\n', '\r\n'), isNone)).toEqual(read);
});

test('tables that are asked for: booleans, and null for other values', () => {
  const read = readTomlHead(
    `a = 1\n\n[permissions]\nwrite = false # no\nglob = { "*" = "x" }\n[other]\nb = 1\n[ 'permissions' . edit]\n`,
    (name) => name === 'permissions',
  );
  expect(read.ok && read.head).toEqual({
    a: 1,
    permissions: { write: false, glob: null, "[ 'permissions' . edit]": null },
  });
  expect(read.ok && read.lines.get('permissions')).toBe(3);
});

test.each([
  ['', 0],
  ['# nothing', 0],
  ['a = "x"', 1],
])('%j has %d keys', (text, keys) => {
  const read = readTomlHead(text, isNone);
  expect(read.ok && Object.keys(read.head)).toHaveLength(keys);
});

test.each([
  ['a = "x\nb = 1', 1, 'not closed'],
  ['a = 1\nb: 2', 2, 'key = value'],
  ['a = 1\na = 2', 2, 'is not allowed here'],
  ['__proto__ = 1', 1, 'is not allowed here'],
  ['a = 2026-01-01', 1, 'not supported here'],
  ['a = { b = 1 }', 1, 'not supported here'],
  ['a = "x" y', 1, 'more than a value'],
  ['a = "\\q"', 1, 'escape'],
  ['a = ["x" "y"]', 1, 'list'],
  ['a = """x', 1, 'not closed'],
])('%j is refused in line %d', (text, line, message) => {
  expect(readTomlHead(text, isNone)).toMatchObject({
    ok: false,
    line,
    message: expect.stringContaining(message) as string,
  });
});

test('words with colons in them, as other programs write them', () => {
  const text =
    '---\nname: x\ndescription: Use it when: user says "hi". <a>b: c</a>\nhidden: true\n---\nBody\n';
  expect(readLooseHead(text)).toEqual({
    head: { name: 'x', description: 'Use it when: user says "hi". <a>b: c</a>', hidden: true },
    body: 'Body\n',
  });
});

test.each([
  ['a block', 'description: >\n  words'],
  ['a nested mapping', 'permission:\n  edit: deny'],
  ['a list', 'tools: [Read]'],
  ['a key twice', 'a: 1\na: 2'],
  ['an alias', 'a: *b'],
  ['a line that continues', 'a: b\n  c'],
  ['a key of JavaScript', 'constructor: x'],
])('%s is not guessed at', (_, head) => {
  expect(readLooseHead(`---\n${head}\n---\n`)).toBeUndefined();
});
