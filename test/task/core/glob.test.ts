import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { globMatcher } from '../../../src/task/core/base/glob.ts';
import * as fc from '../../support/property.ts';

describe('what a glob means', () => {
  test.each([
    ['*.md', 'a.md', true],
    ['*.md', '.md', true],
    ['*.md', 'x/a.md', false],
    ['**', 'a/b/c', true],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'a/b/c.md', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'srcs/a', false],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**/z', 'a/b/c/y', false],
    ['file?.txt', 'file1.txt', true],
    ['file?.txt', 'file/.txt', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a', '[a', true],
    ['a-b.{c}', 'a-b.{c}', true],
    ['a**b', 'axxb', true],
    ['*', '', true],
    ['😀?', '😀😀', true],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(globMatcher(glob)(path)).toBe(expected);
  });

  test('is what picomatch says, where picomatch answers in time', () => {
    const segment = fc.string({
      unit: fc.constantFrom('a', 'b', '.', '*', '?'),
      minLength: 1,
      maxLength: 4,
    });
    const glob = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 });
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    const options = { nobrace: true, noextglob: true, nonegate: true, dot: true };
    fc.assert(
      fc.property(glob, path, (wanted, parts) => {
        // Segments of dots are refused in contracts and are no names of files.
        fc.pre(![...wanted, ...parts].some((one) => /^\.+$/.test(one)));
        // picomatch wants something behind the dot of *.*; no path of ours ends in a dot.
        fc.pre(!parts.some((one) => one.endsWith('.')));
        // Where ** stands beside other marks, or at the end, picomatch is not of one mind itself:
        // a/** is also a, but */** is not.
        fc.pre(!wanted.some((one) => one !== '**' && one.includes('**')));
        fc.pre(wanted.at(-1) !== '**');
        const text = wanted.join('/');
        expect([text, parts.join('/'), globMatcher(text)(parts.join('/'))]).toEqual([
          text,
          parts.join('/'),
          picomatch(text, options)(parts.join('/')),
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  test('a pattern for which a regular expression needs hours', () => {
    const name = 'a'.repeat(4000);
    expect(globMatcher(`${'a*'.repeat(90)}b`)(name)).toBe(false);
    expect(globMatcher(`${'**/a*a*/'.repeat(20)}b`)(`${'aaaaaaaaa/'.repeat(400)}c`)).toBe(false);
  });
});
