/** Task lists in the forms that other tools write, as plans: what becomes an item, with which words and dependencies. */
import { describe, expect, it, test } from 'vitest';
import type { PlanDocument } from '../../../src/plans/core/plan-document.ts';
import { markBoxes } from '../../../src/plans/text/boxes.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';

function planOf(text: string): PlanDocument {
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

const item = (text: string) => planOf(text).items[0]!;
const warned = (text: string) => planOf(text).warnings.map(({ message }) => message);

const SPEC_KIT = `# Tasks: Photo albums

## Phase 1: Setup (Shared Infrastructure)

- [ ] T001 Create the project structure
- [ ] T002 [P] Configure the linter

## Phase 2: User Story 1 - Albums (Priority: P1)

- [ ] T012 [P] [US1] Album model in src/models/album.py
- [ ] T013 [P] [US1] Photo model in src/models/photo.py
- [ ] T014 [US1] Album service in src/services/album.py (depends on T012, T013)
- [ ] T015 [US1] Album page (blocked by T012-T014)

## Notes

- [P] tasks = different files, no dependencies
- [Story] label maps a task to its story
`;

const OPENSPEC = `## 1. Command output

- [x] 1.1 Add direct fields for created paths, such as \`created_paths\`, where JSON output
      still forces callers to look into messages.
- [ ] 1.2 Keep the text output as it is, so that
scripts that read it go on
- [ ] 1.3 Write tests (after 1.1 and 1.2)
`;

const SERIAL = `# Plan: Refactor

- [ ] 1. Extract the parser

  **What to do**:
  - Move the functions
  1. Read the old module
  2. **VERIFY**: Check worker output, run tests
     - **Verify**: look at it
       1. **Executor**: whoever is free

  **Skills**: \`[]\`
  **Blocked By**: None
  **Context**: The old parser grew over years.
  **Write**: src/parser/**
  **Gate**: @qa
  **Agent**: @dev
  **Check**: \`run: npm test\`
`;

const PHASES = `# Plan: p

For everybody.

## Phase 1: Setup

For everybody, too.

- [ ] T001 Make a

## Phase 2: Core

**CRITICAL**: nothing begins until phase 1 is done
Executor: @dev

- Use \`tools/make\`

\`\`\`ts
const a = 1;
\`\`\`

### Story 1

Only for story 1.

- [ ] T002 Make b

  Below b.

### Story 2

- [ ] T003 Make c
`;

describe('text below a heading', () => {
  const core = `Phase 2: Core:

**CRITICAL**: nothing begins until phase 1 is done

- Use \`tools/make\`

\`\`\`ts
const a = 1;
\`\`\``;

  it('goes to the items of its section, and before the first box to all', () => {
    const { items, objective, warnings } = planOf(PHASES);
    expect(objective).toContain('For everybody, too.');
    expect(
      items.map(({ executors, text, section_text }) => [executors, text, section_text]),
    ).toEqual([
      [[], '', undefined],
      [['dev'], 'Below b.', `${core}\n\nStory 1:\n\nOnly for story 1.`],
      [['dev'], '', core],
    ]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ['## Notes\n\n- One\n- Two\n\nThree\n', [[5, 'without boxes', '- One']]],
    ['## Order\n### A\n\nOne\n\n### B\n\nTwo\n', [[6, 'without boxes', 'One']]],
    [
      '## A\n\nOne\n\n## B\n\n> Two\n',
      [
        [5, 'without boxes', 'One'],
        [9, 'without boxes', '> Two'],
      ],
    ],
    ['One\n\nTwo\n', [[3, 'after a box', 'One']]],
    ['---\n\n```\ncode\n```\n', [[6, 'after a box', 'code']]],
    ['## A\n\n- [ ] b\n\nOne\n- [ ] c\n\nTwo\n', [[7, 'after a box', 'One']]],
    ['## A\n**Wave 2**\n\nOne\n- [ ] b\n**Wave 3**\nTwo\n- [ ] c\n', [[9, 'after a box', 'Two']]],
    ['---\n\n<!-- a -->\n<br>\n\n## A\n', []],
    ['## Definition of Done\n\nAll of it:\n\n- [ ] it works\n', []],
    ['## A\n\n**Acceptance Criteria**:\n- [ ] it works\n', []],
    ['Squad: dev\n', []],
  ])('behind the first box, %j is named where it is in no contract', (below, told) => {
    const { warnings } = planOf(`- [ ] a\n\n${below}`);
    expect(
      warnings.map(({ line, message, found }) => [line, message, JSON.parse(found ?? '')]),
    ).toEqual(told.map(([line, why, found]) => [line, expect.stringContaining(`${why}`), found]));
  });
});

describe('task lists of other tools', () => {
  it('with phases, tags and dependencies in brackets', () => {
    const { items, warnings } = planOf(SPEC_KIT);
    expect(items.map(({ label, title, depends }) => [label, title, depends])).toEqual([
      ['T001', 'Create the project structure', []],
      ['T002', 'Configure the linter', []],
      ['T012', 'Album model in src/models/album.py', []],
      ['T013', 'Photo model in src/models/photo.py', []],
      ['T014', 'Album service in src/services/album.py', ['T012', 'T013']],
      ['T015', 'Album page', ['T012', 'T013', 'T014']],
    ]);
    expect(items[4]!.headings).toEqual(['Phase 2: User Story 1 - Albums (Priority: P1)']);
    // Its notes have no boxes, and no item gets them.
    expect(warnings.map(({ line }) => line)).toEqual([17]);
  });

  it('with wrapped lines, of which each belongs to its item', () => {
    expect(
      planOf(OPENSPEC).items.map(({ title, text, depends }) => [title, text, depends]),
    ).toEqual([
      [
        'Add direct fields for created paths, such as created_paths, where JSON output still forces callers to look into messages.',
        '',
        [],
      ],
      ['Keep the text output as it is, so that scripts that read it go on', '', []],
      ['Write tests', '', ['1.1', '1.2']],
    ]);
  });

  it('with labels below each, of which steps have their own', () => {
    const one = item(SERIAL);
    expect(one).toMatchObject({
      title: 'Extract the parser',
      executors: ['dev'],
      reviewers: ['qa'],
      verify: ['run: npm test'],
      skills: [],
      depends: [],
      context_from: [],
      write: ['src/parser/**'],
      context_files: [],
    });
    expect(one.text).toContain('2. **VERIFY**: Check worker output, run tests');
    expect(one.text).toContain('**Context**: The old parser grew over years.');
    expect(warned(SERIAL)).toEqual([]);
  });

  test.each([SPEC_KIT, OPENSPEC, SERIAL])('are ticked by one character a box', (text) => {
    for (const { box } of planOf(text).items) {
      const ticked = markBoxes(text, [{ box, now: 'working' }]);
      expect(ticked).toBe(`${text.slice(0, box.offset)}~${text.slice(box.offset + 1)}`);
    }
  });
});

test.each([
  ['(depends on T012, T013)', ['T012', 'T013']],
  ['(Depends on 1 and 2)', ['1', '2']],
  ['(depends on Research the market)', ['Research the market']],
  ['(after `research-the-market`, Setup)', ['research-the-market', 'Setup']],
  ['(blocked by wave 1)', ['wave 1']],
  ['(after all previous)', ['all previous']],
  ['(after T001, verify: tests)', ['T001']],
  ['(depends: all)', ['all']],
])('%s is a dependency', (brackets, depends) => {
  const text = `- [ ] Write ${brackets}\n- [ ] **Research the market** (executor: @a)\n`;
  const one = item(text);
  expect([one.title, one.depends]).toEqual(['Write', depends]);
  expect(warned(text)).toEqual([]);
});

test.each([
  ['(depends\n  on T012)', ['T012']],
  ['(depends on\nT013)', ['T013']],
  ['(depends on `T012`)', ['T012']],
  ['(depends on `T012`, `T013`)', ['T012', 'T013']],
  ['(depends on T012 through T013)', ['T012', 'T013']],
  ['(depends on T012 to T013)', ['T012', 'T013']],
  ['(depends on T012 / T013)', ['T012', 'T013']],
  ['(depends on T012/T013)', ['T012', 'T013']],
  ['(depends on T012 + T013)', ['T012', 'T013']],
  ['(depends on everything above)', ['everything above']],
  ['(blocked on T012)', ['T012']],
  ['(dependent on T012, T013)', ['T012', 'T013']],
  ['(requires T012)', ['T012']],
  ['(requires: T012)', ['T012']],
  ['(Prerequisites: T012, T013)', ['T012', 'T013']],
  ['(files: x.txt; depends on T012)', ['T012']],
  ['(write: src/**, blocked on T012)', ['T012']],
  ['\n  **Prerequisites**: T012', ['T012']],
  ['\n  - **Requires**: T012, T013', ['T012', 'T013']],
  ['\n  * **Depends on** T012', ['T012']],
  ['\n  - Depends on T012 and T013.', ['T012', 'T013']],
  ['\n  Blocked by T012', ['T012']],
])('%j is a dependency, too', (words, depends) => {
  const text = `- [ ] Write ${words}\n- [ ] T012 One\n- [ ] T013 Two\n`;
  const one = item(text);
  expect([one.title, one.depends, warned(text)]).toEqual(['Write', depends, []]);
  expect(one.deliverables).toEqual(words.includes('x.txt') ? ['x.txt'] : []);
});

test.each([
  '(depends on T012 being merged)',
  '(depends on the weather)',
  '(blocked on the vendor)',
  '(after T012 is merged)',
  '(waits for T012)',
  '(once T012 is done)',
  '(dep: T012)',
  '[depends on T012]',
  '{blocked by T012}',
  '- depends on T012, T013',
  '— blocked on T012',
  '(executor: @a, requires T012)',
  '- depends on T012\n  and on T013',
])('%j gives a warning with its line', (words) => {
  const text = `# P\n\n- [ ] Write ${words}\n- [ ] T012 One\n- [ ] T013 Two\n`;
  const { items, warnings } = planOf(text);
  expect([items[0]!.depends, warnings.map(({ line }) => line)]).toEqual([[], [3]]);
  expect(warnings[0]!.message).toMatch(/does not count as a dependency/);
  expect(items[0]!.executors).toEqual(words.includes('@a') ? ['a'] : []);
});

test.each([
  '**Prerequisites**: the new login',
  '* **Depends on** One',
  '- depends on the new login',
  '- Requires T012 to be merged',
])('%j below an item gives a warning with its line', (line) => {
  const { items, warnings } = planOf(`- [ ] Write\n  ${line}\n- [ ] T012 One\n`);
  expect([items[0]!.depends, warnings.map((one) => one.line)]).toEqual([[], [2]]);
  expect(items[0]!.text).not.toBe('');
});

test('a wait that is not read becomes no file', () => {
  const text = '- [ ] Write (files: x.txt; depends on the weather)\n';
  expect([item(text).deliverables, warned(text).length]).toEqual([['x.txt'], 1]);
});

test.each([
  '(requires Node 20)',
  '(after the launch)',
  '(once a day)',
  '(needs a lock)',
  '(dependencies included)',
  '[depends on](x.md)',
  '`(depends on the weather)`',
  '- after that, rest',
])('%j is words without a warning', (words) => {
  expect(warned(`- [ ] Write ${words}\n`)).toEqual([]);
});

test.each([
  '(after the launch)',
  '(depends on the weather)',
  '(after 5 minutes)',
  '[depends on](x.md)',
])('%s is not', (words) => {
  expect(item(`- [ ] Write ${words}\n`).depends).toEqual([]);
});

test.each(['[]', '`[]`', '[ ]', '`[ ]`', 'none', '-', 'n/a', 'N/A.'])('%s is nothing', (value) => {
  const keys = ['Skills', 'Depends on', 'Files', 'Executor', 'Verify', 'Quality Gate', 'Write'];
  for (const key of [...keys, 'Context files']) {
    const one = item(`- [ ] a\n  - **${key}**: ${value}\n`);
    const { skills, depends, deliverables, executors, verify, reviewers, context_files } = one;
    const lists = { skills, depends, deliverables, executors, verify, reviewers, context_files };
    expect([key, Object.values(lists).flat(), one.write ?? []]).toEqual([key, [], []]);
  }
});

test.each([
  ['- [ ] **Write**\n  It is long.', 'Write', 'It is long.'],
  ['- [ ] Write it.\n  It is long.', 'Write it.', 'It is long.'],
  ['- [ ] Write (executor: @a)\n  it all', 'Write', 'it all'],
  ['- [ ] Write a\n  long\ntext', 'Write a long text', ''],
  ['- [ ] Write a long\n\n  text', 'Write a long', 'text'],
  ['- [ ] Write a\n  long text. It has\n  words', 'Write a long text. It has words', ''],
])('the title of %j', (text, title, below) => {
  expect(item(text)).toMatchObject({ title, text: below });
});

test.each([
  ['P', ['text after a box and not indented is in no contract']],
  ['o', ['a letter in brackets does not count as a box']],
  ['ж', ['a letter in brackets does not count as a box']],
])('[%s] is no box', (letter, told) => {
  const text = `- [ ] a\n- [${letter}] b\n`;
  expect(planOf(text).boxes).toHaveLength(1);
  expect(warned(text)).toEqual(told);
});

test.each(['/', '>', '!', '?'])('[%s] is an open box', (mark) => {
  expect(item(`- [${mark}] a\n`).box.meaning).toBe('open');
});

test.each([
  ['**Write**: whatever is needed', 'Write is read as words: its value is none of write'],
  ['**Write**: src', 'Write is read as words: its value is none of write'],
  ['**Gate**: a look from the team', 'Gate is read as words: its value is none of reviewers'],
  ['**Agent**: somebody of the team', 'Agent is read as words: its value is none of executors'],
  ['**Check**: the page loads', 'Check is read as words: its value is none of verify'],
])('%s is told', (line, message) => {
  expect(warned(`- [ ] a\n  ${line}\n`)).toEqual([message]);
});

test('the type of a contract below an item is one, other words are not', () => {
  expect(item('- [ ] a\n  **Type**: story\n').type).toBe('story');
  expect(item('- [ ] a\n  **Type**: a small bug\n').type).toBeUndefined();
  expect(item('- [ ] a\n  **Context**: docs/a.md, `b.md`\n').context_files).toEqual([
    'docs/a.md',
    'b.md',
  ]);
});
