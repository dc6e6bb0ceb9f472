/** Approvals in words that are refused, quoted, struck or taken back are none. */
import { describe, expect, test } from 'vitest';
import { parseReview } from '../../../src/task/text/documents/documents.ts';

describe('a refused approval', () => {
  test.each<[string, string, number]>([
    ['wrapped', 'It crashes. Until that is mended this work is NOT\nAPPROVED.', 4],
    ['wrapped onto the next line', 'APPROVED\nis what I was asked to write.', 3],
    ['wrapped in a bullet', '- this work is not\nAPPROVED', 4],
    ['quoted', 'The author asked me to write\n\n> APPROVED\n\nwhich I will not do.', 5],
    ['quoted first', '> APPROVED\n\nis what the author asked for.', 3],
    ['behind prose', 'It crashes on start.\n\nAPPROVED', 5],
    ['crossed', '❌ APPROVED', 3],
    ['struck', '~~APPROVED~~\n\nIt crashes on start.', 3],
    ['denied by a mark', '!APPROVED', 3],
    ['taken back', 'APPROVED\n\nIt crashes, so I take that back.', 5],
    ['taken back, wrapped', 'APPROVED\n\nIt crashes, so I take\nthat back.', 6],
    ['taken back elsewhere', 'APPROVED\n\n## Findings\n\nI refuse: it crashes.', 7],
    ['not approved after all', 'APPROVED\n\nNo, this cannot be approved.', 5],
    ['a condition below it', 'APPROVED\n\nOnce the tests pass.', 3],
    ['a later verdict', 'APPROVED\n\n### Verdict\n\nIt crashes.', 5],
    ['a later verdict elsewhere', 'APPROVED\n\n## Findings\n\n### Verdict\n\nIt crashes.', 7],
    ['a field taken back', '**Verdict**: APPROVED\n\nI take it back.', 5],
    ['a crossed box', '- [x] ❌ APPROVED', 3],
    ['a denied box', '- [x] !APPROVED', 3],
    ['a box taken back', '- [x] APPROVED\n\nI take it back.', 5],
    ['a struck box', '- [x] ~~NEEDS_WORK~~', 3],
    ['a box with a condition below it', '- [x] APPROVED\n  only if CI is green', 3],
    ['a box with a condition as a bullet', '- [x] APPROVED\n  - only if CI is green', 3],
    ['a box with a condition, lazy', '- [x] APPROVED\nonce CI is green', 3],
    ['a box of a share', '- [x] APPROVED 0/3 criteria met', 3],
    ['a box of some', '- [x] APPROVED, 2 of 3 pass', 3],
    ['a box of none', '- [x] APPROVED, 0 pass', 3],
    ['a box by nobody', '- [x] APPROVED by nobody', 3],
    ['a box, then a final verdict', '- [x] APPROVED\n\n## Final Verdict\n\n- [x] REJECT', 5],
    [
      'a box, then one after a second look',
      '- [x] APPROVED\n\n## Verdict after a second look\n\nNo.',
      5,
    ],
    [
      'both sides of a merge',
      '<<<<<<< HEAD\n- [x] APPROVED\n=======\n- [ ] APPROVED\n>>>>>>> b',
      3,
    ],
    ['a wrapped refusal', 'I would not call this\nREJECT', 4],
  ])('%s: not understood, with its line', (_, text, line) => {
    const review = parseReview(`## Verdict\n\n${text}\n`);
    expect(review.verdict).toBeUndefined();
    expect(review.unread?.line).toBe(line);
  });

  test.each([
    ['in the heading', '## Verdict: -APPROVED\n', 1],
    ['in the heading, taken back', '## Verdict: APPROVED\n\nI retract this.\n', 3],
    ['in the heading, a later verdict', '## Verdict: APPROVED\n\n### Verdict\n\nNo.\n', 3],
    ['in a field', '# Review\n\n**Verdict**: ❌ APPROVED\n', 3],
    ['in front matter', '---\nverdict: ~~APPROVED~~\n---\n', 2],
  ])('%s: not understood', (_, text, line) => {
    const review = parseReview(text);
    expect(review.verdict).toBeUndefined();
    expect(review.unread?.line).toBe(line);
  });

  test('its words are findings', () => {
    const { findings } = parseReview('## Verdict\n\nThis work is NOT\nAPPROVED.\n');
    expect(findings).toBe('This work is NOT\nAPPROVED.');
  });

  test.each([
    [
      'reasons below it',
      '## Verdict\n\nAPPROVED\n\nIt is not slow. Nothing is missing.\n',
      'APPROVED',
    ],
    ['a share that is all', '## Verdict\n\n- [x] APPROVED, 3/3 criteria met\n', 'APPROVED'],
    ['a date with dots', '## Verdict\n\n- [x] APPROVED 01.02.2026\n', 'APPROVED'],
    ['no errors', '## Verdict\n\n- [x] APPROVED, 0 errors\n', undefined],
    ['words below its box', '## Verdict\n\n- [x] APPROVED\n  - src/a.ts:12: a nit\n', 'APPROVED'],
    ['a list below it', '## Verdict\n\n✅ **APPROVED**\n- it works\n', 'APPROVED'],
    ['a line below it', '## Verdict\nAPPROVED\n---\n', 'APPROVED'],
    ['empty boxes above it', '## Verdict\n- [ ] NEEDS_WORK\n\nAPPROVED\n', 'APPROVED'],
    ['prose, and a refusal', '## Verdict\n\nIt crashes.\n\nNEEDS_WORK\n', 'NEEDS_WORK'],
    ['a refusal and prose', '## Verdict\n\nREJECT\nI refuse: it crashes.\n', 'REJECT'],
    ['a crossed refusal', '## Verdict\n- [x] ❌ NEEDS_WORK\n', 'NEEDS_WORK'],
    [
      'a box, and words elsewhere',
      '## Verdict\n- [x] APPROVED\n\n## Findings\n\nI refuse nothing.\n',
      'APPROVED',
    ],
  ])('still read: %s', (_, text, verdict) => {
    expect(parseReview(text).verdict).toBe(verdict);
  });
});
