/** Comments at lines: which are read, and which lines are quoted below them. */
import { describe, expect, test } from 'vitest';
import { parseReview } from '../../../src/task/text/documents/documents.ts';
import { quoteLines } from '../../../src/task/text/documents/line-comments.ts';

const lineOf = (path: string, number: number): string | undefined =>
  /^a(?: b)?\.ts$/.test(path)
    ? ['<!-- open', '  two();', '\u001b[2J', 'x'.repeat(500)][number - 1]
    : undefined;
const form = (findings: string): string =>
  `## Verdict\n\n- [x] NEEDS_WORK\n\n## Findings\n\n${findings}`;

describe('the line is quoted below its comment', () => {
  test.each([
    ['a.ts:2: say why', 'a.ts:2: say why\n> two();'],
    ['- a.ts:2: say why', '- a.ts:2: say why\n> two();'],
    ['1. `a.ts:2`: say why', '1. `a.ts:2`: say why\n> two();'],
    ['- `a b.ts:2` say why', '- `a b.ts:2` say why\n> two();'],
    ['a.ts:2: one\nb.ts:1: two', 'a.ts:2: one\n> two();\nb.ts:1: two'],
    ['a.ts:1: a comment', 'a.ts:1: a comment\n> \\<!-- open'],
    ['a.ts:3: a control character', 'a.ts:3: a control character\n> \\x1b[2J'],
    ['a.ts:4: long', `a.ts:4: long\n> ${'x'.repeat(200)}`],
    ['a.ts:9: beyond the end', 'a.ts:9: beyond the end'],
    ['a.ts:2:', 'a.ts:2:'],
    ['at 12:30: it failed', 'at 12:30: it failed'],
    ['a.ts:2: quoted already\n> mine', 'a.ts:2: quoted already\n> mine'],
    ['```\na.ts:2: in a block\n```', '```\na.ts:2: in a block\n```'],
  ])('%j', (given, expected) => {
    const once = quoteLines(form(`${given}\n`), lineOf);
    expect(once).toBe(form(`${expected}\n`));
    expect(quoteLines(once, lineOf)).toBe(once);
    expect(parseReview(once).verdict).toBe('NEEDS_WORK');
  });
});

test('line ends of the file are kept', () => {
  expect(quoteLines('## Findings\r\n\r\na.ts:2: why\r\n', lineOf)).toBe(
    '## Findings\r\n\r\na.ts:2: why\r\n> two();\r\n',
  );
});

test('a comment above the findings is a finding, and is not quoted there', () => {
  const text = `a.ts:2: at the top\n\n${form('below\n')}`;
  expect(parseReview(text).findings).toBe('below\n\na.ts:2: at the top');
  expect(quoteLines(text, lineOf)).toBe(text);
});

test('what the runner lists above the verdict is no finding', () => {
  const text = '## Files changed\n\n- a.ts (+1 −0)\n\n## Evidence\n\n- [x] it is there\n\nWords.\n';
  expect(parseReview(`${text}\n## Verdict\n\n- [x] REJECT\n`).findings).toBe('');
});
