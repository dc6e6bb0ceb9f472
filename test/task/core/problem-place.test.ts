/** The place before a problem's words: a file has a line, a folder has none. */
import { expect, test } from 'vitest';
import { formatProblem, problem } from '../../../src/task/core/model/problem.ts';

const shown = (file: string, line = 1) =>
  formatProblem(problem({ code: 'bad_value', file, line, message: 'no', fix: 'Mend it' }));

test.each([
  '.',
  '.contracts',
  '/tmp/v1.2/home',
  'active_tasks/draft/a copy',
  'active_tasks/draft/a.bak',
  'active_tasks/ready/z/attempts',
])('%s', (file) => expect(shown(file)).toBe(`${file}: error: no. Mend it`));

test.each([
  ['a.md', 1],
  ['active_tasks/draft/a.md', 1],
  ['.contracts/plans/draft/plan.md', 1],
  ['.contracts/config.yaml', 1],
  ['Makefile', 3],
])('%s at line %i', (file, line) =>
  expect(shown(file, line)).toBe(`${file}:${line}:1: error: no. Mend it`),
);
