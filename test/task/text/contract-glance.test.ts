/**
 * A glance at a contract's body and at its keys, against a whole reading: a body that is plain at a
 * glance never changes what is accepted, and a head of few keys is typed as the whole schema has it.
 */
import { describe, expect, test } from 'vitest';
import { contractHeadSchema } from '../../../src/task/core/model/contract-shape.ts';
import { parseContractHead } from '../../../src/task/core/model/parse-head.ts';
import { parseContract } from '../../../src/task/text/documents/contract.ts';
import { isPlainBody, readBody } from '../../../src/task/text/documents/contract-body.ts';
import { scanMarkdown } from '../../../src/task/text/markdown/line-scanner.ts';
import * as fc from '../../support/property.ts';

const LINES = [
  '# Task Contract: abc',
  '# Title',
  '## Steps',
  '## Context Files',
  '### Steps',
  '## **Steps**',
  '```sh',
  '```',
  '```bash',
  '````',
  '~~~sh',
  '~~~',
  '  ```sh',
  '- ```sh',
  '> ```sh',
  '``` sh',
  '<!-- ',
  '-->',
  '<pre>',
  '</pre>',
  '<!-- x -->',
  '# Con<!-- -->tract: abc',
  '## Con*text* Files',
  '- a.md',
  '- ../out.md',
  '- [ ] x',
  'words',
  '',
  '  ',
  '\t',
  '1. x',
  '   more',
  '---',
  'x ```',
];
const body = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...LINES) }, fc.string()), {
    maxLength: 12,
  })
  .chain((lines) => fc.constantFrom('\n', '\n', '\r\n').map((eol) => lines.join(eol)));

describe('the body at a glance', () => {
  test('a plain body opens no step, lists no context file, names no task', () => {
    let plain = 0;
    fc.assert(
      fc.property(body, (text) => {
        if (!isPlainBody(text)) return;
        plain += 1;
        const read = readBody(scanMarkdown(`---\ntitle: x\n---\n${text}`), 'x');
        expect(read.openStep).toBeUndefined();
        expect(read.context_files).toEqual([]);
        expect(read.heading).not.toMatch(/contract/i);
      }),
      { numRuns: 4000 },
    );
    expect(plain).toBeGreaterThan(fc.met(400));
  });

  test.each([
    ['as new writes it', '\n# T\n\n## Objective\n\nx\n\n## Steps\n\n```sh\necho <b>\n```\n', true],
    ['a fence that stays open', '## Steps\n\n```sh\nrm -rf x\n', false],
    ['a fence in a list', '- x\n  ```sh\n  y\n  ```\n', false],
    ['a comment', 'x <!-- y -->\n', false],
    ['context files', '## Context Files\n\n- a.md\n', false],
    ['a heading that names the task', '# Contract: abc\n', false],
  ])('%s', (_, text, plain) => {
    expect(isPlainBody(text)).toBe(plain);
  });

  test('the rest of a plain contract is there when it is asked for', () => {
    const text =
      '---\ntitle: T\ncontext_files: [a.md]\n---\n# H\n\n## Success Criteria\n\n- [ ] x\n';
    const read = parseContract(text, 'contract.md');
    if (!read.ok) throw new Error(read.problems[0]?.message);
    expect(read.value).toMatchObject({ title: 'T', context_files: ['a.md'], steps: [] });
    expect(read.value.criteria).toEqual([{ number: 1, text: 'x', line: 9 }]);
    expect(read.value.lines.get('context_files/a.md')).toBe(3);
  });
});

describe('the head at a glance', () => {
  const keys = Object.keys(contractHeadSchema().shape);
  const value = fc.oneof(
    fc.constantFrom<unknown>('high', 'low', 'task', 1, 0, -1, null, true, '10m', [], ['a'], {}),
    fc.constantFrom<unknown>([{ run: 'x' }], { run: 'x' }, 'abc', ['abc', 1], [[]], '', 101, 1.5),
    fc.string(),
  );
  test('the same value, or the same complaints', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }), (given) => {
        const whole = contractHeadSchema().safeParse(given);
        const glance = parseContractHead(given);
        expect(glance.success).toBe(whole.success);
        if (whole.success && glance.success) expect(glance.data).toEqual(whole.data);
        expect(glance.error?.issues).toEqual(whole.error?.issues);
      }),
      { numRuns: 1500 },
    );
  });

  const words = 'critical HIGH story custom __proto__ con a.b A 7d 8d 0s'.split(' ');
  const odd = [1, 2, true, null, undefined, Number.NaN, ['a', undefined], ['con'], { a: 1 }];
  const edges: readonly unknown[] = [
    ...[0, 1, 128, 129, 2000, 2001].flatMap((length) => {
      const text = 'a'.repeat(length);
      return [text, [text], { run: text }, [{ run: text }]];
    }),
    ...[100, 101, 500, 501].map((length) => Array.from({ length }, () => 'a')),
    ...words,
    ...odd,
  ];
  test.each(keys)('the same at the edges of %s', (key) => {
    for (const edge of edges) {
      const whole = contractHeadSchema().safeParse({ [key]: edge });
      const glance = parseContractHead({ [key]: edge });
      expect(glance.success, String(edge).slice(0, 80)).toBe(whole.success);
      if (whole.success) expect(glance.data).toEqual(whole.data);
      else expect(glance.error?.issues).toEqual(whole.error.issues);
    }
  });

  test('a key that nobody knows is refused as the whole schema refuses it', () => {
    const given = { title: 'x', toString: 'y' };
    expect(parseContractHead(given).error?.issues).toEqual(
      contractHeadSchema().safeParse(given).error?.issues,
    );
  });
});
