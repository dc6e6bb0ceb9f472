/** What the end of a failed program's output says: a table of the words of real programs. */
import { describe, expect, test } from 'vitest';
import { causeIn, readOnlyPath } from '../../../src/engine/core/judge/failure-cause.ts';

describe('causeIn', () => {
  test.each([
    ['', ''],
    ['== step 1 of 2\n', ''],
    ['working\nbye\n', 'bye'],
    ['sh: 1: foo: not found\nbye', 'sh: 1: foo: not found'],
    ['Error: no such table\n    at run (x.js:1:1)\nNode.js v20.20.2', 'Error: no such table'],
    [
      'x.js:1\nfoo()\n^\n\nReferenceError: foo is not defined\n    at x.js:1:1\n\nNode.js v20.20.2',
      'ReferenceError: foo is not defined',
    ],
    ['throw "no pen"\n\n(Use --trace-uncaught)\n\nNode.js v20.20.2', '(Use --trace-uncaught)'],
    ['Traceback:\n  File "a.py", line 1\nKeyError: 1\n', 'KeyError: 1'],
    [`error ${'x'.repeat(300)}`, `error ${'x'.repeat(193)}…`],
  ])('%j', (printed, cause) => expect(causeIn(printed)).toBe(cause));
});

describe('readOnlyPath', () => {
  test.each([
    ['sh: 1: cannot create menu.md: Read-only file system', 'menu.md'],
    ['bash: line 1: out/menu.md: Read-only file system', 'out/menu.md'],
    ["touch: cannot touch 'menu.md': Read-only file system", 'menu.md'],
    ['mkdir: cannot create directory ‘out’: Read-only file system', 'out/**'],
    ['mkdir: cannot create directory ‘my out (é)’: Read-only file system', 'my out (é)/**'],
    ['sh: 1: cannot create my menu.md: Read-only file system', 'my menu.md'],
    ['bash: line 1: out/my menu.md: Read-only file system', 'out/my menu.md'],
    ["touch: cannot touch 'my menu.md': Read-only file system", 'my menu.md'],
    ['cp: menu.md: Read-only file system', 'menu.md'],
    ["OSError: [Errno 30] Read-only file system: 'menu.md'", 'menu.md'],
    ["Error: EROFS: read-only file system, open 'a/menu.md'", 'a/menu.md'],
    ['menu.md: Permission denied', undefined],
  ])('%s', (printed, path) => expect(readOnlyPath(printed)).toBe(path));
});
