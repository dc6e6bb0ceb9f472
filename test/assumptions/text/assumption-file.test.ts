/** Files of assumptions as runners and people write them. */
import { expect, test } from 'vitest';
import {
  parseAssumption,
  renderAssumption,
} from '../../../src/assumptions/text/assumption-file.ts';
import type { Assumption } from '../../../src/assumptions/core/assumption.ts';
import * as fc from '../../support/property.ts';

const FILE = '.contracts/assumptions/a.md';
const PLAIN = {
  kind: 'assumption',
  information: 'One',
  confidence: 0.5,
  plan: undefined,
  source: [],
  uses: [],
  returned: [],
  asked: false,
  done: 0,
  created: '',
};

test.each<[says: string, text: string, more: object]>([
  ['no front matter', 'One\n', {}],
  ['CRLF', '---\r\ninformation: One\r\nplan: shop\r\n---\r\n', { plan: 'shop' }],
  ['a kind that is none', '---\ninformation: One\nkind: guess\n---\n', {}],
  ['a decision', '---\ninformation: One\nkind: decision\n---\n', { kind: 'decision' }],
  ['a confidence that is none', '---\ninformation: One\nconfidence: 7\n---\n', {}],
  ['sure', '---\ninformation: One\nconfidence: 1\n---\n', { confidence: 1 }],
  ['values that are none', '---\ninformation: One\nplan: [a]\nsource: a\ndone: x\n---\n', {}],
  ['foreign keys', '---\ninformation: One\ncolour: red\n---\nMore\n', {}],
])('%s', (_, text, more) => {
  const read = parseAssumption(text, FILE);
  expect(read.ok && read.value).toEqual({ ...PLAIN, ...more });
});

test.each(['', ' \n', '---\nkind: decision\n---\n', '---\ninformation: One', '---\n: : :\n---\n'])(
  'refused with the file and a cure: %j',
  (text) => {
    const read = parseAssumption(text, FILE);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.problems[0]).toMatchObject({ file: FILE, fix: expect.any(String) });
  },
);

test('it is read as it was written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('---', '<!--', '# x', '"', ': ', '\u202e', '\u0000'),
  );
  const sentence = text.map((one) => `Use ${one}`.replace(/\s+/g, ' ').trim());
  const one = fc.record<Assumption>({
    kind: fc.constantFrom('assumption', 'decision'),
    information: sentence,
    confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    plan: fc.option(sentence, { nil: undefined }),
    source: fc.array(sentence, { maxLength: 3 }),
    uses: fc.array(sentence, { maxLength: 3 }),
    returned: fc.array(sentence, { maxLength: 3 }),
    asked: fc.boolean(),
    done: fc.nat(1000),
    created: fc.constant('2026-11-01T00:00:00.000Z'),
  });
  fc.assert(
    fc.property(one, (wanted) => {
      const read = parseAssumption(renderAssumption(wanted), FILE);
      const confidence = wanted.kind === 'decision' ? 0.5 : wanted.confidence;
      expect(read.ok && read.value).toEqual({ ...wanted, confidence });
    }),
  );
});
