/**
 * What the package writes as criteria is what it proves: for each kind of check and each place that writes
 * them, the criterion holds when its check passed, and not when that one did not run, failed, or another passed.
 */
import { expect, test } from 'vitest';
import { wantedTask } from '../../../src/cli/prompts/new-flags.ts';
import { provedBy } from '../../../src/engine/core/judge/unmet.ts';
import type { Receipt } from '../../../src/task/core/attempts/record.ts';
import { expandPlan } from '../../../src/plans/core/expand.ts';
import { realDisk } from '../../../src/task/store/disk/real-disk.ts';
import { checkName, type Contract } from '../../../src/task/core/model/contract.ts';
import { criteriaFor, isProved } from '../../../src/task/core/model/criterion-check.ts';
import { parseContract, renderContract } from '../../../src/task/text/documents/contract.ts';
import { builtInTemplate } from '../../../src/workspace/open/built-in-templates.ts';
import { around, item, planOf } from './make-plan.ts';
import * as fc from '../../support/property.ts';

const path = fc.stringMatching(/^[a-z_]{1,5}(\/[a-z-]{1,4})?\.(md|txt|json)$/);
const words = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => text.replace(/\s+/g, ' ').trim());
const command = fc.oneof(
  fc.constantFrom('npm test', 'make', 'make test', 'make  test', 'echo `date`', 'test -s a.md'),
  fc.constantFrom(
    "grep -q '<!-- x -->' a.md",
    'a | b # c, d',
    'run: x',
    '[ -e a ] && ! b',
    '~~x~~',
  ),
  words.filter((text) => text !== ''),
);
const heading = fc.constantFrom('Summary', '# Notes', 'Open Points', '##  Risks');
/** An entry of `verify:` for each kind. */
const ENTRIES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  run: command.map((text) => `run: ${text}`),
  file_exists: path.map((one) => `file_exists: ${one}`),
  matches: fc
    .tuple(path, fc.constantFrom('x', 'a b', '^# `q`', '\\d+', 'x, y', '<!-- c -->'))
    .map(([one, pattern]) => `matches: ${one} /${pattern}/`),
  template: fc.tuple(path, path).map((two) => `template: ${two.join('  ')}`),
  json: fc.tuple(path, path).map((two) => `json: ${two.join(' ')}`),
  result: fc
    .array(heading, { minLength: 1, maxLength: 3 })
    .map((all) => `result: ${all.join(' ,')}`),
  named: fc.constantFrom('plan_valid: q3', 'plan_valid: q4', 'squad_valid: law', 'squad_valid'),
  checklist: fc.constantFrom('checklist', 'checklist: done'),
};
const entries = fc.uniqueArray(fc.oneof(...Object.values(ENTRIES)), {
  minLength: 1,
  maxLength: 5,
  // White space is one space in a criterion, so two that differ in it alone are proved together.
  selector: (entry) => entry.replace(/[\s#]+/g, ''),
});

const template = builtInTemplate(realDisk, 'contract') as Parameters<typeof renderContract>[1];

function written(
  verify: readonly string[],
  deliverables: readonly string[],
  criteria: readonly string[],
) {
  const head = { v: 1, title: 'A', verify, deliverables };
  const text = renderContract({ head, title: 'A', objective: 'A', criteria }, template);
  const read = parseContract(text, 'contract.md');
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

function receipt(check: string, passed: boolean): Receipt {
  return { check, passed, exit_code: null, at: '', ms: 0, reason: '', output: '' };
}

/** The numbers of the criteria that these receipts and files prove. */
function proved(contract: Contract, receipts: readonly Receipt[], files: readonly string[] = []) {
  const seen = files.map((one) => ({ path: one, hash: 'h', bytes: 1, before: undefined }));
  return [...provedBy(contract, seen, receipts)].map(({ number }) => number);
}

/** One criterion a check, in their order, then one a deliverable. */
function expectExact(contract: Contract): void {
  const checks = contract.checks.filter(({ kind }) => kind !== 'checklist').map(checkName);
  const { deliverables } = contract.head;
  expect(contract.criteria).toHaveLength(checks.length + deliverables.length);
  const all = contract.criteria.map(({ number }) => number);
  expect(
    proved(
      contract,
      checks.map((one) => receipt(one, true)),
      deliverables,
    ),
  ).toEqual(all);
  expect(
    proved(
      contract,
      checks.map((one) => receipt(one, false)),
    ),
  ).toEqual([]);
  expect(proved(contract, [])).toEqual([]);
  for (const [at, check] of checks.entries()) {
    expect(proved(contract, [receipt(check, true)])).toContain(at + 1);
    const others = checks.filter((one) => one !== check).map((one) => receipt(one, true));
    expect(proved(contract, others)).not.toContain(at + 1);
    expect(proved(contract, [...others, receipt(check, false)])).not.toContain(at + 1);
  }
}

const files = fc.uniqueArray(
  path.map((one) => `out/${one}`),
  { maxLength: 2 },
);

test('the criteria of checks and deliverables, of each kind alone and mixed', () => {
  const check = (verify: readonly string[], deliverables: readonly string[]): void =>
    expectExact(written(verify, deliverables, criteriaFor(verify, deliverables)));
  for (const entry of Object.values(ENTRIES)) {
    fc.assert(
      fc.property(entry, files, (one, paths) => check([one], paths)),
      { numRuns: 60 },
    );
  }
  fc.assert(fc.property(entries, files, check), { numRuns: 200 });
});

test('the criteria of an item of a plan, as of a story, a workflow and a team', () => {
  fc.assert(
    fc.property(entries, files, (verify, deliverables) => {
      const plan = planOf([item('a', { verify, deliverables })]);
      const { drafts } = expandPlan(plan, around({ names: ['builder'] }));
      expect(drafts).toHaveLength(1);
      for (const { checks, contract, deliverables: paths } of drafts) {
        if (checks.every((one) => one.startsWith('checklist')) && paths.length === 0) continue;
        expectExact(written(checks, paths, contract.criteria));
      }
    }),
    { numRuns: 200 },
  );
});

test('the criteria that new writes for its flags', () => {
  const none = { criterion: [], dependsOn: [], contextFile: [], gate: [], tag: [] };
  const texts = fc.oneof(command, fc.oneof(...Object.values(ENTRIES)));
  fc.assert(
    fc.property(fc.uniqueArray(texts, { maxLength: 3 }), files, (run, deliverable) => {
      const { head, criteria = [] } = wantedTask('A', { ...none, run, deliverable });
      const contract = written(head?.['verify'] as string[], deliverable, criteria);
      const all = contract.checks.map((one) => receipt(checkName(one), true));
      expect(proved(contract, all, deliverable)).toEqual(criteria.map((_, at) => at + 1));
      expect(proved(contract, [])).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['`out/plan.md` is there, and `plan_valid` passes', 'plan_valid: q3', 'plan_valid: q4'],
  ['`out/plan.md` is there, and `squad_valid` passes', 'squad_valid: law', 'plan_valid: q3'],
])('%s: the file and the check, none alone', (text, check, other) => {
  const contract = written([check, 'run: true'], ['out/plan.md'], [text]);
  expect(proved(contract, [receipt(check, true)], ['out/plan.md'])).toEqual([1]);
  expect(proved(contract, [receipt(check, true)])).toEqual([]);
  expect(proved(contract, [receipt(check, false)], ['out/plan.md'])).toEqual([]);
  expect(
    proved(contract, [receipt(other, true), receipt('run: true', true)], ['out/plan.md']),
  ).toEqual([]);
});

test('a check that contains the name of another is the one that counts', () => {
  const verify = ['file_exists: a.txt', 'matches: a.txt /x/', 'json: a.txt b.json', 'run: a.txt'];
  const contract = written(verify, [], ['`matches: a.txt /x/` passes', 'matches: a.txt /x/']);
  for (const check of contract.checks) {
    const found = contract.criteria.filter((one) => isProved(contract, one, (by) => by === check));
    expect(found.map(({ number }) => number)).toEqual(check.kind === 'matches' ? [1] : []);
  }
});
