/** plan.md as people and planning agents write it: tables of forms, each with what it must mean. */
import { describe, expect, it } from 'vitest';
import type { PlanDocument, PlanItem } from '../../../src/plans/core/plan-document.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';

function planOf(text: string): PlanDocument {
  const read = parsePlan(text, 'plan.md');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

function itemOf(text: string): PlanItem {
  const { items } = planOf(text);
  expect(items).toHaveLength(1);
  return items[0]!;
}

function warned(text: string): [number, string][] {
  return planOf(text).warnings.map(({ line, message }) => [line, message]);
}

describe('the plan of a campaign', () => {
  const text = `# Plan: Holiday Marketing Campaign
Squad: marketing
Contract Type: campaign

## Tasks

- [ ] **Research competitors** (executor: @analyst, verify: report-exists)
- [ ] **Create brand guidelines** (executor: @brand-chief, verify: checklist)
- [ ] **Write copy for 3 channels** (executor: @copywriter, verify: @brand-reviewer)
- [ ] **Design visual assets** (executor: @designer, verify: @brand-reviewer)
- [ ] **Create distribution plan** (executor: @traffic-master, verify: checklist)
`;

  it('is read as it stands', () => {
    const plan = planOf(text);
    expect(plan).toMatchObject({
      title: 'Holiday Marketing Campaign',
      squad: 'marketing',
      contract_type: 'campaign',
      objective: '',
      waves: [],
      criteria: [],
      warnings: [],
    });
    expect(
      plan.items.map(({ key, title, executors, verify }) => [key, title, executors, verify]),
    ).toEqual([
      ['research-competitors', 'Research competitors', ['analyst'], ['report-exists']],
      ['create-brand-guidelines', 'Create brand guidelines', ['brand-chief'], ['checklist']],
      [
        'write-copy-for-3-channels',
        'Write copy for 3 channels',
        ['copywriter'],
        ['@brand-reviewer'],
      ],
      ['design-visual-assets', 'Design visual assets', ['designer'], ['@brand-reviewer']],
      ['create-distribution-plan', 'Create distribution plan', ['traffic-master'], ['checklist']],
    ]);
    expect(plan.boxes.map(({ offset }) => text.slice(offset - 3, offset + 2))).toEqual(
      Array.from({ length: 5 }, () => '- [ ]'),
    );
  });
});

describe('one box', () => {
  it.each([
    ['- [ ] a', 'open'],
    ['* [x] a', 'done'],
    ['+ [X] a', 'done'],
    ['1. [~] a', 'working'],
    ['12) [-] a', 'dropped'],
    ['- 1. [x] a', 'done'],
    ['   - [x] a', 'done'],
    ['-\t[x]\ta', 'done'],
    ['\uFEFF- [x] a\r\n', 'done'],
  ])('%j is %s', (text, meaning) => {
    const { box, title } = itemOf(text);
    expect([box.meaning, title]).toEqual([meaning, 'a']);
    expect(text[box.offset - 1]).toBe('[');
    expect(text[box.offset + 1]).toBe(']');
    expect(warned(text)).toEqual([]);
  });

  it.each([
    ['- [?] a', 'open', 'a box has an unknown mark and counts as open'],
    ['- [✓] a', 'open', 'a box has an unknown mark and counts as open'],
    ['- [x]a', 'done', 'no space after a box'],
    ['- [ ]* 2.2 a', 'open', 'no space after a box'],
  ])('%j is one too, and told', (text, meaning, message) => {
    const { box, title } = itemOf(text);
    expect([box.meaning, title]).toEqual([meaning, 'a']);
    expect(warned(text)).toEqual([[1, message]]);
  });

  it.each([
    ['- [] a', 'a box has no mark, or several'],
    ['- [  ] a', 'a box has no mark, or several'],
    ['- [x ] a', 'a box has no mark, or several'],
    ['- [🔥] a', 'a box has no mark, or several'],
    ['- <!-- c --> [ ] a', 'a comment is in front of a box, so the box is ignored'],
    ['[ ] a', 'a box without a bullet and a space before it is ignored'],
    ['• [x] a', 'a box without a bullet and a space before it is ignored'],
    ['-[ ] a', 'a box without a bullet and a space before it is ignored'],
    ['-\u00a0[ ] a', 'a box without a bullet and a space before it is ignored'],
    ['1.[x] a', 'a box without a bullet and a space before it is ignored'],
    ['## [ ] a', 'a box in a heading is ignored'],
    ['- b\n       - [ ] a', 'a box is indented too far to count'],
    [
      '<div>\n- [ ] a\n</div>',
      'a box directly below an HTML tag is ignored; put a blank line between them',
    ],
  ])('%j looks like one, is none, and told', (text, message) => {
    expect(planOf(text).boxes).toEqual([]);
    expect(warned(text)).toEqual([
      [text.split('\n').findIndex((line) => line.includes('[')) + 1, message],
    ]);
  });

  it.each([
    '```\n- [ ] a\n```',
    '~~~md\n- [x] a\n~~~',
    '<!--\n- [ ] a\n-->',
    '<!-- - [ ] a -->',
    '> - [ ] a',
    '<pre>\n- [ ] a\n</pre>',
    'b\n\n    - [ ] a',
    '---\nnote: |\n  - [ ] a\n---\n',
    '- [x](https://example.org) a',
    '- [x][1] a',
    '- [ok] a',
    'a - [ ] b',
  ])('%j has none', (text) => {
    expect(planOf(text).boxes).toEqual([]);
    expect(warned(text).filter(([, message]) => message.includes('box'))).toEqual([]);
  });

  it('without words makes nothing, is counted and told', () => {
    const plan = planOf('- [ ]\n- [x] a\n');
    expect(plan.items.map(({ title }) => title)).toEqual(['a']);
    expect(plan.boxes).toHaveLength(2);
    expect(plan.warnings.map(({ line }) => line)).toEqual([1]);
  });

  it('stands below an HTML tag when a blank line parts them', () => {
    expect(planOf('<details>\n<summary>b</summary>\n\n- [ ] a\n\n</details>').boxes).toHaveLength(
      1,
    );
  });
});

describe('a title', () => {
  it.each([
    ['**Write** the *copy*', undefined, 'Write the copy'],
    ['__Write__ ~~the~~ _copy_', undefined, 'Write the copy'],
    [
      '[Write](https://example.org) `the_copy` of snake_case',
      undefined,
      'Write the_copy of snake_case',
    ],
    ['1. Write', '1', 'Write'],
    ['**1. Write**', '1', 'Write'],
    ['**1.** Write', '1', 'Write'],
    ['2.1 Write', '2.1', 'Write'],
    ['2.1. Write', '2.1', 'Write'],
    ['Task 3: Write', '3', 'Write'],
    ['T012 [P] [US1] Write', 'T012', 'Write'],
    ['3 channels', undefined, '3 channels'],
    ['Write <!-- not the copy --> it', undefined, 'Write it'],
    ['2 * 3 * 4', undefined, '2 * 3 * 4'],
    ['Write (in blue)', undefined, 'Write (in blue)'],
    ['Write (note: in blue)', undefined, 'Write (note: in blue)'],
  ])('%j', (written, label, title) => {
    const item = itemOf(`- [ ] ${written}\n`);
    expect([item.label, item.title]).toEqual([label, title]);
  });

  it('is numbered by its bullet, and by that of what it is nested in', () => {
    const { items } = planOf(
      '1. [ ] a\n2. [ ] b\n   1. [ ] c (verify: x)\n   2. [ ] d (verify: y)\n',
    );
    expect(items.map(({ label }) => label)).toEqual(['1', '2', '2.1', '2.2']);
  });

  it('that is very long is cut, and whole in the text', () => {
    const long = 'word '.repeat(100).trim();
    const item = itemOf(`- [ ] ${long} (executor: @a)\n`);
    expect(item.title).toHaveLength(300);
    expect(item.text).toBe(long);
    expect(item.executors).toEqual(['a']);
  });
});

describe('attributes behind a title', () => {
  it.each<[string, Partial<PlanItem>]>([
    ['(executor: @x, verify: y)', { executors: ['x'], verify: ['y'] }],
    ['(executors: @a, @b, verify: y)', { executors: ['a', 'b'], verify: ['y'] }],
    ['(executor: @a @b)', { executors: ['a', 'b'] }],
    ['(executor: `a` and @team/b)', { executors: ['a', 'team/b'] }],
    ['(agent: a)', { executors: ['a'] }],
    ['(reviewer: @q, reviewers: @r)', { reviewers: ['q', 'r'] }],
    ['(depends: 1, 2; skills: a b)', { depends: ['1', '2'], skills: ['a', 'b'] }],
    ['(depends on: Task 1 and 2)', { depends: ['1', '2'] }],
    ['(depends: #1, T004, 2-4)', { depends: ['1', 'T004', '2', '3', '4'] }],
    ['(depends: wave 2, Research: the market)', { depends: ['wave 2', 'Research: the market'] }],
    ['(depends: "Write, and write", other)', { depends: ['Write, and write', 'other'] }],
    ['(blocked_by: none)', { depends: [] }],
    ['(results of: 1, 2)', { context_from: ['1', '2'], depends: [] }],
    ['(skills: [a, b], category: c)', { skills: ['a', 'b'], category: 'c' }],
    ['(files: `a.md`, b/c.md, type: t)', { deliverables: ['a.md', 'b/c.md'], type: 't' }],
    ['(context: docs/a.md, write: src/**)', { context_files: ['docs/a.md'], write: ['src/**'] }],
    ['(squad: s, wave: 2, id: foo)', { squad: 's', wave: 2, key: 'foo' }],
    ['(Executor: @X, VERIFY: y)', { executors: ['X'], verify: ['y'] }],
    ['(verify: run: npm test -- a,b, tests)', { verify: ['run: npm test -- a,b', 'tests'] }],
    ['(verify: `run: echo a, b`)', { verify: ['run: echo a, b'] }],
    ['(verify: matches: a.md /^# (a|b)/)', { verify: ['matches: a.md /^# (a|b)/'] }],
    ['(verify: `matches: a.md /\\(/`, executor: @x)', { executors: ['x'] }],
    ['*(executor: @x)*', { executors: ['x'] }],
    ['**(verify: y)**', { verify: ['y'] }],
    ['(in blue) (executor: @x) (verify: y)', { executors: ['x'], verify: ['y'] }],
    ['(executor: @x) — soon', { executors: ['x'] }],
  ])('%j', (written, expected) => {
    const item = itemOf(`- [ ] **Write copy** ${written}\n`);
    expect(item).toMatchObject(expected);
    expect(item.title.replace(/ \(in blue\)| — soon/, '')).toBe('Write copy');
    expect(planOf(`- [ ] **Write copy** ${written}\n`).warnings).toEqual([]);
  });

  it.each([
    ['(executor: @x, priority: P1)', 'items have no key priority'],
    ['(excutor: @x)', 'items have no key excutor; did you mean executor?'],
    ['(executor: @x', 'a bracket with attributes is not closed'],
    ['(wave: soon)', 'a wave has no number'],
    ['(squad: a, b)', 'squad has more than one value; the first is used'],
  ])('%j is told', (written, message) => {
    expect(warned(`- [ ] a ${written}\n`)).toEqual([[1, message]]);
  });

  it('may stand on a later line of the title, or over two', () => {
    expect(itemOf('- [ ] **Write**\n  (executor: @x)\n')).toMatchObject({
      title: 'Write',
      executors: ['x'],
      text: '',
    });
    expect(itemOf('- [ ] Write (executor: @x,\n  verify: y)\n  all of it\n')).toMatchObject({
      title: 'Write',
      executors: ['x'],
      verify: ['y'],
      text: 'all of it',
    });
  });
});

describe('fields below an item', () => {
  it.each<[string, Partial<PlanItem>]>([
    ['  **Executor**: @x\n  **Verify:** y', { executors: ['x'], verify: ['y'] }],
    ['  - **Executor**: @x\n  - **Verify**: y, run: npm test', { verify: ['y', 'run: npm test'] }],
    [
      '  - **Executor**: @x\n  - **Verification**: checklist: done',
      { verify: ['checklist: done'] },
    ],
    ['  executor: @x\n  verify: y', { executors: ['x'], verify: ['y'] }],
    ['\n  **Executor**: @x | **Verify**: y', { executors: ['x'], verify: ['y'] }],
    ['**Executor**: @x', { executors: ['x'] }],
    ['\n**Executor**: @x\n\n**Verify**: y', { executors: ['x'], verify: ['y'] }],
    ['\t**Executor**: @x (for deep work)', { executors: ['x'] }],
    ['  **Skills**: [`a`, `b`]', { skills: ['a', 'b'] }],
    ['  **Category**: `deep` — hard', { category: 'deep' }],
    ['  **Depends on**: 1, 2', { depends: ['1', '2'] }],
    ['  **Blocked By**: None (can start at once)', { depends: [] }],
    ['  **Quality Gate**: @qa', { reviewers: ['qa'] }],
    ['  **Files**: `a.md`, `b.md`', { deliverables: ['a.md', 'b.md'] }],
    [
      '  **Files**:\n  - Create: `src/a.ts`\n  - Modify: `src/b.ts:12-40`',
      { deliverables: ['src/a.ts', 'src/b.ts'] },
    ],
    ['  - **Deliverables**:\n    - a.md — the text', { deliverables: ['a.md'] }],
    ['  **Verify**:\n  - tests\n  - run: npm test', { verify: ['tests', 'run: npm test'] }],
  ])('%j', (below, expected) => {
    expect(itemOf(`- [ ] a\n${below}\n`)).toMatchObject({ ...expected, text: '' });
  });

  it.each([
    '**Output**: what people will see',
    '**Context**: it is needed',
    'Check: it twice',
    '**What to do**:\n- this\n- Files: not these',
    '```sh\n**Executor**: @x\n\n\nnpm test\n```',
    '> **Executor**: @x',
  ])('%j are words', (below) => {
    const text = `- [ ] a\n\n${below.replace(/^(?=.)/gm, '  ')}\n`;
    expect(itemOf(text)).toMatchObject({ executors: [], deliverables: [], text: below });
  });

  it('hold for the item that they are nested in', () => {
    const { items } = planOf(
      '- [ ] a (verify: x)\n  - [ ] b (verify: y)\n    **Executor**: @b\n  **Executor**: @a\n',
    );
    expect(items.map(({ key, executors }) => [key, executors])).toEqual([
      ['a', ['a']],
      ['b', ['b']],
    ]);
  });

  it('outside of items hold for the section, or are told', () => {
    const plan = planOf('## A\n**Executor**: @x\n- [ ] a\n- [ ] b (executor: @y)\n## B\n- [ ] c\n');
    expect(plan.items.map(({ executors }) => executors)).toEqual([['x'], ['y'], []]);
    expect(warned('## A\n**Files**:\n- a.md\n\n- [ ] a\n')).toEqual([
      [2, 'Files is outside of an item and is ignored'],
    ]);
  });
});

describe('nested boxes', () => {
  it('are criteria of the item that they are in, however deep', () => {
    const { items, boxes } = planOf(
      '- [ ] a (executor: @x)\n  - [x] one\n    more of it\n\t- [ ] two\n    - [ ] three\n- [ ] b\n',
    );
    expect(items.map(({ key, criteria }) => [key, criteria.map(({ text }) => text)])).toEqual([
      ['a', ['one more of it', 'two', 'three']],
      ['b', []],
    ]);
    expect(boxes).toHaveLength(5);
  });

  it('with attributes are items, and what has only such is a group', () => {
    const { items } = planOf(
      [
        '- [ ] Group (squad: s, depends: first)',
        '  - [ ] one (executor: @x)',
        '  - [ ] two',
        '    **Verify**: y',
        '- [ ] Task (executor: @z)',
        '  - [ ] three (executor: @x)',
        '- [ ] Mixed',
        '  - [ ] four (executor: @x)',
        '  - [ ] a criterion',
      ].join('\n'),
    );
    expect(items.map(({ key, kind, within }) => [key, kind, within])).toEqual([
      ['group', 'group', undefined],
      ['one', 'task', 'group'],
      ['two', 'task', 'group'],
      ['task', 'task', undefined],
      ['three', 'task', 'task'],
      ['mixed', 'task', undefined],
      ['four', 'task', 'mixed'],
    ]);
    expect(items[1]).toMatchObject({ squad: 's', depends: ['first'] });
    expect(items[5]!.criteria.map(({ text }) => text)).toEqual(['a criterion']);
  });

  it('in a plain bullet are items of their own', () => {
    const { items } = planOf('- Marketing\n  - [ ] a\n  - [ ] b\n');
    expect(items.map(({ key, within }) => [key, within])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
  });

  it('two columns to the right are nested below a number, too', () => {
    expect(planOf('10. [ ] a\n  - [ ] b\n').items.map(({ criteria }) => criteria.length)).toEqual([
      1,
    ]);
  });

  it('below a label that is not indented measure the item before, up to the next one', () => {
    const { items } = planOf(
      '- [ ] a\n\n**Acceptance Criteria**:\n- [ ] one\n- [ ] two\n- [ ] b (executor: @x)\n- [ ] c\n',
    );
    expect(items.map(({ key, criteria, text }) => [key, criteria.length, text])).toEqual([
      ['a', 2, ''],
      ['b', 0, ''],
      ['c', 0, ''],
    ]);
  });

  it.each(['Definition of Done', 'Success Criteria', 'Acceptance criteria:', 'Final Checklist'])(
    'below the heading %s measure the plan',
    (heading) => {
      const plan = planOf(`- [ ] a\n\n## ${heading}\n\n### All\n- [ ] one\n- [x] two\n`);
      expect(plan.items).toHaveLength(1);
      expect(plan.criteria.map(({ text, box }) => [text, box.meaning])).toEqual([
        ['one', 'open'],
        ['two', 'done'],
      ]);
    },
  );
});
