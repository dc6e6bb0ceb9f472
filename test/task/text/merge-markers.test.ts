/** Which lines are marks of a merge that left both sides, and which only speak of them. */
import { expect, test } from 'vitest';
import { conflictProblems } from '../../../src/task/text/markdown/merge-markers.ts';

const lines = (ours: string, half: string, theirs: string): string =>
  `before\n${ours}\na\n${half}\nb\n${theirs}\nafter\n`;

test.each([
  ['<<<<<<< HEAD', '=======', '>>>>>>> topic', 'HEAD and topic'],
  ['<<<<<<< HEAD', '======= ', '>>>>>>> topic\t', 'HEAD and topic'],
  ['<<<<<<<', '=======', '>>>>>>>', 'no names'],
  [
    '<<<<<<< Updated upstream',
    '=======',
    '>>>>>>> 1a2b3c4 (fix: the thing.)',
    'Updated upstream and 1a2b3c4 (fix: the thing.)',
  ],
])('%s, %s, %s', (ours, half, theirs, found) => {
  expect(conflictProblems(lines(ours, half, theirs), 'a.md')).toMatchObject([{ line: 2, found }]);
});

test.each([
  ['<<<<<<< HEAD starts a conflict.', '=======', '>>>>>>> branch ends it.'],
  ['a heading', '=======', '> a quote'],
  [' <<<<<<< HEAD', ' =======', ' >>>>>>> topic'],
  ['<<<<<<< HEAD', '======== ', '>>>>>>> topic'],
  ['<<<<<<< HEAD', 'no half', '>>>>>>> topic'],
])('none: %s, %s, %s', (ours, half, theirs) => {
  expect(conflictProblems(lines(ours, half, theirs), 'a.md')).toEqual([]);
});
