/** Keys that mean what a contract says by another one: read as it, or refused by name; never ignored. */
import { expect, test } from 'vitest';
import { MEANT } from '../../../src/task/core/model/refused-keys.ts';
import { parseContract } from '../../../src/task/text/documents/contract.ts';

const read = (...head: readonly string[]) =>
  parseContract(
    `---\ntitle: x\n${head.join('\n')}\n---\n\n## Success Criteria\n\n- [ ] it is done\n`,
    'contract.md',
  );

test.each([...MEANT])('%s is refused, and %s is named', (key, own) => {
  for (const head of [
    [`${key}: one`],
    [`${key}: one`, `${own}: ${own === 'retries_max' ? 1 : 'two'}`],
  ]) {
    const found = read(...head);
    expect(found.ok).toBe(false);
    const problems = found.ok ? [] : found.problems;
    const one = problems.find(({ code }) => code === 'unknown_key');
    expect(one).toMatchObject({ severity: 'error', line: 3, fix: `Write ${own} instead` });
  }
});

test('executors, reviewers and acceptance_criteria are read', () => {
  const found = read(
    'executors: ["@copywriter"]',
    'reviewers:',
    '  - "@brand"',
    '  - person',
    'verify: ["file_exists: a.txt"]',
    'acceptance_criteria:',
    '  - "run: npm test"',
    '  - file_exists: b.txt',
    '  - "json: a.json a.schema.json"',
    '  - "result: it reads well"',
  );
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  const { head, checks, criteria, unknown_keys } = found.value;
  expect(head).toMatchObject({ agent: 'copywriter', quality_gate: ['brand', 'person'] });
  expect(checks).toEqual([
    { kind: 'file_exists', path: 'a.txt' },
    { kind: 'run', command: 'npm test' },
    { kind: 'file_exists', path: 'b.txt' },
    { kind: 'json', path: 'a.json', schema: 'a.schema.json' },
  ]);
  // Prose that begins with a word of ours.
  expect(criteria).toEqual([
    { number: 1, text: 'it is done', line: 17 },
    { number: 2, text: 'result: it reads well', line: 12 },
  ]);
  expect(unknown_keys).toEqual([]);
  expect(found.warnings).toEqual([]);
});

test.each([
  ['two executors', ['executors: [a, b]'], 'a contract has one agent, and executors names 2', 3],
  ['both', ['agent: a', 'executors: b'], 'executors and agent are both given', 4],
  [
    'gates twice',
    ['quality_gate: a', 'reviewers: [b]'],
    'reviewers and quality_gate are both given',
    4,
  ],
] as const)('%s: refused with the place', (_name, head, message, line) => {
  const found = read(...head);
  expect(found.ok ? [] : found.problems).toContainEqual(expect.objectContaining({ message, line }));
});

test('a criterion that is a bad check is refused at its own line', () => {
  const found = read('acceptance_criteria:', '  - matches: a', '  - 7');
  expect(found.ok ? [] : found.problems.map(({ line }) => line)).toContain(5);
});
