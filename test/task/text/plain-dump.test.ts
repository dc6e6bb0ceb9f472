/** The own dump of plain front matter writes what the yaml library writes, or declines. */
import { expect, test } from 'vitest';
import { dumpPlain, dumpWhole } from '../../../src/task/text/yaml/dump.ts';
import * as fc from '../../support/property.ts';

test('what `new` writes is dumped without the library', () => {
  const head = {
    v: 1,
    title: 'Say hello',
    depends_on: ['task_20261121_one_aaaa'],
    verify: ['run: test -s hello.txt', 'file_exists: hello.txt'],
    timeout: '10m',
    created: '2026-11-22T01:41:13.695Z',
  };
  expect(dumpPlain(Object.entries(head))).toBe(dumpWhole(head));
});

test('the records of an attempt are dumped without the library', () => {
  const head = {
    v: 1,
    agent: '',
    start: '2355535',
    boot: '8207082f-9db7-4123-ba14-a267a9cb8f0e',
    pid_ns: 'pid:[4026531836]',
    contract: '38162925d9f17ef26834f725ab39bf4959a4abd3971db441e617e72ea68ac664',
    at: '2026-11-22T01:41:13.695Z',
    seconds: 0.1,
    reason: "the “file” isn’t there: it's gone",
    no_verdict: true,
    deadline: null,
    receipts: [
      { check: 'file_exists: a.txt', passed: true, exit_code: null, ms: 0.25, output: '' },
      { check: 'run: test -s a.txt', passed: false, exit_code: 1, ms: 3, output: 'x' },
    ],
  };
  expect(dumpPlain(Object.entries(head))).toBe(dumpWhole(head));
});

test.each([
  [{ a: 'x\ny' }],
  [{ a: 'x\u2028y' }],
  [{ a: 'say: "x"' }],
  [{ a: '-' }],
  [{ a: '---' }],
  [{ a: '.5' }],
  [{ a: '~' }],
  [{ a: '"' }],
  [{ a: 'true' }],
  [{ a: 'Null' }],
  [{ a: 1e21 }],
  [{ a: 1e-7 }],
  [{ a: -0 }],
  [{ a: [] }],
  [{ a: { b: 1 } }],
  [{ a: [{}] }],
  [{ a: [{ b: [] }] }],
  [{ a: [{ b: ['c'] }] }],
  [{ a: [[1]] }],
  [{ a: [{ b: undefined }] }],
  [{ A: 'x' }],
  [{ n: 'x' }],
  [{}],
])('%j is declined', (head) => {
  expect(dumpPlain(Object.entries(head))).toBeUndefined();
});

const ascii = fc.string({ unit: fc.constantFrom(...`aZ9 :#-.,/'"\\?*&!|>%@\`{}[]=~`) });
const started = fc.tuple(
  fc.constantFrom('a', 'Z', 'n', 'true', 'null', '1', '0x', '0o7', '1.', '1e5', ' ', '#', '[', '`'),
  fc.oneof(ascii, fc.string({ unit: fc.constantFrom(...'aZ9 :#-.,/'), maxLength: 6 })),
);
const text = fc.oneof(
  ascii,
  { weight: 5, arbitrary: started.map(([start, rest]) => start + rest) },
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[0-9]{1,3}(?:ms|s|m|h|e1)$/),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.integer().map((n) => n / 1000),
  fc.boolean(),
  fc.constant(null),
  fc.stringMatching(/^[0-9a-f]{1,64}$/),
);
const key = fc.stringMatching(/^[a-z_]{1,8}$/);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.array(fc.dictionary(key, scalar, { minKeys: 1, maxKeys: 3, noNullPrototype: true }), {
    maxLength: 2,
  }),
);

test('the same bytes as the library for whatever it does not decline', () => {
  let dumped = 0;
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 2 }), (head) => {
      const plain = dumpPlain(Object.entries(head));
      if (plain === undefined || Object.keys(head).length === 0) return;
      dumped += 1;
      expect(plain).toBe(dumpWhole(head));
    }),
    { numRuns: 10_000 },
  );
  expect(dumped).toBeGreaterThan(fc.met(1000));
});
