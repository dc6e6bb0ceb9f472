/**
 * The reader for plain settings against the full one: wherever it answers, both say the same, in the
 * same order, of the same types and at the same places; wherever YAML could mean something else, it declines.
 */
import { expect, test } from 'vitest';
import type { Place } from '../../../src/task/text/markdown/encoding.ts';
import { readPlainYaml } from '../../../src/task/text/yaml/plain-yaml.ts';
import { parseYamlHead } from '../../../src/task/text/yaml/yaml-head.ts';
import * as fc from '../../support/property.ts';

/** What JSON would not tell apart, and that no object has a prototype. */
function typesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typesOf);
  if (typeof value !== 'object' || value === null)
    return Object.is(value, -0) ? '-0' : `${typeof value} ${String(value)}`;
  expect(Object.getPrototypeOf(value)).toBe(null);
  return Object.entries(value).map(([key, inner]) => [key, typesOf(inner)]);
}

function agree(source: string): boolean {
  const places = new Map<string, Place>();
  const plain = readPlainYaml(source, places);
  if (plain === undefined) return false;
  const full = parseYamlHead(source);
  expect(typesOf(plain)).toEqual(typesOf(full.head));
  expect([...places]).toEqual([...full.places]);
  return true;
}

test.each([
  'adapters:\n  mine: { type: command, run: [node, my-agent.mjs, "{{brief_file}}"], env: [MY_KEY] }\nagents:\n  builder: { adapter: mine }\n',
  'parallel: 4 # at once\n\n# who\nagents:\n  builder:\n    adapter: claude\n    model: opus\n  reviewer:\n    instructions: "You review. Be strict."\nrerun: ask\n',
  'on_state: [notify-send, "{{id}}", \'{{state}}\']\n',
  'run:\n  - claude\n  - -p\n  - --model\nenv:\n- A\n- B\nlast:\n',
  'a: { b: [], c: {}, d: [[x y, 1.5], null] }\n',
  'a:\n  - b: 1\n    c:\n    - d\n  -  e: { f: [g] } # h\n  - i\n',
  'timeout: 10m\nfast: true\nslow: False x',
])('%j is read without the library', (source) => {
  expect(agree(source)).toBe(true);
});

test.each([
  '',
  '# nothing\n',
  'a: 1\na: 2\n',
  'a: {b: 1}\n b: 2\n',
  'a: one\n  more\n',
  'a: |\n  x\n',
  'a: &x 1\nb: *x\n',
  'a: !!str 1\n',
  'a:\tb\n',
  'a: [b, ]\n',
  'a: [b c: d]\n',
  'a: [b\n  , c]\n',
  'a: {b: c, b: d}\n',
  'a: "x\\ty"\n',
  'a: "x" y\n',
  'a: {b: [1}\n',
  'a: 0x1f\n',
  '- a\n',
  ' a: 1\n',
  'a: 1\n---\nb: 2\n',
  '__proto__: 1\n',
  'constructor: 1\n',
  'true: 1\n',
  'a:\n    b: 1\n  c: 2\n',
  'a: {b: http://x}\n',
  '<<: { a: 1 }\n',
])('%j is left to the library', (source) => {
  expect(readPlainYaml(source)).toBeUndefined();
});

const WORDS =
  'a|b-c|x y|1|1.5|true|null|Null|10m|"{{x}}"|\'# ,\'|-p|--x|-1|.5|0x1|1e3||~|a#b|a # b|#c|a: b|a:b|[]|{}|- a|*x';
const word = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a', 'b-c', 'x y', '10m', '-p', '1.5') },
  fc.constantFrom(...WORDS.split('|')),
);
const flow = fc.letrec<{ value: string; list: string; map: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, word, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
  map: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c-d', 'null', '"q"', ''), tie('value')), {
      maxLength: 3,
    })
    .map((all) => `{ ${all.map(([key, value]) => `${key}: ${value}`).join(', ')} }`),
})).value;
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '  ', '  ', '    ', ' '),
    fc.constantFrom(
      'a: ',
      'b: ',
      'c-d: ',
      'e:',
      'a:',
      '- ',
      '- a: ',
      '- b:',
      '-',
      '# ',
      'null: ',
      '? ',
      '"q": ',
    ),
    fc.oneof({ weight: 2, arbitrary: fc.constant('') }, flow),
    fc.constantFrom(...Array<string>(9).fill(''), ' ', ' # x', ' # ü', ' # \u0001', '#', '\t', ','),
  )
  .map((parts) => parts.join(''));

test('the same data as the library for whatever it does not decline', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      if (agree(`${lines.join('\n')}\n`)) read += 1;
    }),
    { numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(fc.met(200));
});
