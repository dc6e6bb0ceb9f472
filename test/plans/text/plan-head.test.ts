/** What a plan says of itself, of its sections and its waves; and plans as other tools write them. */
import { describe, expect, it } from 'vitest';
import type { PlanDocument } from '../../../src/plans/core/plan-document.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';

function planOf(text: string): PlanDocument {
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

describe('the head', () => {
  it.each<[string, Partial<PlanDocument>]>([
    ['# Plan: A **big** one\n', { title: 'A big one' }],
    ['# A one\n', { title: 'A one' }],
    ['Squad: s\nContract Type: campaign\n', { squad: 's', contract_type: 'campaign' }],
    ['# A\n\n**Squad**: `s`\n**Contract Type:** case\n', { squad: 's', contract_type: 'case' }],
    ['# A\n- Squad: s\n- One at a time: yes\n', { squad: 's', one_at_a_time: true }],
    ['# A\n\n## About\n\nSquad: s\n\n## Tasks\n', { squad: 's' }],
    ['# A (squad: s, type: case)\n', { title: 'A', squad: 's', contract_type: 'case' }],
    ['Checkpoint: auto\n', { checkpoint: 'auto' }],
    ['Checkpoint: none\n', { checkpoint: 'auto' }],
    ['Checkpoint: off\n', { checkpoint: 'auto' }],
    ['**Checkpoint mode**: interactive\n', { checkpoint: 'interactive' }],
    ['Checkpoint: person (the owner)\n', { checkpoint: 'interactive' }],
    ['Checkpoints: @po\n', { checkpoint: 'po' }],
    ['One at a time: no\n', { one_at_a_time: false }],
    ['---\ntitle: T\nsquad: s\ncontract_type: case\n---\n# A\n', { title: 'T', squad: 's' }],
    [
      '---\ncheckpoint: "@po"\none_at_a_time: true\n---\n',
      { checkpoint: 'po', one_at_a_time: true },
    ],
    ['---\nsquad: s\ntype: case\n---\nSquad: other\n', { squad: 's', contract_type: 'case' }],
    ['```\nSquad: s\n```\n<!-- Squad: t -->\n', {}],
  ])('%j', (text, expected) => {
    const { squad, contract_type, checkpoint, one_at_a_time } = planOf(`${text}\n- [ ] a\n`);
    const found = { squad, contract_type, checkpoint, one_at_a_time };
    const { title, ...rest } = expected;
    expect(found).toMatchObject(rest);
    for (const [key, value] of Object.entries(found)) {
      if (!(key in expected) && key !== 'contract_type') expect(value).toBeUndefined();
    }
    if (title !== undefined) expect(planOf(text).title).toBe(title);
  });

  it('has an objective: what stands before the first box', () => {
    const text =
      '# A\nSquad: s\n\n## Why\n\nBecause.\n<!-- hm -->\n\n## Tasks\n\n**Wave 1**\n\n- [ ] a\n';
    expect(planOf(text).objective).toBe('## Why\n\nBecause.');
  });

  it.each([
    ['---\nsqaud: s\n---\n- [ ] a\n', 2],
    ['One at a time: perhaps\n\n- [ ] a\n', 1],
    ['---\nsquad: [a, b]\n---\n- [ ] a\n', 2],
    ['Checkpoint: all is well\n\n- [ ] a\n', 1],
    ['Squad: two words\n\n- [ ] a\n', 1],
    ['## A (files: b.md)\n- [ ] a\n', 1],
  ])('%j is told', (text, line) => {
    expect(planOf(text).warnings.map((warning) => warning.line)).toEqual([line]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['front_matter', '---\nsquad: s\n'],
    ['yaml', '---\nsquad: [\n---\n'],
    ['encoding', '- [ ] a\r- [ ] b\n'],
    ['conflict', '- [ ] a\n<<<<<<< HEAD\n- [x] b\n=======\n- [ ] b\n>>>>>>> other\n'],
    ['too_large', `- [ ] a\n${'x'.repeat(1024 * 1024)}`],
    ['too_large', Array.from({ length: 5001 }, (_, n) => `- [ ] a${n}\n`).join('')],
  ])('is refused: %s', (code, text) => {
    const read = parsePlan(text, 'plan.md');
    expect(read.ok ? [] : read.problems.map((problem) => problem.code)).toEqual([code]);
  });

  it('has a word for a thousand warnings', () => {
    const { warnings } = planOf('- [?] a\n'.repeat(1000));
    expect(warnings).toHaveLength(201);
    expect(warnings.at(-1)!.message).toMatch(/^there are \d+ more warnings$/);
  });
});

describe('waves', () => {
  const wavesOf = (text: string) => planOf(text).items.map(({ key, wave }) => [key, wave]);

  it.each([
    ['## Wave 1\n- [ ] a\n## Wave 2\n- [ ] b\n'],
    ['### Wave 1: Ground\n- [ ] a\n### Wave 2 — Build (squad: s)\n- [ ] b\n'],
    ['**Wave 1**\n\n- [ ] a\n\n**Wave 2: Build**\n\n- [ ] b\n'],
    ['- [ ] a\n**Wave 1**\n**Wave 2**: Build\n- [ ] b\n'],
    ['- **Wave 1**\n  - [ ] a\n- **Wave 2**\n  - [ ] b\n'],
    ['- [ ] a\n\n## 🌊 Wave 2\n- [ ] b\n', 2],
    ['- [ ] a (wave: 1)\n- [ ] b (wave: 2)\n'],
    ['## Wave 2\n- [ ] a (wave: 1)\n- [ ] b\n'],
  ])('%j', (text, first = 1) => {
    expect(wavesOf(text)).toEqual([
      ['a', first],
      ['b', 2],
    ]);
  });

  it('have titles and lines, in the order of their numbers', () => {
    expect(planOf('## Wave 3: Last\n- [ ] a\n## Wave 1\n- [ ] b\n').waves).toEqual([
      { number: 1, title: 'Wave 1', line: 3 },
      { number: 3, title: 'Last', line: 1 },
    ]);
  });

  it.each([
    '## Waves\n',
    '## The Wave 1\n',
    '**Wave 1** is the first of many\n',
    'Wave 1\n',
    '## Wave 1.5\n',
  ])('%j is none', (text) => {
    expect(planOf(`${text}\n- [ ] a\n`).waves).toEqual([]);
  });

  it.each([
    ['## Strategy\n### Wave 1\nTask 1\n### Wave 2\nTask 2\n## Tasks\n- [ ] a\n', [2, 4]],
    ['## Wave 1\n- [ ] a\n## Wave 2\nLater.\n', [3, 4]],
    ['## Wave One\n- [ ] a\n', [1]],
    ['## Wave 1a\n- [ ] a\n', [1]],
  ])('that have no items, and what is none, are told: %j', (text, lines) => {
    const plan = planOf(text);
    expect(plan.warnings.map(({ line }) => line)).toEqual(lines);
    expect(plan.items.map(({ wave }) => wave)).toEqual([text.includes('1\n- [ ]') ? 1 : undefined]);
  });

  it('go on behind a heading of something else', () => {
    expect(wavesOf('## Wave 1\n- [ ] a\n## Wave 2\n- [ ] b\n## Release\n- [ ] c\n')).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ]);
  });

  it('begin anew in the section of another team, and only where that has some', () => {
    expect(
      wavesOf(
        [
          '## One (squad: one)\n### Wave 1\n- [ ] a\n### Wave 2\n- [ ] b\n',
          '## Two (squad: two)\n- [ ] c\n### Wave 1\n- [ ] d\n### Wave 2\n- [ ] e\n',
          '## Three (squad: three)\n- [ ] f\n',
        ].join(''),
      ),
    ).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
      ['d', 1],
      ['e', 2],
      ['f', 2],
    ]);
  });
});

describe('sections', () => {
  it('may be of a squad each', () => {
    const plan = planOf(
      [
        '# Plan: Launch\nSquad: dev\n',
        '## Marketing (squad: marketing)\n- [ ] a\n### More\n- [ ] b\n',
        '## Squad: legal\n- [ ] c\n',
        '## Design\nSquad: design\nContract Type: case\n\n- [ ] d (squad: own)\n- [ ] e\n',
        '## Rest\n- [ ] f\n',
      ].join(''),
    );
    expect(plan.squad).toBe('dev');
    expect(plan.items.map(({ key, squad, type }) => [key, squad, type])).toEqual([
      ['a', 'marketing', undefined],
      ['b', 'marketing', undefined],
      ['c', 'legal', undefined],
      ['d', 'own', 'case'],
      ['e', 'design', 'case'],
      ['f', undefined, undefined],
    ]);
  });
});

describe('plans as other tools write them', () => {
  it('a planner with profiles, references and a check list of its own', () => {
    const plan = planOf(`# Auth Rework

## TL;DR
> **Quick Summary**: do it
> **Deliverables**: a form

## Work Objectives
### Definition of Done
- [ ] \`npm test\` passes

## Execution Strategy
\`\`\`
Wave 1 (start at once):
- [ ] no box
\`\`\`

## TODOs

- [ ] 1. Build the **login** form

  **What to do**:
  - Make the form in \`src/login.tsx\`

  **Must NOT do**:
  - Style it

  **Recommended Agent Profile**:
  - **Category**: \`visual\`
    - Reason: it is visual
  - **Skills**: [\`frontend\`, \`git\`]
  - **Skills Evaluated but Omitted**:
    - \`deploy\`: nothing to deploy

  **Parallelization**:
  - **Can Run In Parallel**: YES
  - **Blocks**: 2
  - **Blocked By**: None (can start immediately)

  **References** (CRITICAL):

  **Pattern References**:
  - \`src/services/auth.ts:45-78\` - how it is done elsewhere
  - https://example.org/x

  **Acceptance Criteria**:
  - [ ] Test file created: \`src/auth.test.ts\`
  - [ ] npm test → PASS

  **Commit**: YES
  - Message: \`feat: login\`
  - Files: \`src/login.tsx\`

- [~] 2. API
  **Blocked By**: Task 1

---

## Success Criteria
### Final Checklist
- [ ] All "Must Have" present
`);
    // The strategy is below a heading without boxes, and behind the first box.
    expect(plan.warnings.map(({ line }) => line)).toEqual([13]);
    expect(plan.boxes).toHaveLength(6);
    expect(plan.waves).toEqual([]);
    expect(plan.criteria.map(({ text }) => text)).toEqual([
      '`npm test` passes',
      'All "Must Have" present',
    ]);
    const [form, api] = plan.items;
    expect(form).toMatchObject({
      label: '1',
      title: 'Build the login form',
      category: 'visual',
      skills: ['frontend', 'git'],
      depends: [],
      context_from: [],
      deliverables: [],
      context_files: ['src/services/auth.ts'],
      paths: ['src/login.tsx'],
    });
    expect(form!.criteria.map(({ text }) => text)).toEqual([
      'Test file created: `src/auth.test.ts`',
      'npm test → PASS',
    ]);
    expect(form!.text).toContain('**Must NOT do**:\n- Style it');
    expect(form!.text).toContain('- `src/services/auth.ts:45-78` - how it is done elsewhere');
    expect(form!.text).not.toMatch(/Acceptance|Blocked By|Category/);
    expect(api).toMatchObject({ depends: ['1'], box: { meaning: 'working' } });
  });

  it('phases of tasks with ids and tags', () => {
    const plan = planOf(`# Tasks: Photo albums

**Input**: Design documents from \`/specs/001/\`

## Phase 1: Setup (Shared Infrastructure)

**Purpose**: Project initialization

- [X] T001 Create project structure per implementation plan
- [ ] T002 [P] Configure linting in \`.eslintrc.json\`

## Phase 3: User Story 1 - Upload (Priority: P1)

### Tests for User Story 1

- [ ] T010 [P] [US1] Contract test in \`tests/contract/test_upload.py\`

**Checkpoint**: At this point it works
`);
    expect(plan.items.map(({ label, title, paths }) => [label, title, paths])).toEqual([
      ['T001', 'Create project structure per implementation plan', []],
      ['T002', 'Configure linting in .eslintrc.json', ['.eslintrc.json']],
      ['T010', 'Contract test in tests/contract/test_upload.py', ['tests/contract/test_upload.py']],
    ]);
    expect(plan.checkpoint).toBeUndefined();
  });

  it('numbered tasks with numbered parts, one that may be left out', () => {
    const plan = planOf(`# Implementation Plan

- [ ] 1. Set up the store
  - Create the folder
  - _Requirements: 1.1, 2.3_
- [ ] 2. Write it
- [x] 2.1 Write the model
  - _Requirements: 2.1_
- [ ]* 2.2 Write its tests
  - [ ] of the edges
`);
    expect(plan.items.map(({ label, key, text }) => [label, key, text])).toEqual([
      ['1', 'set-up-the-store', '- Create the folder\n- _Requirements: 1.1, 2.3_'],
      ['2', 'write-it', ''],
      ['2.1', 'write-the-model', '- _Requirements: 2.1_'],
      ['2.2', 'write-its-tests', ''],
    ]);
    expect(plan.items[3]!.criteria).toHaveLength(1);
    expect(plan.warnings).toHaveLength(1);
  });

  it('a list of what is accepted, between the marks of a tool', () => {
    const plan = planOf(`# task-1 - Build it

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 It is built
- [x] #2 It stands
<!-- AC:END -->

## Implementation Plan

1. Build it
2. Look at it
`);
    expect(plan.items).toEqual([]);
    expect(plan.criteria.map(({ text }) => text)).toEqual(['#1 It is built', '#2 It stands']);
  });

  it('changes in numbered sections', () => {
    const plan = planOf('## 1. Database\n- [ ] 1.1 Add a table\n- [x] 1.2 Fill it\n');
    expect(plan.items.map(({ label, title }) => [label, title])).toEqual([
      ['1.1', 'Add a table'],
      ['1.2', 'Fill it'],
    ]);
  });
});

describe('what headings and waves give', () => {
  it('adds tags and context files of headings to those of an item', () => {
    const { items, warnings } = planOf(
      '# A\n**Context Files**: spec.md\n\n## Wave 1: B (tags: us1, context: data.md)\n\n- [ ] a (tags: x, context: own.md)\n- [ ] b\n',
    );
    expect(items.map(({ tags, context_files }) => [tags, context_files])).toEqual([
      [
        ['x', 'us1'],
        ['own.md', 'data.md', 'spec.md'],
      ],
      [['us1'], ['data.md', 'spec.md']],
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['(priority: high, complexity: low)', { priority: 'high', complexity: 'low' }],
    ['\n  **Priority**: high', { priority: 'high' }],
    ['\n  **Priority**: P1', {}],
    ['(Priority: P1)', {}],
  ])('reads the priority in %j', (words, keys) => {
    expect(planOf(`- [ ] a ${words}\n`).items[0]?.keys).toEqual(keys);
  });

  it.each([
    ['before its boxes', '## Wave 1\n**Checkpoint**: it runs\n\n- [ ] a\n'],
    ['after them', '## Wave 1\n\n- [ ] a\n\n**Checkpoint**: it runs\n'],
  ])('the words of a checkpoint, %s', (_where, wave) => {
    const { waves, checkpoint, items, warnings } = planOf(`${wave}\n## Wave 2\n\n- [ ] b\n`);
    expect(waves.map((one) => one.checkpoint)).toEqual(['it runs', undefined]);
    expect([checkpoint, items[0]?.text, warnings]).toEqual([undefined, '', []]);
  });
});
