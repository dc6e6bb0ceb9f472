/** What a file of JSON lacks to be of a schema, as it is said; nothing is fetched, and nothing takes for ever. */
import { expect, test } from 'vitest';
import { whyNoJson } from '../../src/engine/verify/json-schema.ts';

const why = (text: string, schema: unknown): string | undefined =>
  whyNoJson(
    { name: 'a.json', text },
    { name: 's.json', text: typeof schema === 'string' ? schema : JSON.stringify(schema) },
  );
const NEW = 'https://json-schema.org/draft/2020-12/schema';
const OLD = 'http://json-schema.org/draft-07/schema#';

test.each([
  ['{"a":1}', { type: 'object' }],
  ['1', { $schema: OLD, type: 'integer' }],
  ['[1,"a"]', { $schema: OLD, items: [{ type: 'integer' }, { type: 'string' }] }],
  ['[1,"a"]', { $schema: NEW, prefixItems: [{ type: 'integer' }, { type: 'string' }] }],
  ['"no date"', { format: 'date' }],
  ['1', 'true'],
  ['"b"', { definitions: { b: { pattern: '^b$' } }, $ref: '#/definitions/b' }],
])('%s is of %j', (text, schema) => {
  expect(why(text, schema)).toBeUndefined();
});

test.each([
  [
    '{"a":1}',
    { required: ['a', 'b'] },
    "a.json is not of s.json: / must have required property 'b'",
  ],
  [
    '{"a":"1"}',
    { properties: { a: { type: 'integer' } } },
    'a.json is not of s.json: /a must be integer',
  ],
  [
    '["a",1]',
    { $schema: NEW, prefixItems: [{ type: 'integer' }] },
    'a.json is not of s.json: /0 must be integer',
  ],
  ['{', {}, 'a.json: not JSON'],
  ['1', '{', 's.json: not JSON'],
  ['1', 'null', 'a.json cannot be compared with s.json: '],
  ['1', '3', 'a.json cannot be compared with s.json: '],
  ['1', { type: 'nope' }, 'a.json cannot be compared with s.json: schema is invalid'],
  [
    '1',
    { $ref: 'https://example.org/x.json' },
    "can't resolve reference https://example.org/x.json",
  ],
  ['1', { $schema: 'https://example.org/x.json' }, 'no schema with key or ref'],
  ['"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"', { pattern: '^(a+)+$' }, 'given up after 2 s'],
  ['['.repeat(100_000) + ']'.repeat(100_000), { items: { $ref: '#' } }, 'Maximum call stack'],
])('%.40s is not of %j', (text, schema, words) => {
  expect(why(text, schema)).toContain(words);
});

test('of many mistakes the first five are named', () => {
  const text = JSON.stringify(Array.from({ length: 9 }, () => 'a'));
  expect(why(text, { items: { type: 'integer' } })).toMatch(/^.*\/4 must be integer; and 4 more$/);
});
