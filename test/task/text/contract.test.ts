import type { ContractDraft } from '../../../src/task/core/model/contract-draft.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../src/task/core/model/contract.ts';
import {
  parseCheck,
  parseContract,
  renderContract,
} from '../../../src/task/text/documents/contract.ts';
import { checkGlob, checkPath } from '../../../src/task/text/documents/paths.ts';
import * as fc from '../../support/property.ts';

const TEMPLATE = readFileSync(new URL('../../../templates/contract.hbs', import.meta.url), 'utf8');

function parse(text: string): Contract {
  const result = parseContract(text, 'contract.md');
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

function problemsOf(text: string) {
  const result = parseContract(text, 'contract.md');
  return result.ok ? [] : result.problems;
}

const FULL = `---
v: 1
title: Login endpoint
agent: builder
verify:
  - run: npm test
  - file_exists: src/**/*.ts
  - checklist
  - "matches: src/a.ts /export \\\\w+/"
  - template: docs/a.md templates/headings.md
  - lint_clean
deliverables: src/auth/login.ts
quality_gate: [reviewer, person]
colour: blue
---
# Something else

## Objective

Do it.

<!-- a hint -->
### Detail

Well.

## Requirements

REQ 1-4

## Success Criteria

- [ ] Login works
- [x] Tests pass
  with all browsers
  - nested one
1. Numbered

   after a gap

* plain bullet

not a bullet

\`\`\`
- [ ] in a fence
\`\`\`
> - [ ] in a quote

<!--
- [ ] in a comment
-->

## Context Files

- \`docs/a b.md\` — the spec
- docs/c.md (section 3)
- docs/c.md

## Instructions

Carefully.

## Steps

\`\`\`sh
echo 1
  echo 2
\`\`\`

- in a list:
  \`\`\`bash
  echo 3
  \`\`\`

\`\`\`ts
no()
\`\`\`
`;

describe('a contract with front matter', () => {
  test('everything of it', () => {
    const contract = parse(FULL);
    expect(contract).toMatchObject({
      title: 'Login endpoint',
      objective: 'Do it.\n\n### Detail\n\nWell.',
      requirements: 'REQ 1-4',
      instructions: 'Carefully.',
      context_files: ['docs/a b.md', 'docs/c.md'],
      steps: ['echo 1\n  echo 2', 'echo 3'],
      unknown_keys: ['colour'],
      checks: [
        { kind: 'run', command: 'npm test' },
        { kind: 'file_exists', path: 'src/**/*.ts' },
        { kind: 'checklist' },
        { kind: 'matches', path: 'src/a.ts', pattern: 'export \\w+' },
        { kind: 'template', path: 'docs/a.md', headings: 'templates/headings.md' },
        { kind: 'named', name: 'lint_clean' },
      ],
    });
    expect(contract.criteria).toEqual([
      { number: 1, text: 'Login works', line: 33 },
      { number: 2, text: 'Tests pass with all browsers nested one', line: 34 },
      { number: 3, text: 'Numbered after a gap', line: 37 },
      { number: 4, text: 'plain bullet', line: 41 },
    ]);
    expect(contract.head.deliverables).toEqual(['src/auth/login.ts']);
  });

  test('CRLF and BOM read the same', () => {
    expect(parse(`\uFEFF${FULL.replaceAll('\n', '\r\n')}`)).toEqual(parse(FULL));
  });

  test('an unknown key is a warning with its line and the key that was meant', () => {
    const result = parseContract('---\nagent: a\nskils: x\nzzzzzz: 1\n---\n', 'c.md');
    expect(result).toMatchObject({
      ok: true,
      warnings: [
        { code: 'unknown_key', severity: 'warning', line: 3, fix: 'Did you mean skills?' },
        { code: 'unknown_key', line: 4, fix: 'Remove it if it is a mistake.' },
      ],
    });
  });

  test.each([
    'verfy',
    'qualty_gate',
    'wirte',
    'sandbx',
    'isolaton',
    'depnds_on',
    'deliverable',
    'agnt',
  ])('%s is refused: what the contract demands would be left out', (key) => {
    const result = parseContract(`---\n${key}: x\n---\n`, 'c.md');
    expect(result.ok).toBe(false);
  });

  test('a key of one’s own beside the one that it is like is only told', () => {
    const result = parseContract('---\nwrite: src/**\nwriter: me\n---\n', 'c.md');
    expect(result).toMatchObject({ ok: true, warnings: [{ code: 'unknown_key', line: 3 }] });
  });

  test('sections in fences and comments do not count', () => {
    const text =
      '---\nagent: a\n---\n```\n## Objective\nno\n```\n<!--\n## Objective\n-->\n## Objective\nyes\n';
    expect(parse(text).objective).toBe('yes');
  });

  test.each([
    ['title from the heading', '# Log in', 'Log in', undefined],
    ['title behind Task Contract', '# Task Contract: Log in', 'Log in', undefined],
    [
      'id behind Task Contract',
      '# Task Contract: build_1\n## Objective\nDo it.',
      'Do it.',
      'build_1',
    ],
    ['bare form', '# Task Contract\n## Objective\nDo it.\nNow.', 'Do it.', undefined],
    ['nothing but the form', '# Task Contract', 'Task Contract', undefined],
  ])('%s', (_, body, title, id) => {
    const contract = parse(`---\nagent: a\n---\n${body}\n`);
    expect(contract.title).toBe(title);
    expect(contract.head.id).toBe(id);
  });
});

describe('a heading of level 1 below a head with a title', () => {
  const script = '```sh\nmake\n```';
  test.each<[says: string, body: string, objective: string, steps: readonly string[]]>([
    ['the title again', `# Steps\n${script}\n## Objective\nDo it.`, 'Do it.', []],
    ['a section by itself', `# Steps\n${script}`, '', ['make']],
    [
      'sections, with a heading below one',
      `# Objective\nDo it.\n# Steps\n${script}\n## Notes\nx`,
      'Do it.',
      ['make'],
    ],
  ])('%s', (_, body, objective, steps) => {
    const contract = parse(`---\ntitle: Steps\nagent: a\n---\n${body}\n`);
    expect([contract.objective, contract.steps]).toEqual([objective, steps]);
  });
});

describe('a contract that is refused', () => {
  const head = (yaml: string) => `---\nagent: builder\n${yaml}\n---\n# T\n`;
  test.each([
    ['wrong type', 'retries_max: many', 'wrong_type', '"many"', 'a number'],
    ['wrong word', 'type: epic', 'bad_value', '"epic"', 'story, campaign'],
    ['number as id', 'id: 0123', 'wrong_type', '123', 'a string'],
    ['too many', 'retries_max: 1000', 'bad_value', '1000', 'at most 100'],
    ['a bare number', 'timeout: 10', 'wrong_type', '10', 'a duration such as 90s, 10m or 1h'],
    ['no such day', 'created: 2026-13-45', 'bad_value', '"2026-13-45"', 'a time that exists'],
    ['not a duration', 'timeout: soon', 'bad_value', '"soon"', 'a duration such as'],
    ['another version', 'v: 2', 'bad_value', '2', '1'],
    ['a number in a list', 'depends_on: [a, 5]', 'wrong_type', '5', 'a string'],
    ['a mapping as list', 'depends_on: {a: 1}', 'wrong_type', '{"a":1}', 'a list or a string'],
    ['null', 'agent_x: 1\nmodel:', 'wrong_type', 'null', 'a string'],
  ])('%s', (_, yaml, code, found, expected) => {
    const problems = problemsOf(head(yaml));
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code, severity: 'error', file: 'contract.md', found });
    expect(problems[0]?.line).toBe(2 + yaml.split('\n').length);
    expect(problems[0]?.expected).toContain(expected);
    expect(problems[0]?.fix).not.toBe('');
  });

  test('a problem in a list has the line of the entry', () => {
    const text =
      '---\nverify:\n  - run: a\n  - matches: x /(/\n  - "run:"\ndeliverables:\n  - ok\n  - ../x\n---\n';
    expect(problemsOf(text).map(({ code, line }) => [code, line])).toEqual([
      ['bad_path', 8],
      ['bad_value', 4],
      ['bad_value', 5],
    ]);
  });

  test.each([
    ['nothing', ''],
    ['no head of any form', '# T\n\n## Objective\nx\n'],
    ['front matter behind a blank line', '\n---\nquality_gate: person\n---\n# T\n'],
    ['no closing line', '---\nquality_gate: person\n# T\n'],
  ])('%s', (_, text) => {
    expect(problemsOf(text)[0]?.code).toBe('front_matter');
  });

  test('a context file in the body that leads out', () => {
    expect(problemsOf(`${head('')}## Context Files\n- ../secret\n`)[0]).toMatchObject({
      code: 'bad_path',
      line: 7,
    });
  });

  test.each([
    ['to the end', '## Steps\n```sh\nrm -rf build\n'],
    ['out of its list', '## Steps\n- x\n  ```sh\n  a\nb\n'],
    ['to the next block', '## Steps\n- x\n  ```sh\n  a\n~~~sh\nb\n~~~\n'],
  ])('a shell block that is open %s', (_, body) => {
    expect(problemsOf(head('') + body)).toHaveLength(1);
  });
});

describe('a contract without front matter', () => {
  const table = `# Task Contract: build_20260208_auth_abc1

| Field | Value |
|-------|-------|
| Agent | Code Builder |
| Workflow | BUILD |
| Phase | IMPLEMENTATION |
| Created | 2026-02-08T14:30:00Z |
| Delegated By | Oracle |
| Depends On | a_1, \`b_2\` |
| Retries Max | 2 |

## Objective
Implement it

## Requirements Reference
REQ-Auth.md sections 1-4

## Success Criteria
- [ ] Login endpoint works
- [ ] Tests pass

## Context Files
- .opencode/docs/requirements/REQ-Auth.md
`;
  const bullets = `# Task Contract

- Task ID: build_20260208_auth_abc1
- **Agent**: Code Builder
- **Workflow:** BUILD
- Phase: IMPLEMENTATION
- Created: 2026-02-08T14:30:00Z
- Delegated By: \`Oracle\`
- Depends On: a_1, b_2
- Retries Max: 2
${table.slice(table.indexOf('\n## Objective'))}`;

  test.each([
    ['table', table],
    ['bullets', bullets],
  ])('%s form', (_, text) => {
    const contract = parse(text);
    expect(contract.head).toMatchObject({
      id: 'build_20260208_auth_abc1',
      agent: 'code-builder',
      workflow: 'BUILD',
      phase: 'IMPLEMENTATION',
      created: '2026-02-08T14:30:00Z',
      delegated_by: 'oracle',
      depends_on: ['a_1', 'b_2'],
      retries_max: 2,
    });
    expect(contract.title).toBe('Implement it');
    expect(contract.requirements).toBe('REQ-Auth.md sections 1-4');
    expect(contract.criteria.map(({ text: words }) => words)).toEqual([
      'Login endpoint works',
      'Tests pass',
    ]);
    expect(contract.context_files).toEqual(['.opencode/docs/requirements/REQ-Auth.md']);
  });

  test('a key twice is refused', () => {
    expect(problemsOf('# T\n- Agent: a\n- Agent: b\n')[0]).toMatchObject({ line: 3 });
  });
  test('a wrong value has its line', () => {
    expect(problemsOf('# T\n\n- Agent: a\n- Retries Max: lots\n')[0]).toMatchObject({
      code: 'wrong_type',
      line: 4,
    });
  });
});

describe('paths', () => {
  test.each([
    '', ' ', '/etc/passwd', '../x', 'a/../x', 'a/..', '..', '.', './a', 'a//b', 'a\\b', 'C:', 'C:/x',
    'c:x', 'a:stream', 'a\u0000', 'a\nb', 'a\u202eb', 'a\u200bb', '.git/config', '.GIT/x', 'a/.Git',
    'git~1', 'GIT~1/x', '.git./x', '.git /x', 'a./b', 'a /b', ' a', 'a ', 'x'.repeat(501), '//host/x',
  ])('%j is refused', (path) => {
    expect(checkPath(path)).toBeTypeOf('string');
    expect(checkGlob(path)).toBeTypeOf('string');
  }); // prettier-ignore
  test.each([
    'a',
    'src/a b.ts',
    '.gitignore',
    '.github/x.yml',
    'a..b/c',
    '…/ä.md',
    'docs/',
    '.a/b',
    'git/x',
    '[id]/p.ts',
  ])('%j is accepted', (path) => {
    expect(checkPath(path)).toBeUndefined();
    expect(checkGlob(path)).toBeUndefined();
  });
  test.each([
    '!src/**',
    '{a,b}',
    'a}',
    '?(a)',
    '*(a)',
    '+(a)',
    '@(a)',
    'x/!(a)',
    'a'.repeat(201),
    '{'.repeat(31),
  ])('glob %j is refused', (glob) => {
    expect(checkGlob(glob)).toBeTypeOf('string');
  });
  test.each(['src/**/*.ts', '*', 'a?b', '[a-z]*.md', 'a(b).md'])('glob %j is accepted', (glob) => {
    expect(checkGlob(glob)).toBeUndefined();
  });
  test('never a way out of the folder', () => {
    const segment = fc.constantFrom('..', '.', 'a', '', '.git', 'C:', ' ', '\\');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
        const path = segments.join('/');
        if (checkPath(path) === undefined) expect(path).toMatch(/^a(\/a)*\/?$/);
      }),
    );
  });
});

describe('checks', () => {
  test.each([
    ['run: npm test', { kind: 'run', command: 'npm test' }],
    [{ run: ' npm test ' }, { kind: 'run', command: 'npm test' }],
    ['run: echo "a: b"', { kind: 'run', command: 'echo "a: b"' }],
    ['checklist', { kind: 'checklist' }],
    ['checklist: brand-check.md', { kind: 'checklist', name: 'brand-check' }],
    [{ checklist: null }, { kind: 'checklist' }],
    [{ checklist: true }, { kind: 'checklist' }],
    ['file_exists: a/*.md', { kind: 'file_exists', path: 'a/*.md' }],
    ['matches: a b.md /x\\/y/', { kind: 'matches', path: 'a b.md', pattern: 'x\\/y' }],
    ['result: Risks, Edge cases', { kind: 'result', headings: ['Risks', 'Edge cases'] }],
    ['result: ## 위험', { kind: 'result', headings: ['위험'] }],
    [
      'json: out/a.json a.schema.json',
      { kind: 'json', path: 'out/a.json', schema: 'a.schema.json' },
    ],
    ['squad_valid', { kind: 'named', name: 'squad_valid' }],
    ['plan_valid: a/b.md', { kind: 'named', name: 'plan_valid', path: 'a/b.md' }],
    [{ lint: null }, { kind: 'named', name: 'lint' }],
  ])('%j', (entry, check) => {
    expect(parseCheck(entry, 'c.md', 3)).toEqual({ ok: true, value: check, warnings: [] });
  });

  test.each([
    '', 'run', 'run:', 'npm test', 'runs: ../x', 'matches: a', 'matches: a /', 'matches: a //', 'matches: a /(/',
    `matches: a /${'x'.repeat(501)}/`, 'matches: ../a /x/', 'file_exists: ../a', 'file_exists: {a,b}',
    'file_exists', 'template: a', 'template: a b c', 'template: a ../b', 'checklist: ../yes', '$(x)',
    'result', 'result:', 'result: Risks,', 'result: ##', 'json: a', 'json: a b c', 'json: ../a b', 'json: a https://x',
  ])('%j is refused', (entry) => {
    const result = parseCheck(entry, 'c.md', 3);
    expect(result).toMatchObject({ ok: false, problems: [{ file: 'c.md', line: 3 }] });
  }); // prettier-ignore
  test.each([
    [7],
    [null],
    [[]],
    [{}],
    [{ run: 'a', b: 'c' }],
    [{ run: false }],
    [{ checklist: false }],
  ])('%j is refused', (entry) => {
    expect(parseCheck(entry, 'c.md', 3).ok).toBe(false);
  });
});

describe('rendered contracts', () => {
  const trimmed = (text: string) => text.replace(/\r\n?/g, '\n').trim();
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '## Success Criteria', '# x', '\\# x', '\\\\## x', '```', '```sh', '~~~', '    ```', '<!-- x', '-->', '<!-- a -->',
      '\\<!-- a -->', '- [ ] box', '1. one', '{{objective}}', '---', '<pre>', '</pre>', '> q', '  ## x', '- ```', '### ok', '`<!--`',
    ),
  ); // prettier-ignore
  const block = fc.array(line, { maxLength: 6 }).map((lines) => trimmed(lines.join('\n')));
  const words = line.map((text) => text.split(/\s+/u).filter(Boolean).join(' '));
  const path = fc.stringMatching(/^[a-z`][a-z `()]{0,8}[a-z]$/);
  const drafts = fc.record({
    head: fc.record({
      agent: fc.stringMatching(/^[a-z]{1,9}$/),
      quality_gate: fc.constantFrom([], ['person']),
    }),
    title: words,
    objective: block,
    requirements: block,
    criteria: fc.array(words.filter((text) => text !== '')),
    context_files: fc.uniqueArray(path, { maxLength: 3 }),
    instructions: block,
    steps: block,
  });

  test('parse(render(x)) = x', () => {
    fc.assert(
      fc.property(drafts, (draft: ContractDraft) => {
        const contract = parse(renderContract(draft, TEMPLATE));
        expect(contract.head).toMatchObject(draft.head);
        expect(contract.objective).toBe(draft.objective);
        expect(contract.requirements).toBe(draft.requirements);
        expect(contract.instructions).toBe(draft.instructions);
        expect(contract.criteria.map(({ text }) => text)).toEqual(draft.criteria);
        expect(contract.context_files).toEqual(draft.context_files);
        expect(contract.steps).toEqual(draft.steps === '' ? [] : [draft.steps]);
        expect(contract.head.title).toBe(draft.title);
      }),
      { numRuns: 500 },
    );
  });

  test('a plain one is pleasant to read', () => {
    const draft = {
      head: { agent: 'builder' },
      title: 'Log in',
      objective: 'Do `it`.\n\n```ts\nx\n```',
      criteria: ['a'],
    };
    expect(renderContract(draft, TEMPLATE)).toBe(
      '---\nagent: builder\ntitle: Log in\n---\n\n# Log in\n\n## Objective\n\nDo `it`.\n\n```ts\nx\n```\n\n## Success Criteria\n\n- [ ] a\n',
    );
  });

  test('{{…}}, newlines and quotes in a title are only text', () => {
    const title = '{{objective}} "\npermissions: all\n---\n';
    const contract = parse(
      renderContract({ head: {}, title, objective: 'x', criteria: [] }, TEMPLATE),
    );
    expect(contract.unknown_keys).toEqual([]);
    expect(contract.title).toBe('{{objective}} " permissions: all ---');
  });
});

test('reading a contract is total', () => {
  const piece = fc.constantFrom(
    '---\n',
    '# ',
    '## Objective',
    '## Steps',
    '\n',
    '```',
    '- ',
    '| a | b |',
    'agent: x',
    '<!--',
    '[ ] ',
    '\uFEFF',
    'verify: ',
    '  ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((all) => all.join('')),
      ),
      (text) => {
        expect(typeof parseContract(text, 'c.md').ok).toBe('boolean');
      },
    ),
    { numRuns: 500 },
  );
});
