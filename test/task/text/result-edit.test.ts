/** Criteria that the runner has proved, ticked in an agent's result.md: one box or one line, no more. */
import { expect, test } from 'vitest';
import { tickProved } from '../../../src/task/text/documents/result-edit.ts';

const A = { text: '`a.txt` is there', evidence: 'seen' };

test.each([
  [
    'an open box',
    '- Status: COMPLETE\r\n\r\n## Success Criteria\r\n\r\n- [ ] `a.txt` is there — I think\r\n- [x] b\r\n',
    '- Status: COMPLETE\r\n\r\n## Success Criteria\r\n\r\n- [x] `a.txt` is there — I think\r\n- [x] b\r\n',
  ],
  [
    'no such line',
    '## Success Criteria\n\n- [x] b\n\n## Notes\n\nn\n',
    '## Success Criteria\n\n- [x] b\n- [x] `a.txt` is there — seen\n\n## Notes\n\nn\n',
  ],
  [
    'a last line without an end',
    '## Success Criteria\n\n- [x] b',
    '## Success Criteria\n\n- [x] b\n- [x] `a.txt` is there — seen\n',
  ],
  [
    'no section',
    'Status: COMPLETE\n',
    'Status: COMPLETE\n\n## Success Criteria\n\n- [x] `a.txt` is there — seen\n',
  ],
  [
    'an empty section',
    '## Success Criteria\n\n## Notes\n',
    '## Success Criteria\n- [x] `a.txt` is there — seen\n\n## Notes\n',
  ],
  ['ticked already', '## Success Criteria\n\n- [X] `a.txt` is there\n', undefined],
  ['a section of prose, left alone', '## Success Criteria\n\nAll of them.\n', undefined],
  ['an open fence, in which nothing would be read', '```\n', undefined],
] as const)('%s', (_name, before, after) => {
  expect(tickProved(before, [A])).toBe(after);
});
