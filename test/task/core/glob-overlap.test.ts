/**
 * Globs that meet, against the matcher and an enumeration of paths: where they are said to meet some
 * path fits both, where not none does.
 */
import { expect, test } from 'vitest';
import { globMatcher } from '../../../src/task/core/base/glob.ts';
import { globsMeet, Writers } from '../../../src/task/core/base/glob-overlap.ts';
import * as fc from '../../support/property.ts';

const LETTERS = ['a', 'b', 'c'];
/** All names of up to three letters, and all paths of up to three of the short ones. */
const NAMES = LETTERS.flatMap((x) => [
  x,
  ...LETTERS.flatMap((y) => [x + y, ...LETTERS.map((z) => x + y + z)]),
]);
const SHORT = NAMES.filter((name) => name.length <= 2);
const PATHS = [
  ...NAMES,
  ...SHORT.flatMap((x) => SHORT.map((y) => `${x}/${y}`)),
  ...LETTERS.flatMap((x) => SHORT.flatMap((y) => LETTERS.map((z) => `${x}/${y}/${z}`))),
];

const piece = fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[!a]', '[a-b]');
const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(piece, { minLength: 1, maxLength: 2 }).map((all) => all.join('')),
  },
  { weight: 1, arbitrary: fc.constant('**') },
);
const glob = fc.array(segment, { minLength: 1, maxLength: 2 }).map((all) => all.join('/'));

test('two globs meet where some path fits both, and nowhere else', () => {
  fc.assert(
    fc.property(glob, glob, (a, b) => {
      const [fitsA, fitsB] = [globMatcher(a), globMatcher(b)];
      const some = PATHS.some((path) => fitsA(path) && fitsB(path));
      // Of two segments with two parts each, a path that fits both is never longer than these.
      expect(globsMeet(a, b), `${a} ${b}`).toBe(some);
      expect(globsMeet(b, a)).toBe(some);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['src/**', 'src/a.ts', true],
  ['src/**', 'test/a.ts', false],
  ['**/*.ts', 'src/**', true],
  ['src/*.ts', 'src/*.js', false],
  ['src/*/a', 'src/b/*', true],
  ['a*b', 'ac', false],
  ['[a-f]x', '[e-z]x', true],
  ['[a-c]x', '[d-z]x', false],
  ['[!a]', '[!b]', true],
  ['src', 'src/**', true],
])('%s and %s', (a, b, meets) => {
  expect(globsMeet(a, b)).toBe(meets);
});

test('hundreds of stars are told at once', () => {
  const many = '*a'.repeat(100);
  // Each way of its own would take longer than anybody waits.
  expect(globsMeet(`${many}b`, `${many}c`)).toBe(false);
});

test('writers know who else writes the same, plain or by a pattern, never themselves', () => {
  const writers = new Writers();
  writers.add('one', ['src/a.ts'], true);
  writers.add('two', ['docs/**'], false);
  const any = (): boolean => true;
  expect(writers.rivalOf('one', ['src/a.ts'], any)).toBeUndefined();
  expect(writers.rivalOf('three', ['src/**'], any)).toEqual({
    id: 'one',
    path: 'src/a.ts',
    shared: true,
  });
  expect(writers.rivalOf('three', ['docs/x.md'], any)).toEqual({
    id: 'two',
    path: 'docs/x.md',
    shared: false,
  });
  expect(writers.rivalOf('three', ['docs/x.md'], ({ shared }) => shared)).toBeUndefined();
  expect(writers.rivalOf('three', ['README.md'], any)).toBeUndefined();
});
