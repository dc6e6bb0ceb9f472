/**
 * What holds of every plan, however odd: expansion ends with contracts or with problems, never with a
 * cycle, an agent that nobody knows or a name that is none; and what a task is called hangs on its item alone.
 */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../src/plans/core/expand.ts';
import type { PlanDraft } from '../../../src/plans/core/plan-draft.ts';
import { findCycles } from '../../../src/task/core/base/dependency-graph.ts';
import { isTaskId } from '../../../src/task/core/model/id.ts';
import {
  BOX_MEANINGS,
  type PlanDocument,
  type PlanItem,
} from '../../../src/plans/core/plan-document.ts';
import { PERSON } from '../../../src/task/core/model/contract.ts';
import { parseContract, renderContract } from '../../../src/task/text/documents/contract.ts';
import { builtInTemplate } from '../../../src/workspace/open/built-in-templates.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { parsePlan } from '../../../src/plans/text/plan.ts';
import { around, item, planOf, squadOf } from './make-plan.ts';
import * as fc from '../../support/property.ts';

const KNOWN = ['dev', 'qa', 'po', 'builder', 'human'];
const TASKS = ['older-task', 'another_one'];
const team = squadOf('team', ['writer', 'lead'], {
  default_executor: 'writer',
  default_reviewer: 'lead',
  quality_gates: true,
  verification: 'file_exists',
});
const there = around({ names: KNOWN, teams: [team], tasks: TASKS });

const key = fc.stringMatching(/^[a-e](-[a-z0-9]{1,3}){0,2}$/);
const word = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-',
    '__proto__',
    'constructor',
    '1',
    '2.1',
    'wave 1',
    'wave 9',
    'a',
    'b',
  ),
  fc.constantFrom(...KNOWN, ...TASKS, 'writer', 'team/writer', '@qa', 'person', 'tests', 'report'),
  fc.constantFrom('checklist', 'file_exists', 'reviewer', 'run: true', 'lsp_build_test', '`x.md`'),
  key,
  fc.string({ maxLength: 12 }),
);
const few = fc.array(word, { maxLength: 3 });

/** Anything that the shape allows, keys that are double and nestings that go round as well. */
const anyItem: fc.Arbitrary<PlanItem> = fc
  .record({
    key: fc.oneof(key, word),
    title: fc.oneof(word, fc.string({ maxLength: 60 })),
    kind: fc.constantFrom('task' as const, 'task' as const, 'group' as const),
    meaning: fc.constantFrom(...BOX_MEANINGS),
    within: fc.option(key, { nil: undefined }),
    label: fc.option(word, { nil: undefined }),
    wave: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    squad: fc.option(fc.constantFrom('team', 'nobody'), { nil: undefined, freq: 4 }),
    type: fc.option(word, { nil: undefined }),
    category: fc.option(word, { nil: undefined }),
    executors: few,
    reviewers: few,
    verify: few,
    depends: few,
    deliverables: few,
    paths: few,
    context_files: few,
    skills: few,
    text: fc.string({ maxLength: 80 }),
  })
  .map(({ meaning, ...given }) => {
    const said = Object.entries(given).filter(([, value]) => value !== undefined);
    const box = { line: 1, offset: 0, meaning };
    return item(given.key, { ...(Object.fromEntries(said) as Partial<PlanItem>), box });
  });

const anyPlan: fc.Arbitrary<PlanDocument> = fc
  .record({
    items: fc.array(anyItem, { maxLength: 12 }),
    checkpoint: fc.option(fc.constantFrom('auto', 'interactive', '@po', '@x', ''), {
      nil: undefined,
    }),
    squad: fc.option(fc.constantFrom('team', 'nobody'), { nil: undefined, freq: 3 }),
    contract_type: fc.option(word, { nil: undefined }),
  })
  .map(({ items, ...more }) => {
    const said = Object.entries(more).filter(([, value]) => value !== undefined);
    return planOf(items, Object.fromEntries(said));
  });

/** Mostly sound: most of these become contracts. */
const soundPlan: fc.Arbitrary<PlanDocument> = fc
  .uniqueArray(key, { minLength: 1, maxLength: 14 })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((one, i) =>
        fc
          .record({
            executors: fc.subarray(['dev', 'builder', 'human', 'writer'], { maxLength: 2 }),
            verify: fc.subarray(['tests', 'checklist', 'report', '@qa', 'person']),
            depends:
              i === 0
                ? fc.constant([])
                : fc.subarray(keys.slice(0, i), { maxLength: Math.min(3, i) }),
            wave: fc.constant(1 + Math.floor(i / 4)),
            squad: fc.constant('team'),
          })
          .map((more) => item(one, { ...more, executors: more.executors, title: `Do ${one}` })),
      ),
    ),
  )
  .chain((items) =>
    fc
      .constantFrom('auto', 'interactive', '@po')
      .map((checkpoint) => planOf(items, { checkpoint })),
  );

function sound(drafts: readonly PlanDraft[]): void {
  const known = new Set([...KNOWN, 'team/writer', 'team/lead']);
  const before = new Set(TASKS);
  for (const { id, agent, gates, depends_on } of drafts) {
    expect(isTaskId(id), id).toBe(true);
    expect(before.has(id), `${id} twice`).toBe(false);
    for (const one of depends_on) expect(before.has(one), `${one} before ${id}`).toBe(true);
    before.add(id);
    expect([...known, PERSON]).toContain(agent);
    for (const gate of gates) {
      expect([...known, PERSON]).toContain(gate);
      // What a person did himself he confirms.
      if (agent !== PERSON) expect(gate).not.toBe(agent);
    }
  }
  expect(findCycles(new Map(drafts.map(({ id, depends_on }) => [id, depends_on]))).size).toBe(0);
}

const runs = { numRuns: 300 };

test('every document ends in contracts that are sound, or in errors with a line', () => {
  fc.assert(
    fc.property(anyPlan, (document) => {
      const { drafts, problems } = expandPlan(document, there);
      const errors = problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) expect(drafts).toEqual([]);
      for (const one of problems) expect(one.line).toBeGreaterThan(0);
      sound(drafts);
    }),
    runs,
  );
});

test('plans that are sound become contracts, and each of them can be read again', () => {
  const template = builtInTemplate(realDisk, 'contract');
  fc.assert(
    fc.property(soundPlan, (document) => {
      const { drafts, problems } = expandPlan(document, there);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      const parts = document.items.reduce((sum, { executors }) => sum + (executors.length || 1), 0);
      expect(drafts.filter(({ kind }) => kind === 'task')).toHaveLength(parts);
      sound(drafts);
      for (const { contract, id } of drafts) {
        const head = { v: 1, ...contract.head };
        const read = parseContract(renderContract({ ...contract, head }, template), `${id}.md`);
        if (!read.ok) throw new Error(JSON.stringify(read.problems));
        expect(read.value.title).toBe(contract.title);
        expect(read.value.head.depends_on).toEqual(contract.head['depends_on'] ?? []);
        expect(read.value.criteria).toHaveLength(contract.criteria.length);
      }
    }),
    { numRuns: 60 },
  );
});

/** Order and boxes change, and items come in between; what an item says of itself stays. */
const edited = soundPlan.chain((document) =>
  fc
    .tuple(
      fc.shuffledSubarray([...document.items], { minLength: document.items.length }),
      fc.array(fc.constantFrom(...BOX_MEANINGS), { minLength: 14, maxLength: 14 }),
      fc.boolean(),
    )
    .map(([items, meanings, more]) => {
      const boxed = items.map((one, i) => ({
        ...one,
        box: { ...one.box, meaning: meanings[i] ?? ('open' as const) },
      }));
      const added = more ? [item('z-new', { title: 'New', wave: 1, verify: ['tests'] })] : [];
      const { checkpoint } = document;
      return [
        document,
        planOf([...added, ...boxed], checkpoint === undefined ? {} : { checkpoint }),
      ] as const;
    }),
);

test('a task is called the same when its plan was reordered, ticked and added to', () => {
  fc.assert(
    fc.property(edited, ([before, after]) => {
      const ids = (document: PlanDocument, tasks: readonly string[]) => {
        const { items } = expandPlan(document, around({ names: KNOWN, teams: [team], tasks }));
        return new Map(items.map(({ item, tasks }) => [item.key, tasks]));
      };
      const first = ids(before, []);
      const made = [...first.values()].flat();
      const second = ids(after, made);
      for (const [key, tasks] of first) expect(second.get(key)).toEqual(tasks);
    }),
    runs,
  );
});

test('any text at all is a plan or a problem', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .tuple(
        fc.constantFrom('- [ ] ', '* [x] ', '1. [ ] ', '  - [~] ', '## Wave 1', 'Squad: team'),
        word,
      )
      .map(([a, b]) => a + b),
    fc
      .tuple(word, word, word)
      .map(([a, b, c]) => `- [ ] Do ${a} (executor: ${b}, verify: ${c}, depends: ${a})`),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const read = parsePlan(lines.join('\n'), 'plan.md');
      if (read.ok) sound(expandPlan(read.value, there).drafts);
    }),
    runs,
  );
});
