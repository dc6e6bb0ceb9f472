/** The own dump of plain front matter writes what the yaml library writes, or declines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dumpWhole } from '../../src/text/dump.ts';
import { dumpPlain } from '../../src/text/plain-dump.ts';

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

test.each([
  [{ a: 'x\ny' }],
  [{ a: 'ä' }],
  [{ a: 'it’s' }],
  [{ a: "it's" }],
  [{ a: 'say "x"' }],
  [{ a: '-' }],
  [{ a: '' }],
  [{ a: 'true' }],
  [{ a: 'Null' }],
  [{ a: '0x1' }],
  [{ a: '1e5' }],
  [{ a: 1.5 }],
  [{ a: -0 }],
  [{ a: [] }],
  [{ a: { b: 1 } }],
  [{ a: null }],
  [{ A: 'x' }],
  [{ n: 'x' }],
])('%j is declined', (head) => {
  expect(dumpPlain(Object.entries(head))).toBeUndefined();
});

const ascii = fc.string({ unit: fc.constantFrom(...`aZ9 :#-.,/'"\\?*&!|>%@\`{}[]=~`) });
const started = fc.tuple(
  fc.constantFrom('a', 'Z', 'n', 'true', 'null'),
  fc.oneof(ascii, fc.string({ unit: fc.constantFrom(...'aZ9 :#-.,/'), maxLength: 6 })),
);
const text = fc.oneof(
  ascii,
  { weight: 5, arbitrary: started.map(([start, rest]) => start + rest) },
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[0-9]{1,3}(?:ms|s|m|h|e1)$/),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.array(text, { maxLength: 2 }),
);

test('the same bytes as the library for whatever it does not decline', () => {
  let dumped = 0;
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 2 }),
      (head) => {
        const plain = dumpPlain(Object.entries(head));
        if (plain === undefined || Object.keys(head).length === 0) return;
        dumped += 1;
        expect(plain).toBe(dumpWhole(head));
      },
    ),
    { numRuns: 10_000 },
  );
  expect(dumped).toBeGreaterThan(300);
});
