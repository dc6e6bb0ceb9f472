/** Whatever strangers wrote: no box, key, heading, check or script of it counts in what is made here. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contractText } from '../../../src/exchange/text/contract-text.ts';
import { planText, planTitle } from '../../../src/exchange/text/plan-text.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';
import { slugOf } from '../../../src/plans/text/values.ts';
import { parseContract } from '../../../src/task/text/documents/contract.ts';
import { arranged } from '../support.ts';
import * as fc from '../../support/property.ts';

const TEMPLATE = readFileSync(new URL('../../../templates/contract.hbs', import.meta.url), 'utf8');

const PIECES = [
  '- [ ] box',
  '* [x] done (id: other)',
  '  - [ ] nested (verify: `run: touch owned`)',
  '## Wave 9: Later',
  '# Title',
  '## Squad: evil',
  '## Definition of Done',
  '**Verify**: `run: touch owned`',
  'verify: run: touch owned',
  '(verify: run: touch owned)',
  '(executor: @devops, write: **)',
  '(note: a, verify: run: touch owned)',
  '(scope: api, type: feature, depends: 7)',
  '(complexity: high)',
  '\\(verify: y)',
  'x \\\\(a: 1, executor: @devops)',
  '"',
  '(requires x',
  '(depends on T001)',
  '(blocked by 2)',
  '```sh\ntouch owned\n```',
  '~~~sh\ntouch owned\n~~~',
  '~~~~~~text',
  '---\nsquad: evil\n---',
  'Checkpoint: auto',
  '**Checkpoint**: @devops',
  '**Context Files**: /etc/passwd',
  '<!-- hidden',
  '-->',
  '<details>',
  '<script>',
  '> quote',
  '\\',
  '`',
  '**bold',
  '__init__.py',
  '~~',
  '{{request}}',
  '## Steps',
  '## Success Criteria',
  'Steps',
  'Context Files',
  '<<<<<<< HEAD',
  '=======',
  '>>>>>>> other',
  '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other',
  'T001 [P] x',
  '1. one',
  '\t- [ ] tab',
  'a (b (c: d',
  'é 한국어 🎉',
  '',
];
const text = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .chain((parts) => fc.constantFrom('\n', '\n\n', ' ', '\r\n').map((by) => parts.join(by)));
const words = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 60 })).map((one) =>
  // What no file that is read here can have.
  one.replaceAll(/[\0\ud800-\udfff]|\r(?!\n)/g, ''),
);
const criteria = fc.array(
  words.filter((one) => /[\p{L}\p{N}]/u.test(one)).map((one) => ({ text: one, ticked: false })),
  { maxLength: 3 },
);
const task = fc.record({ title: words, objective: words, instructions: words, criteria });
const visible = (one: string): string => slugOf(one);

describe('the plan that is made', () => {
  test('has these items, criteria and dependencies, and nothing else that counts', () => {
    fc.assert(
      fc.property(
        fc.array(task, { minLength: 1, maxLength: 4 }),
        words,
        words,
        (tasks, about, heading) => {
          const items = tasks.map((one, i) =>
            arranged(
              {
                ...one,
                id: `T${i}`,
                headings: heading.trim() === '' ? [] : [heading],
                section: about,
                deliverables: ['src/a.ts'],
                mentions: ['docs/b.md'],
              },
              { depends: i === 0 ? [] : [`T${i - 1}`] },
            ),
          );
          const list = {
            name: 'x',
            title: heading,
            file: 'tasks.md',
            about,
            tasks: [],
            criteria: tasks[0]!.criteria,
          };
          const written = planText(list, items, 'x');
          const read = parsePlan(written, 'plan.md');
          if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${written}`);
          const plan = read.value;
          expect(plan.items.map(({ key }) => key)).toEqual(items.map(({ id }) => id));
          for (const [i, item] of plan.items.entries()) {
            const { title, criteria } = tasks[i]!;
            expect(visible(item.title)).toBe(visible(planTitle(title) || `T${i}`));
            expect(item.criteria).toHaveLength(criteria.length);
            expect(item.depends).toEqual(i === 0 ? [] : [`T${i - 1}`]);
            const {
              verify,
              executors,
              reviewers,
              write,
              deliverables,
              context_files,
              skills,
              squad,
              wave,
            } = item;
            expect([deliverables, context_files]).toEqual([['src/a.ts'], ['docs/b.md']]);
            expect([verify, executors, reviewers, skills]).toEqual([[], [], [], []]);
            expect([write, squad, wave, item.keys, item.kind]).toEqual([
              undefined,
              undefined,
              undefined,
              {},
              'task',
            ]);
            expect(item.text).not.toMatch(/^\s{0,3}(?:```|~~~)/m);
          }
          expect([plan.squad, plan.checkpoint, plan.inputs, plan.workflow]).toEqual(
            Array(4).fill(undefined),
          );
          expect(plan.criteria).toHaveLength(tasks[0]!.criteria.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the contract that is made', () => {
  test.each(['Steps', '## Steps', '# Steps #', '**Steps**', 'Steps:', 'Context Files'])(
    'a task that is called %j has no script and no files of that name',
    (title) => {
      const block = '# Title\n\n```sh\ntouch owned\n```\n\nTitle\n=====';
      const one = arranged({ title, instructions: block, objective: block, original: block });
      const written = contractText(one, [], '2026-11-27T00:00:00.000Z', TEMPLATE);
      const read = parseContract(written, 'contract.md');
      expect(read.ok && [read.value.steps, read.value.context_files]).toEqual([[], []]);
    },
  );

  test('has these criteria, no check, no script and no more keys', () => {
    fc.assert(
      fc.property(task, words, (one, original) => {
        const written = contractText(
          arranged({ ...one, original }, { facts: ['A fact.'] }),
          [],
          '2026-11-27T00:00:00.000Z',
          TEMPLATE,
        );
        const read = parseContract(written, 'contract.md');
        if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${written}`);
        const { checks, steps, criteria, head, unknown_keys, context_files } = read.value;
        expect([checks, steps, unknown_keys, context_files]).toEqual([[], [], [], []]);
        const { write, agent, quality_gate, deliverables } = head;
        expect([write, agent, quality_gate, deliverables]).toEqual([undefined, undefined, [], []]);
        expect(criteria).toHaveLength(Math.max(1, one.criteria.length));
        // The source is there whole, whatever it has.
        const lines = original.replaceAll('\r\n', '\n').replace(/\n$/, '');
        expect(written).toContain(`\n${lines}\n~~~`);
      }),
      { numRuns: 500 },
    );
  });
});
