/** A story follows its task by the smallest edits, and every byte that somebody wrote stays. */
import { expect, test } from 'vitest';
import { STATES } from '../../../src/task/core/model/state.ts';
import { STORY_STATUSES, storyStatus } from '../../../src/plans/core/story.ts';
import { LIFECYCLE, type Lifecycle } from '../../../src/plans/cli/stories.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { packageData } from '../../../src/workspace/open/package-data.ts';
import { tableRows } from '../../../src/index.ts';
import { followedStory, type StoryNews } from '../../../src/plans/text/story-edit.ts';
import * as fc from '../../support/property.ts';

const NEWS: StoryNews = {
  status: 'REVIEW',
  met: ['asks for a name'],
  unmet: [],
  tasks: [],
  files: ['src/a.ts', 'src/a.ts.old'],
  changes: [{ start: 'Attempt 1', rest: ' by dev: complete' }],
  reviews: [],
};

const STORY = `# Story: Log in

- Status: READY
- Task: \`login\`

## Acceptance Criteria

- [ ] asks for a name
- [ ] asks for a name twice

## File List

- \`src/a.ts.old\` (ours)

## Change Log

- Attempt 12 by a person
`;

test('one word, one box and the lines that are missing', () => {
  const expected = STORY.replace('READY', 'REVIEW')
    .replace('[ ] asks for a name\n', '[x] asks for a name\n')
    .replace('(ours)\n', '(ours)\n- `src/a.ts`\n')
    .replace('by a person\n', 'by a person\n- Attempt 1 by dev: complete\n');
  expect(followedStory(STORY, NEWS)).toBe(expected);
  const crlf = STORY.replaceAll('\n', '\r\n');
  expect(followedStory(crlf, NEWS)).toBe(expected.replaceAll('\n', '\r\n'));
});

test('what the runner alone can tell is opened again; any other box that was ticked stays so', () => {
  const before = `${STORY}
## Tasks

- [ ] ask
- [x] ask Ada
- [ ] tell Ada

## Definition of Done

- [x] Approved by qa
- [X] Check passes: run: true
- [x] Ada likes it
- [ ] Notes
`;
  const news = { ...NEWS, files: [], changes: [], met: ['Notes'], tasks: ['ask'] };
  const after = followedStory(before, {
    ...news,
    unmet: ['Approved by qa', 'Check passes: run: true', 'Ada likes it not'],
  });
  expect(after.slice(after.indexOf('## Tasks'))).toBe(`## Tasks

- [x] ask
- [x] ask Ada
- [ ] tell Ada

## Definition of Done

- [ ] Approved by qa
- [ ] Check passes: run: true
- [x] Ada likes it
- [x] Notes
`);
});

test.each([
  ['# S\n\n- **Status**: ✅ done\n', '# S\n\n- **Status**: ✅ done\n'],
  ['# S\n\nStatus: ready for review, says Ada\n', '# S\n\nStatus: ready for review, says Ada\n'],
  ['# S\n\n| Status | READY |\n', '# S\n\n| Status | READY |\n'],
  ['# S\n\n```\n- Status: READY\n```\n', '# S\n\n```\n- Status: READY\n```\n'],
  ['# S\n\n**Status:** draft\n', '# S\n\n**Status:** REVIEW\n'],
  ['# S\n\nStatus:\n', '# S\n\nStatus: REVIEW\n'],
  ['', ''],
])('of %j nothing but a status that can be read is changed', (before, after) => {
  expect(followedStory(before, { ...NEWS, files: [], changes: [], met: [] })).toBe(after);
});

test('a section that ends the file without a line end, and one that is empty', () => {
  const news = { ...NEWS, met: [], changes: [] };
  expect(followedStory('## File List', news)).toBe(
    '## File List\n\n- `src/a.ts`\n- `src/a.ts.old`\n',
  );
  expect(followedStory('## File List\n## Next\n', news)).toBe(
    '## File List\n\n- `src/a.ts`\n- `src/a.ts.old`\n\n## Next\n',
  );
});

const line = fc.constantFrom(
  ...STORY.split('\n'),
  '```',
  '<!-- x',
  '-->',
  '> quoted',
  '- [ ] asks for a name',
  '## File List',
  '## QA Results',
  'Status: ',
  '\t- [x] nested',
  'words',
);

test('a second time it changes nothing, and no line of anybody is lost', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
      const text = lines.join('\n');
      const once = followedStory(text, NEWS);
      expect(followedStory(once, NEWS)).toBe(once);
      const plain = (all: string): string[] =>
        all
          .split('\n')
          .map((one) =>
            one
              .replace(/\[[ x]\]/, '[]')
              .replace(/(status:).*/i, '$1')
              .trim(),
          )
          .filter((one) => one !== '');
      let rest = plain(once);
      for (const one of plain(text)) {
        const at = rest.indexOf(one);
        expect(at, one).toBeGreaterThanOrEqual(0);
        rest = rest.slice(at + 1);
      }
    }),
  );
});

test('each row of the lifecycle is a move that the runner knows', () => {
  const moves = tableRows().flatMap(({ from, to }) =>
    from.flatMap((one) =>
      [false, true].map((begun) => `${storyStatus(one, begun)} ${storyStatus(to, begun)}`),
    ),
  );
  const known = new Set([...moves, 'BLOCKED IN_PROGRESS']);
  const { transitions } = packageData<Lifecycle>({ disk: realDisk }, LIFECYCLE);
  expect(transitions.filter(({ from, to }) => !known.has(`${from} ${to}`))).toEqual([]);
  expect(new Set(transitions.flatMap(({ from, to }) => [from, to]))).toEqual(
    new Set(STORY_STATUSES),
  );
  for (const row of transitions) {
    expect(Object.keys(row)).toEqual(['from', 'to', 'by', 'when']);
    expect(Object.values(row).every((text) => typeof text === 'string')).toBe(true);
  }
  expect(new Set(STATES.map((state) => storyStatus(state, true))).size).toBeGreaterThan(5);
});
