import { describe, expect, test } from 'vitest';
import {
  parseBlocked,
  parseResult,
  parseReview,
  parseStatus,
  unreadVerdict,
} from '../../../src/task/text/documents/documents.ts';
import * as fc from '../../support/property.ts';

describe('the status of a result', () => {
  test.each([
    ['front matter', '---\nstatus: COMPLETE\n---\n# Task Result\n'],
    ['front matter, lower case', '---\nstatus: complete\n---\n'],
    ['front matter, BOM and CRLF', '\uFEFF---\r\nStatus: COMPLETE\r\n---\r\n'],
    ['bullet', '# Task Result\n\n- Status: COMPLETE\n'],
    ['bullet with a picture', '- Status: ✅ COMPLETE\n'],
    ['bullet, bold key', '- **Status**: COMPLETE\n'],
    ['bullet, bold key and colon', '* **Status:** COMPLETE\n'],
    ['bullet, bold value', '- Status: **Complete** 🎉\n'],
    ['table', '| Field | Value |\n|---|---|\n| Status | COMPLETE |\n'],
    ['table, bold', '| **Status** | ✅ `COMPLETE` |\n'],
    ['bold line', '**Status**: complete\n'],
    ['plain line', 'Status: complete\n'],
    ['plain line, CRLF', '# R\r\nStatus: COMPLETE\r\n'],
    ['said twice alike', '---\nstatus: COMPLETE\n---\n- Status: ✅ COMPLETE\n'],
    ['code marks', 'Status: `COMPLETE`.\n'],
  ])('%s: COMPLETE', (_, text) => {
    expect(parseResult(text).status).toBe('COMPLETE');
  });

  test.each([
    ['nothing', ''],
    ['two different', '---\nstatus: COMPLETE\n---\n- Status: FAILED\n'],
    ['two lines', '- Status: COMPLETE\n- Status: BLOCKED\n'],
    ['readable and not', 'Status: COMPLETE\nStatus: hm\n'],
    ['template leftover', '- Status: {{COMPLETE | FAILED}}\n'],
    ['both words', '- Status: COMPLETE | FAILED\n'],
    ['both words in a table', '| Status | COMPLETE | FAILED |\n'],
    ['with doubt', '- Status: COMPLETE?\n'],
    ['with an exception', '- Status: COMPLETE, except the tests\n'],
    ['not complete', '- Status: NOT COMPLETE\n'],
    ['incomplete', '- Status: INCOMPLETE\n'],
    ['struck', '- Status: ~~COMPLETE~~\n'],
    ['crossed', '- Status: ❌ COMPLETE\n'],
    ['crossed behind', '- Status: **COMPLETE** ❌\n'],
    ['denied by a mark', 'Status: !COMPLETE\n'],
    ['taken away', 'Status: -COMPLETE\n'],
    ['struck in front matter', '---\nstatus: ~~COMPLETE~~\n---\n'],
    ['of a running task', '- Status: IN_PROGRESS\n'],
    ['a list', '---\nstatus: [COMPLETE]\n---\n'],
    ['bad front matter', '---\na: [\n---\n- Status: COMPLETE\n'],
    ['front matter that is code', '---js\n{}\n---\n- Status: COMPLETE\n'],
    ['unclosed front matter', '---\nstatus: COMPLETE\n'],
    ['in a later section', '## Validation\n- Status: COMPLETE\n'],
    ['behind a deeper heading', '### Build\nStatus: COMPLETE\n'],
    ['in a fence', '```\n- Status: COMPLETE\n```\n'],
    ['in an open fence', '~~~\n- Status: COMPLETE\n'],
    ['in a comment', '<!--\n- Status: COMPLETE\n-->\n'],
    ['in a comment within a paragraph', 'words <!--\nStatus: COMPLETE\n-->\n'],
    ['in a quote', '> - Status: COMPLETE\n'],
    ['in indented code', '    - Status: COMPLETE\n'],
    ['in <pre>', '<pre>\nStatus: COMPLETE\n</pre>\n'],
    ['a bare CR', 'x\r- Status: COMPLETE\n'],
  ])('%s: undefined', (_, text) => {
    expect(parseResult(text).status).toBeUndefined();
  });

  test.each(['FAILED', 'BLOCKED'])('%s', (word) => {
    expect(parseResult(`# R\n\n- Status: ❌ ${word}\n`)).toMatchObject({ status: word });
  });
});

describe('a result', () => {
  const text = `# Task Result: build_20260208_auth_abc1

- Status: COMPLETE
- Duration: 3m

## Success Criteria

- [x] Login works — POST /login gives 200
- [ ] Tests pass
      two of four fail
  - [x] unit tests
* [X] No lint errors -- see below

  ran twice
\`\`\`
- [x] in a fence
\`\`\`

## Deliverables
- src/a.ts
- \`src/b c.ts\` (4 tests)
- src/d.ts — new

## Notes
Had to add bcrypt. <!-- hidden -->

## Attempted Approaches
One.
### Two
Three.

## Required Resolution
A key.

## Learnings
- [correction] always x
  and y
- plain

## Assumptions
- it is so (confidence 0.8)

## Decisions Needed
1. Which?
`;

  test('everything of it', () => {
    expect(parseResult(text)).toEqual({
      status: 'COMPLETE',
      task: 'build_20260208_auth_abc1',
      criteria: [
        {
          number: 1,
          line: 8,
          text: 'Login works',
          ticked: true,
          evidence: 'POST /login gives 200',
        },
        {
          number: 2,
          line: 9,
          text: 'Tests pass',
          ticked: false,
          evidence: 'two of four fail [x] unit tests',
        },
        {
          number: 3,
          line: 12,
          text: 'No lint errors',
          ticked: true,
          evidence: 'see below ran twice',
        },
        { number: 0, line: 11, text: 'unit tests', ticked: true, evidence: '' },
      ],
      deliverables: ['src/a.ts', 'src/b c.ts', 'src/d.ts'],
      notes: 'Had to add bcrypt.',
      required_resolution: 'A key.',
      said: '',
      status_lines: [{ line: 3, found: '- Status: COMPLETE' }],
      learnings: ['[correction] always x and y', 'plain'],
      assumptions: ['it is so (confidence 0.8)'],
      decisions_needed: ['Which?'],
    });
    expect(parseResult(text.replaceAll('\n', '\r\n'))).toEqual(parseResult(text));
  });

  test('prose is read as bullets are: a paragraph is an entry', () => {
    const prose = parseResult(
      '## Learnings\nGreetings\nare short.\n\nNo dots. <!-- x -->\n- a\n  b\n\nafter\n\n## Assumptions\n' +
        'The team\nreads it.\n## Decisions Needed\nNone.\n',
    );
    expect(prose.learnings).toEqual(['Greetings are short.', 'No dots.', 'a b', 'after']);
    expect(prose.assumptions).toEqual(['The team reads it.']);
    expect(prose.decisions_needed).toEqual([]);
  });

  test('criteria without boxes are not ticked', () => {
    const plain = parseResult('## Success Criteria\n- ✅ a\n- b\n');
    expect(plain.criteria.map(({ ticked }) => ticked)).toEqual([false, false]);
  });

  test.each([
    ['title', '# Task Result: a_1\n', 'a_1'],
    ['title in code', '# Result: `a_1`\n', 'a_1'],
    ['front matter task', '---\ntask: a_1\n---\n# Task Result: b_2\n', 'a_1'],
    ['front matter id', '---\nid: a_1\n---\n', 'a_1'],
    ['bullet', '# R\n- Task ID: a_1\n', 'a_1'],
    ['words', '# Task Result: Login endpoint\n', undefined],
    ['leftover', '# Task Result: {{task_id}}\n', undefined],
    ['nothing', '# Task Result\n', undefined],
  ])('names its task by %s', (_, source, task) => {
    expect(parseResult(source).task).toBe(task);
  });
});

describe('ticks of other editors', () => {
  const tickOf = (line: string) => {
    const { criteria } = parseResult(`## Success Criteria\n\n${line}\n`);
    return criteria.map(({ text, ticked }) => [text, ticked]);
  };
  test.each<[line: string, ticked: boolean]>([
    ['- [✓] It works', true],
    ['- [✔\uFE0F] It works', true],
    ['- [✅] It works', true],
    ['- [☑] It works', true],
    ['- [✓] It works — not yet', false],
    ['- ☑ It works', true],
    ['- ☐ It works', false],
    ['- [ ] It works', false],
    ['- It works', false],
  ])('%s', (line, ticked) => {
    expect(tickOf(line)).toEqual([['It works', ticked]]);
  });
  test.each(['- [✗] It works', '- ✅ It works', '- [?] It works', '- ☑It works'])(
    '%s is none',
    (line) => {
      expect(tickOf(line).some(([, ticked]) => ticked)).toBe(false);
    },
  );
});

describe('a verdict in the forms that reviewers write', () => {
  test.each([
    ['- [X] APPROVED', '## Verdict\n- [X] APPROVED\n', 'APPROVED'],
    ['- [✓] APPROVED', '## Verdict\n- [✓] APPROVED\n- [ ] REJECT\n', 'APPROVED'],
    ['- [✔️] APPROVED', '## Verdict\n- [✔\uFE0F] APPROVED\n', 'APPROVED'],
    ['- ☑ REJECT', '## Verdict\n- ☐ APPROVED\n- ☑ REJECT\n', 'REJECT'],
    ['two boxes of two editors', '## Verdict\n- [x] APPROVED\n- ☑ REJECT\n', undefined],
    ['☐ APPROVED', '## Verdict\n- ☐ APPROVED\n', undefined],
    ['* [x] NEEDS_WORK', '## Verdict\n* [x] NEEDS_WORK\n', 'NEEDS_WORK'],
    ['- [x] **APPROVED**', '## Verdict\n- [x] **APPROVED**\n', 'APPROVED'],
    ['a box with words', '## Verdict\n- [x] APPROVED (with nits)\n', 'APPROVED'],
    [
      'a box with praise',
      '## Verdict\n- [x] APPROVED — all criteria are met, tests pass\n',
      'APPROVED',
    ],
    [
      'a box with praise and a condition',
      '## Verdict\n- [x] APPROVED — all good once tests pass\n',
      undefined,
    ],
    ['a box, a full stop', '## Verdict\n- [x] APPROVED.\n', 'APPROVED'],
    ['a box, a picture', '## Verdict\n- [x] **APPROVED** ✅\n', 'APPROVED'],
    ['a box, a name and a date', '## Verdict\n- [x] APPROVED (by ann, 2026-01-31)\n', 'APPROVED'],
    ['a box, two names', '## Verdict\n- [x] APPROVED — by Ann Lee\n', 'APPROVED'],
    ['a box with an order', '## Verdict\n- [x] NEEDS_WORK make it shorter\n', 'NEEDS_WORK'],
    ['a box with a reason', '## Verdict\n- [x] REJECT: not our task\n', 'REJECT'],
    ['a box, REJECTED', '## Verdict\n- [x] REJECTED\n', 'REJECT'],
    ['Verdict: APPROVED', 'Verdict: APPROVED\n', 'APPROVED'],
    ['**Verdict:** ✅ APPROVED', '**Verdict:** ✅ APPROVED\n', 'APPROVED'],
    ['a table', '| Verdict | APPROVED |\n', 'APPROVED'],
    ['one word', '# Review\n\n## Verdict\n\nAPPROVED\n\n## Findings\n\nNone.\n', 'APPROVED'],
    ['one word and prose', '## Verdict\n\nAPPROVED\n\nThis is not REJECT work.\n', 'APPROVED'],
    ['backticks', '## Verdict\n\n`APPROVED`\n', 'APPROVED'],
    ['bold', '## Verdict\n\n**NEEDS_WORK**\n', 'NEEDS_WORK'],
    ['a quote', '## Verdict\n\n> APPROVED\n', 'APPROVED'],
    ['NEEDS WORK', '## Verdict\n\nNEEDS WORK\n', 'NEEDS_WORK'],
    ['NEEDS_WORK', '## Verdict\n\nNEEDS_WORK\n', 'NEEDS_WORK'],
    ['REJECT', '## Verdict\n\nREJECT\n', 'REJECT'],
    ['REJECTED', '## Verdict\n\n❌ Rejected.\n', 'REJECT'],
    ['in the heading', '# Review\n\n## Verdict: NEEDS_WORK\n\nToo slow.\n', 'NEEDS_WORK'],
    ['a field below the heading', '## Verdict\n\n**Verdict**: NEEDS_WORK\n', 'NEEDS_WORK'],
    ['empty boxes and a word', '## Verdict\n- [ ] APPROVED\n- [ ] REJECT\n\nREJECT\n', 'REJECT'],
  ])('%s', (_, text, verdict) => {
    expect(parseReview(text).verdict).toBe(verdict);
  });
  test.each([
    ['two boxes', '## Verdict\n- [x] APPROVED\n- [x] NEEDS_WORK\n'],
    ['two words', '## Verdict\n\nAPPROVED\n\nREJECT\n'],
    ['the heading and a word', '## Verdict: APPROVED\n\n## Verdict\n\nREJECT\n'],
    ['a word against the box', '## Verdict\n- [x] APPROVED\n\nNEEDS_WORK\n'],
    ['a condition', '## Verdict\n- [x] APPROVED, but fix the title first\n'],
    ['a condition in a bracket', '## Verdict\n- [x] APPROVED (only if the tests were run)\n'],
    ['no', '## Verdict\n- [x] APPROVED: no\n'],
    ['not yet', '## Verdict\n- [x] APPROVED - not yet\n'],
    ['a name and a condition', '## Verdict\n- [x] APPROVED by ann, but not yet\n'],
    ['a question', '## Verdict\n- [x] APPROVED?\n'],
    ['a cross', '## Verdict\n- [x] APPROVED ❌\n'],
    ['not approved', '## Verdict\n- [x] NOT APPROVED\n'],
    ['a condition beside another box', '## Verdict\n- [x] APPROVED, but\n- [x] NEEDS_WORK\n'],
    ['a denial', '## Verdict\n\nNot APPROVED. NEEDS_WORK\n'],
    ['words before it', '## Verdict\n\nLGTM, APPROVED\n'],
    ['a word elsewhere', '## Findings\n\nAPPROVED\n'],
    ['a box in a quote', '## Verdict\n> - [x] APPROVED\n'],
    ['a bullet in a quote', '## Verdict\n> - APPROVED\n'],
    ['a fence', '## Verdict\n```\nAPPROVED\n```\n'],
  ])('not read: %s', (_, text) => {
    expect(parseReview(text).verdict).toBeUndefined();
  });
  test('a spoken verdict is no finding', () => {
    const text = '# Review\n\n## Verdict: NEEDS_WORK\n\nToo slow.\n';
    expect(parseReview(text).findings).toBe('Too slow.');
  });
  test.each([
    ['## Verdict\n\nLGTM, APPROVED\n', { line: 3, found: 'LGTM, APPROVED' }],
    ['# Review\n\n## Verdict: fine\n', { line: 3, found: '## Verdict: fine' }],
    ['## Verdict\n- [ x ] APPROVED\n', { line: 2, found: '- [ x ] APPROVED' }],
    ['## Verdict\n- [ ] APPROVED\n- [✓] REJECT\n', { line: 3, found: '- [✓] REJECT' }],
    ['## Verdict\n- [x] OK\n', { line: 2, found: '- [x] OK' }],
    ['- Verdict: maybe\n', { line: 1, found: '- Verdict: maybe' }],
    ['All is well.\n', { line: 1, found: 'All is well.' }],
    ['\n', { line: 1, found: '' }],
  ])('where it should be: %j', (text, place) => {
    expect(unreadVerdict(text)).toEqual(place);
  });
});

describe('a verdict', () => {
  const boxes = (a: string, b: string, c: string) =>
    `# Review\n\n## Verdict\n\n- [${a}] APPROVED\n- [${b}] NEEDS_WORK\n- [${c}] REJECT\n\n## Findings\n\nAll fine.\n`;
  test.each([
    ['box', boxes('x', ' ', ' '), 'APPROVED'],
    ['box in CRLF', boxes(' ', 'X', ' ').replaceAll('\n', '\r\n'), 'NEEDS_WORK'],
    ['third box', boxes(' ', ' ', 'x'), 'REJECT'],
    ['front matter', '---\nverdict: APPROVED\n---\n', 'APPROVED'],
    ['front matter in words', '---\nverdict: needs work\n---\n', 'NEEDS_WORK'],
    ['front matter, empty boxes', `---\nverdict: REJECT\n---\n${boxes(' ', ' ', ' ')}`, 'REJECT'],
    ['front matter and box agree', `---\nverdict: REJECT\n---\n${boxes(' ', ' ', 'x')}`, 'REJECT'],
    ['box with words', '## Verdict\n- [x] **NEEDS WORK** — see 1\n', 'NEEDS_WORK'],
    ['box in lower case', '## Verdict:\n- [x] approved\n', 'APPROVED'],
    ['line', '# Review\n- Verdict: APPROVED\n## Findings\n', 'APPROVED'],
    ['table', '| Verdict | ✅ APPROVED |\n', 'APPROVED'],
  ])('%s', (_, text, verdict) => {
    expect(parseReview(text).verdict).toBe(verdict);
  });

  test.each([
    ['nothing', ''],
    ['none', boxes(' ', ' ', ' ')],
    ['two', boxes('x', ' ', 'x')],
    ['the same twice', '## Verdict\n- [x] APPROVED\n- [x] APPROVED\n'],
    ['two sections', '## Verdict\n- [x] APPROVED\n## Verdict\n- [x] REJECT\n'],
    ['front matter disagrees', `---\nverdict: APPROVED\n---\n${boxes(' ', 'x', ' ')}`],
    ['front matter unreadable', `---\nverdict: maybe\n---\n${boxes('x', ' ', ' ')}`],
    ['front matter broken', `---\nverdict: [\n---\n${boxes('x', ' ', ' ')}`],
    ['line disagrees', `- Verdict: REJECT\n${boxes('x', ' ', ' ')}`],
    ['under another heading', '## Findings\n- [x] APPROVED\n'],
    ['in a fence', '## Verdict\n```\n- [x] APPROVED\n```\n'],
    ['in a fence with a false end', '## Verdict\n~~~\n    ~~~\n- [x] APPROVED\n~~~\n'],
    ['in a comment', '## Verdict\n<!-- \n- [x] APPROVED\n-->\n'],
    ['in a comment on the line', '## Verdict\n<!-- - [x] APPROVED -->\n'],
    ['behind a comment on the line', '## Verdict\n<!-- x --> - [x] APPROVED\n'],
    ['in an open comment', '## Verdict\n<!--\n- [x] APPROVED\n'],
    ['in a quote', '## Verdict\n> - [x] APPROVED\n'],
    ['in a quote in a list', '## Verdict\n- > - [x] APPROVED\n'],
    ['indented code', '## Verdict\n\n    - [x] APPROVED\n'],
    ['heading in a fence', '```\n## Verdict\n```\n- [x] APPROVED\n'],
    ['both words on a box', '## Verdict\n- [x] APPROVED / NEEDS_WORK\n'],
    ['both words behind', '## Verdict\n- [x] APPROVED, or NEEDS_WORK\n'],
    ['not a verdict', '## Verdict\n- [x] LGTM\n'],
    ['a word that begins alike', '## Verdict\n- [x] APPROVED_LATER\n'],
    ['a box of another mark', '## Verdict\n- [-] APPROVED\n'],
    ['no box', '## Verdict\n- APPROVED\n'],
  ])('%s: undecided', (_, text) => {
    expect(parseReview(text).verdict).toBeUndefined();
  });

  test('findings are what stands under their heading', () => {
    const review = parseReview(`---\nby: x\n---\n${boxes(' ', 'x', ' ')}\n- [ ] mend this\n`);
    expect(review.findings).toBe('All fine.\n\n- [ ] mend this');
    expect(review.ticked).toEqual(['NEEDS_WORK']);
  });

  test('without that heading, all but title, boxes and checks', () => {
    const review = parseReview(
      '# Review: x\n\nToo slow.\n\n## Checks\n\n- fine\n\n## Verdict\n\n- [x] NEEDS_WORK\n\nMend it.\n',
    );
    expect(review.findings.split(/\n+/)).toEqual(['Too slow.', 'Mend it.']);
  });
});

describe('status.md', () => {
  test.each([
    ['# Task Status\n\n- Status: IN_PROGRESS\n- Current Step: tests\n', 'IN_PROGRESS', 'tests'],
    ['- Status: 🟡 In Progress\n- Progress: half\n', 'IN_PROGRESS', 'half'],
    ['| Status | PENDING |\n## Current Step\n- Writing\n  it\n', 'PENDING', 'Writing it'],
    ['---\nstatus: blocked\ncurrent_step: wait\n---\n', 'BLOCKED', 'wait'],
    ['- Status: {{PENDING | IN_PROGRESS}}\n', undefined, ''],
    ['', undefined, ''],
  ])('%j', (text, status, current_step) => {
    expect(parseStatus(text)).toEqual({ status, current_step });
  });
});

describe('blocked.md', () => {
  test.each([
    ['# B\n\n## Resolution\n\n', ''],
    ['# B\n\n## Resolution\n<!-- write\nhere -->\n \n', ''],
    ['# B\n\n## Resolution\n<!-- hint -->\nUse key B.\n', 'Use key B.'],
    ['# B\n\n## Resolution\n\nUse:\n\n## A\n```\nx\n', 'Use:\n\n## A\n```\nx'],
    ['# B\n```\n## Resolution\nno\n```\n', ''],
    ['no slot', ''],
    ['## Resolution\r\n\r\nTwo\r\nlines\r\n', 'Two\nlines'],
  ])('%j', (text, resolution) => {
    expect(parseBlocked(text).resolution).toBe(resolution);
  });
});

test('every reading is total', () => {
  const pieces = [
    '---\n',
    '# ',
    '## Success Criteria\n',
    '## Verdict\n',
    '\n',
    '```',
    '~~~\n',
    '- ',
    '1. ',
    '| a | b |',
    'Status: ',
    'COMPLETE',
    '<!--',
    '-->',
    '[x] ',
    'APPROVED',
    '\uFEFF',
    '> ',

    '    ',
    '\t',
    '\r\n',
    '\r',
    '## Resolution\n',
    '<pre>',
    '`',
    '\\',
    ' — ',
    '## Current Step\n',
  ];
  const piece = fc.constantFrom(...pieces);
  const any = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(any, (text) => {
      expect(Array.isArray(parseResult(text).criteria)).toBe(true);
      expect(parseReview(text).ticked.length).toBeLessThan(41);
      expect(typeof parseStatus(text).current_step).toBe('string');
      expect(typeof parseBlocked(text).resolution).toBe('string');
    }),
    { numRuns: 1000 },
  );
});

const FAILED = '- Status: FAILED\n';
const BLOCKED = '- Status: BLOCKED\n';
test.each([
  ['- Status: BLOCKED — need the API key\n', 'BLOCKED', 'need the API key'],
  ['- Status: **FAILED** (no network)\n', 'FAILED', 'no network'],
  ['Status: BLOCKED: the key is missing\n', 'BLOCKED', 'the key is missing'],
  ['- Status: BLOCKED: I am blocked on Ada\n', 'BLOCKED', 'I am blocked on Ada'],
  ['- Status: FAILED: the build failed\n', 'FAILED', 'the build failed'],
  ['- Status: FAILED: could not complete the build\n', 'FAILED', 'could not complete the build'],
  ['- Status: BLOCKED: the build failed\n', 'BLOCKED', 'the build failed'],
  ['- Status: BLOCKED by missing key\n', 'BLOCKED', 'by missing key'],
  ['- Status: FAILED because it rains\n', 'FAILED', 'because it rains'],
  ['- Status: FAILED -> it rains\n', 'FAILED', 'it rains'],
  ['- Status: **FAILED** → it rains\n', 'FAILED', 'it rains'],
  ['- Status: FAILED. It rains.\n', 'FAILED', 'It rains.'],
  ['- Status: FAILED; it rains\n', 'FAILED', 'it rains'],
  ['- Status: FAILED -- it rains\n', 'FAILED', 'it rains'],
  ['| Status | FAILED | it rains |\n', 'FAILED', 'it rains'],
  ['- Status: ❌ FAILED ❌\n', 'FAILED', ''],
  ['- Status: FAILED!\n', 'FAILED', ''],
  ['---\nstatus: "BLOCKED: no key"\n---\n', 'BLOCKED', 'no key'],
  ['---\nstatus: BLOCKED\n---\n\n- Status: BLOCKED: no key\n', 'BLOCKED', 'no key'],
  ['- Status: BLOCKED: I need the\n  key of Ada\n\nMore.\n', 'BLOCKED', 'I need the key of Ada'],
  ['- Status: BLOCKED\n\n## Reason\n\nneed the API key\n', 'BLOCKED', 'need the API key'],
  [
    '- Status: FAILED\n\nThe port is taken.\n\n## Deliverables\n\n- a.txt\n',
    'FAILED',
    'The port is taken.',
  ],
  [
    '- Status: FAILED — it rains\n\n## Attempted Approaches\n\n- port 25\n- port 587\n',
    'FAILED',
    'it rains',
  ],
  ['- Status: BLOCKED: no SMTP\n\n## Notes\n\nnone\n', 'BLOCKED', 'no SMTP'],
  [`${BLOCKED}\n## Notes\n\nnone\n\n## Reason\n\nno SMTP\n`, 'BLOCKED', 'no SMTP'],
  [`${FAILED}\n## Attempted Approaches\n\n- port 25\n`, 'FAILED', 'port 25'],
  [`${FAILED}\n## Attempted Approaches\n\nnone\n\n## Notes\n\nIt rains.\n`, 'FAILED', 'It rains.'],
  [
    `${FAILED}\n## Attempted Approaches\n\n- port 25\n\n## Reason\n\nIt rains.\n`,
    'FAILED',
    'It rains.',
  ],
  [`${BLOCKED}\n## Required Resolution\n\n1. a key\n2. a port\n`, 'BLOCKED', 'a key'],
  [`${FAILED}- Reason: it rains\n`, 'FAILED', 'it rains'],
  [`${FAILED}- **Root cause:** it rains\n- Duration: 3m\n`, 'FAILED', 'it rains'],
  [`${FAILED}- Reason: none\n- SMTP: refused us\n`, 'FAILED', 'SMTP: refused us'],
  [`${FAILED}- Duration: 3m\n- Completed: today\n`, 'FAILED', ''],
  [`${FAILED}\nI cannot go on: it rains.\n`, 'FAILED', 'I cannot go on: it rains.'],
  ['| Status | FAILED |\n|---|---|\n| Reason | it rains |\n', 'FAILED', 'it rains'],
  [`${FAILED}\n| Step | Why |\n|:--|--:|\n| post | it rains |\n`, 'FAILED', 'post | it rains'],
  [`${FAILED}\n\`\`\`\nECONNREFUSED smtp:25\n\`\`\`\n`, 'FAILED', 'ECONNREFUSED smtp:25'],
  [`${FAILED}\n## Error\n\n~~~sh\n\nECONNREFUSED\n~~~\n`, 'FAILED', 'ECONNREFUSED'],
  [`${FAILED}\n> it rains\n`, 'FAILED', 'it rains'],
  [`${BLOCKED}\n## Decisions Needed\n\n- Which SMTP server?\n`, 'BLOCKED', 'Which SMTP server?'],
  [`${FAILED}\n## Validation\n\nThe server refused us.\n`, 'FAILED', 'The server refused us.'],
  [
    `${FAILED}\n## Success Criteria\n\n- [x] A — seen\n- [ ] Login works — it rains\n`,
    'FAILED',
    'it rains',
  ],
  [`${FAILED}\n- [ ] Login works\n`, 'FAILED', ''],
  [`${FAILED}\n## Why It Came Back\n\nNo dots.\n`, 'FAILED', ''],
  ['- Status: COMPLETE — but not tested\n', undefined, ''],
  ['- Status: BLOCKED, FAILED\n', undefined, ''],
  ['- Status: FAILED? no, COMPLETE\n', undefined, ''],
  ['- Status: FAILED? no, complete\n', undefined, ''],
  ['- Status: FAILED earlier, now COMPLETE\n', undefined, ''],
  ['- Status: failed earlier, now complete\n', undefined, ''],
  ['- Status: FAILED -> COMPLETE\n', undefined, ''],
  ['- Status: failed / blocked\n', undefined, ''],
  ['- Status: FAILED or BLOCKED\n', undefined, ''],
  ['- Status: failed or blocked\n', undefined, ''],
  ['- Status: {{FAILED | BLOCKED}}\n', undefined, ''],
  ['- Status: not FAILED\n', undefined, ''],
  ['- Status: FAILED-ish\n', undefined, ''],
  ['- Status: ~~FAILED~~ because\n', undefined, ''],
])('who gives up says why: %j', (text, status, said) => {
  expect(parseResult(text)).toMatchObject({ status, said });
});

test('long lines of a status take no long time to read', () => {
  for (const one of [
    ' ',
    ')',
    '|',
    ', ',
    '> ',
    '- ',
    '!',
    'complete ',
    ', complete',
    '*',
    'FAILED ',
  ]) {
    for (const from of ['FAILED', 'FAILED: a'])
      expect(parseResult(`Status: ${from}${one.repeat(20_000)}x\n`).criteria).toEqual([]);
  }
});

test.each([
  ['# R\n\n- Status: DONE-ISH\n', [[3, '- Status: DONE-ISH']]],
  [
    '---\nstatus: done\n---\n- Status: COMPLETE\n',
    [
      [2, 'status: done'],
      [4, '- Status: COMPLETE'],
    ],
  ],
  [
    'Status: COMPLETE\nStatus: FAILED\n',
    [
      [1, 'Status: COMPLETE'],
      [2, 'Status: FAILED'],
    ],
  ],
  ['- Status: IN_PROGRESS\n', [[1, '- Status: IN_PROGRESS']]],
  ['- Status:\n', []],
  ['I am done.\n', []],
])('where no status can be read: %j', (text, wanted) => {
  const found = parseResult(text).status_lines.map(({ line, found: words }) => [line, words]);
  expect(found).toEqual(wanted);
});
