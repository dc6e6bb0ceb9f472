/** What a person reads of a mistake in YAML: what it is, and what to write. */
import { expect, test } from 'vitest';
import { readYaml } from '../../../src/task/text/yaml/yaml-head.ts';

test.each([
  ['title: a: b', 'a value has a second ": " in it', 'Quote a text'],
  ['a: [x\nb: 1', 'a bracket is not closed', 'Close it with ]'],
  ['a: {x: 1\nb: 2', 'a bracket is not closed', 'Close it with ]'],
  ['a: "x\nb: 1', 'a quote is not closed', 'Close it'],
  ['a:\n\t- x', 'a line begins with a tab', 'Write spaces'],
  ['a: @x', 'a text begins with a mark that YAML reserves', 'Quote the text'],
  ['a: "x" y', 'there is more behind the end of a value', 'Quote the whole value'],
  ['key\nb: 1', 'a line is not key: value', 'Write key: value'],
  ['a: 1\nb', 'a line is not key: value', 'Write key: value'],
  ['a:\n  - b\n c: d', 'a line is not indented as those beside it', 'Begin it in their column'],
  ['a: [b, c]]', 'a bracket is closed that was not opened', 'Remove it'],
  ['a: [b c: d: e]', 'there is a key inside of brackets', 'Quote a text'],
  ['a: "\\q"', 'not YAML: Invalid escape sequence \\q', 'Correct the line'],
])('%j', (text, message, fix) => {
  const read = readYaml(text, 'a.yaml');
  expect(read.ok ? undefined : read.problems[0]).toMatchObject({
    message,
    fix: expect.stringMatching(new RegExp(`^${fix.replace(/[[\]]/g, '\\$&')}`)) as string,
  });
});
