/** Edits of JSON that a person keeps: what is put in can be taken out, and no other byte changes. */
import { expect, test } from 'vitest';
import { valueIn, withoutValue, withValue } from '../../../src/engine/setup/json-edit.ts';
import * as fc from '../../support/property.ts';

const VALUE = { command: 'contracts', args: ['mcp'] };

const TEXTS: readonly (readonly [string, string])[] = [
  ['two blanks', '{\n  "a": 1\n}\n'],
  ['tabs', '{\n\t"servers": {\n\t\t"x": { "command": "y" }\n\t}\n}\n'],
  ['one line', '{"a":[1,2],"servers":{"c":1}}'],
  ['comments', '{\n  // mine\n  "a": 1, // one\n  /* two */ "b": [1, 2] // end\n}\n'],
  ['a trailing comma', '{\n  "a": 1,\n  "list": [\n    1,\n  ],\n}\n'],
  ['CRLF', '{\r\n  "a": 1\r\n}\r\n'],
  ['a mark at the start', '\uFEFF{\n  "a": 1\n}\n'],
  ['a comment alone', '{ // mine\n}\n'],
  ['a list', '{\n  "list": [\n    { "x": 1 }\n  ]\n}\n'],
];

test.each(TEXTS)('there and back: %s', (_, text) => {
  for (const path of [
    ['servers', 'contracts'],
    ['list', listOf(text)],
    ['deep', 'er', 'est'],
  ]) {
    const more = withValue(text, path, VALUE) ?? '';
    expect(valueIn(more, path)).toEqual(VALUE);
    expect(withoutValue(more, path)).toBe(text);
    const other = ['servers', 'other'];
    const both = withValue(more, other, [1]) ?? '';
    expect(withoutValue(withoutValue(both, path), other)).toBe(text);
  }
});

const listOf = (text: string): number => {
  const list = valueIn(text, ['list']);
  return Array.isArray(list) ? list.length : 0;
};

test('what is put in stands as the file does', () => {
  expect(withValue('{\n\t"a": 1\n}\n', ['s', 'c'], VALUE)).toBe(
    '{\n\t"a": 1,\n\t"s": {\n\t\t"c": {\n\t\t\t"command": "contracts",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
  );
  expect(withValue('{\n  "s": {"x": 1}\n}\n', ['s', 'c'], [1])).toBe(
    '{\n  "s": {"x": 1, "c": [1]}\n}\n',
  );
  expect(withValue('{}', ['a'], 1)).toBe('{\n  "a": 1\n}');
});

test('in the way of it stands something else, or it is no JSON: nothing', () => {
  for (const text of ['', '[]', 'null', '{ "a": ', '{ "s": [] }', '{ "s": 1 }', '{ "a": 1 } x'])
    expect(withValue(text, ['s', 'c'], 1), text).toBeUndefined();
});

test('an object that holds nothing more goes, and a comment keeps it', () => {
  expect(withoutValue('{\n  "s": {\n    "c": 1\n  }\n}\n', ['s', 'c'])).toBe('');
  expect(withoutValue('{\n  "s": { "c": 1 },\n  "a": 1\n}\n', ['s', 'c'])).toBe('{\n  "a": 1\n}\n');
  expect(withoutValue('{ "s": { /* mine */ "c": 1 } }', ['s', 'c'])).toContain('/* mine */');
});

test('keys that are numbers, which an object has first, stay where they are', () => {
  const text = '{ "b": 1, "7": 2, "x": { "c": 3 }, "3": 4 }';
  expect(withoutValue(text, ['x', 'c'])).toBe('{ "b": 1, "7": 2, "3": 4 }');
});

test.each([
  [
    'a key that is there twice',
    '{ "b": 1, "c": 2, "b": 3, "x": { "c": 3 } }',
    '{ "b": 1, "c": 2, "b": 3 }',
  ],
  ['above', '{\n  "a": 1, // mine\n  "x": { "c": 3 }\n}\n', '{\n  "a": 1 // mine\n}\n'],
  ['above, on one line', '{ "a": 1, /* mine */ "x": { "c": 3 } }', '{ "a": 1 /* mine */ }'],
  ['open at its end', '{ "a": 1, // mine\n"x": { "c": 3 }}', '{ "a": 1 // mine\n}'],
  ['below', '{\n  "x": { "c": 3 }, // mine\n  "a": 1\n}\n', '{\n  // mine\n  "a": 1\n}\n'],
  ['alone', '{ // mine\n  "x": { "c": 3 }}', '{ // mine\n  }'],
  ['alone, after a comma', '{\n  "x": { "c": 3 } /* mine */,\n}\n', '{ /* mine */}\n'],
  ['after the whole', '{ "x": { "c": 3 } } // mine\n', '{} // mine\n'],
])('what a person wrote around it stays: %s', (_, text, rest) => {
  expect(withoutValue(text, ['x', 'c'])).toBe(rest);
  expect(valueIn(rest)).toBeDefined();
});

test('any JSON, in any form', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2, '\t'), (object, indent) => {
      const text = JSON.stringify({ ...object, first: 1 }, null, indent);
      fc.pre(!('contracts key' in object));
      const more = withValue(text, ['contracts key', 'x'], VALUE) ?? '';
      expect(JSON.parse(more)).toEqual({ ...JSON.parse(text), 'contracts key': { x: VALUE } });
      expect(withoutValue(more, ['contracts key', 'x'])).toBe(text);
    }),
  );
});
