/** A request as a contract for the plan agent, and the check that its plan must pass. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invalidPlan } from '../../src/plans/engine/start/check-plan.ts';
import { readContract } from '../../src/workspace/tasks/read-contract.ts';
import { makeTask } from '../engine/core/make.ts';
import { plans } from '../../src/plans/engine/follow/capability.ts';
import { draftsOfPlan } from '../../src/plans/engine/start/drafts.ts';
import { planElsewhere } from '../../src/plans/engine/start/find-plans.ts';
import { askForPlan } from '../../src/plans/engine/start/request-plan.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Contract } from '../../src/task/core/model/contract.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { openedAt } from '../support/opened.ts';

function opened(files: Readonly<Record<string, string>> = {}): Workspace {
  const root = sealedFolder('plan-new');
  mkdirSync(join(root, 'active_tasks'));
  for (const [name, text] of Object.entries({ '.contracts/config.yaml': '', ...files }))
    putFile(join(root, name), text);
  return openedAt(root, { env: { ...sealedEnv(), HOME: join(root, 'home') } });
}

function asked(ws: Workspace, request: string, more = {}): { plan: string; contract: Contract } {
  const made = askForPlan(ws, { request, ...more });
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  const { plan, created } = made.value;
  const folder = join(ws.layout.root, dirname(created.file));
  const { contract } = readContract(ws, folder, created.id);
  if (!contract.ok) throw new Error('no contract');
  return { plan, contract: contract.value };
}

const JUDGES = 'adapter: mine\nadapters:\n  mine: { type: command, run: [sh] }\n';

describe('plan new', () => {
  test('names the squad, asks first, and a person is the gate where nobody can judge', () => {
    const { plan, contract } = asked(opened(), 'A newsletter campaign\n## with a heading');
    expect(plan).toBe('a-newsletter-campaign-with-a-heading'.slice(0, plan.length));
    expect(contract.head.quality_gate).toEqual(['person']);
    expect(contract.head.agent).toBe('plan');
    expect(contract.checks).toEqual([{ kind: 'named', name: 'plan_valid', path: plan }]);
    expect(contract.head.deliverables).toEqual([`.contracts/plans/${plan}/plan.md`]);
    expect(contract.requirements).toContain('> ## with a heading');
    expect(contract.requirements).toContain('`copywriter`');
    expect(contract.instructions).toContain('Who is it for');
    expect(contract.criteria).toHaveLength(3);
  });

  test('plan-analyzer and plan-reviewer judge where a client can be them', () => {
    const { contract } = asked(opened({ '.contracts/config.yaml': JUDGES }), 'Fix the login bug');
    expect(contract.head.quality_gate).toEqual(['plan-analyzer', 'plan-reviewer']);
    const one = `${JUDGES}agents:\n  plan-analyzer: { adapter: human }\n`;
    const half = asked(opened({ '.contracts/config.yaml': one }), 'Fix the login bug');
    expect(half.contract.head.quality_gate).toEqual(['person', 'plan-reviewer']);
  });

  test('a name that was made is made anew where it is taken, one that was given is refused', () => {
    const ws = opened();
    expect(asked(ws, 'Fix it').plan).toBe('fix-it');
    expect(asked(ws, 'Fix it!').plan).toBe('fix-it-2');
    // Of a request that was cut short.
    mkdirSync(join(ws.layout.root, '.contracts/plans/left-over'));
    expect(asked(ws, 'Left over').plan).toBe('left-over');
    mkdirSync(join(ws.layout.root, '.contracts/plans/empty'));
    expect(asked(ws, 'Fix it', { name: 'empty' }).plan).toBe('empty');
    const again = askForPlan(ws, { request: 'Fix it', name: 'empty' });
    expect(again.ok, 'a request holds its name before its plan is written').toBe(false);
    writeFileSync(join(ws.layout.root, '.contracts/plans/empty/plan.md'), '- [ ] x\n');
    const codes = (more: object): readonly string[] => {
      const made = askForPlan(ws, { request: 'Fix it', ...more });
      return made.ok ? [] : made.problems.map(({ code }) => code);
    };
    expect(codes({ name: 'empty' })).toEqual(['bad_value']);
    expect(codes({ name: '../up' })).toEqual(['bad_value']);
    expect(codes({ squads: ['nobody'] })).toEqual(['unknown_squad']);
    expect(readFileSync(join(ws.layout.root, '.contracts/plans/empty/plan.md'), 'utf8')).toBe(
      '- [ ] x\n',
    );
  });

  test('of several squads the first has the plan, and the others a part in it', () => {
    const ws = opened({
      '.contracts/squads/legal/SQUAD.yaml': 'description: Law\nagents: [analyst]\n',
      '.contracts/squads/legal/workflows/review.yaml': 'description: How a contract is read\n',
    });
    const { contract } = asked(ws, 'Launch it', { squads: ['legal', 'dev', 'marketing'] });
    expect(contract.requirements).toContain('Squad: `legal` (as it was asked for)');
    expect(contract.requirements).toContain('The request also names `dev` and `marketing`');
    expect(contract.requirements).toContain('- `.contracts/squads/legal/workflows/review.yaml`');
    const none = askForPlan(ws, { request: 'Launch it', squads: ['legal', 'lawl', 'nobody'] });
    expect(none.ok ? [] : none.problems.map(({ found }) => found)).toEqual(['lawl', 'nobody']);
  });

  test('nothing is made behind a link', () => {
    const ws = opened();
    const out = sealedFolder('out');
    symlinkSync(out, join(ws.layout.root, '.contracts/plans'));
    const made = askForPlan(ws, { request: 'Fix it' });
    expect(made.ok ? [] : made.problems.map(({ code }) => code)).toEqual(['not_a_file']);
  });
});

describe('plan_valid', () => {
  const GOOD = '- [ ] Say hello (executor: @mine, verify: `run: true`)\n';
  const why = (text: string | undefined, said: string | undefined = 'launch'): string => {
    const plan = text === undefined ? {} : { '.contracts/plans/launch/plan.md': text };
    const ws = opened({ '.contracts/config.yaml': JUDGES, ...plan });
    const { contract } = asked(ws, 'Other');
    const head = { ...contract.head, deliverables: said === undefined ? ['a.md'] : [] };
    return invalidPlan(ws, ws.layout.root, { ...contract, head }, said) ?? 'holds';
  };

  test.each([
    ['launch', GOOD, 'holds'],
    ['.contracts/plans/launch', GOOD, 'holds'],
    ['./.contracts/plans/launch/plan.md', GOOD, 'holds'],
    ['launch', undefined, '.contracts/plans/launch/plan.md: there is no such file'],
    ['launch', '# Nothing\n', '.contracts/plans/launch/plan.md:1:1: there is nothing to do in it'],
    ['Launch it', GOOD, 'Launch it is no name of a plan'],
    [
      'launch',
      `${GOOD}\n- [ ] x (executor: @nobodyy)\n`,
      'plan.md:3:1: error: this agent does not exist',
    ],
    ['launch', `${GOOD}\n\n- [ ] x (depends: y)\n`, 'plan.md:4:1: error: '],
  ])('of %s with %j: %s', (said, text, expected) => {
    expect(why(text, said)).toContain(expected);
  });

  test('without a name it is the deliverable that is a plan, and there must be one', () => {
    const ws = opened({
      '.contracts/config.yaml': JUDGES,
      '.contracts/plans/launch/plan.md': '# No work\n',
    });
    const { contract } = asked(ws, 'Other');
    const of = (path: string) => {
      const head = { ...contract.head, deliverables: ['a.md', path] };
      return invalidPlan(ws, ws.layout.root, { ...contract, head }, undefined);
    };
    expect(of('.contracts/plans/launch/plan.md')).toContain('there is nothing to do in it');
    expect(of('b.md')).toContain('it names no plan');
  });
});

test('a plan on a desk is checked with the squads of the workspace', () => {
  const file = 'active_tasks/.desk/ask.0001/documents/plans/launch/plan.md';
  const ws = opened({
    '.contracts/config.yaml': JUDGES,
    '.contracts/squads/legal/SQUAD.yaml': 'description: Law\nagents: [clerk]\n',
    '.contracts/squads/legal/agents/clerk.md': '---\ndescription: Reads\n---\n',
    [file]:
      'Squad: legal\n\n- [ ] Read it (executor: @clerk, verify: report)\n- [ ] x (depends: y)\n',
  });
  const there = planElsewhere(ws, join(ws.layout.root, file));
  const read = draftsOfPlan(there?.ws ?? ws, there?.name ?? '');
  const found = read.ok ? read.value.problems : read.problems;
  const errors = found.filter(({ severity }) => severity === 'error');
  expect(errors.map((one) => `${one.file}:${one.line}`)).toEqual([`${file}:4`]);
});

test.each([
  [JUDGES, true],
  ['adapter: human\n', false],
])(
  'a request whose plan is there waits for a person, unless they write it: %j',
  (config, waits) => {
    const ws = opened({ '.contracts/config.yaml': config });
    const { contract } = asked(ws, 'Launch it', { name: 'launch' });
    const task = makeTask('draft', { id: 'ask-launch' });
    expect(plans.hold?.(ws, contract, task, new Map())).toBeUndefined();
    writeFileSync(join(ws.layout.root, '.contracts/plans/launch/plan.md'), 'By hand.\n');
    const fix = plans.hold?.(ws, contract, task, new Map())?.fix;
    expect(fix?.includes('contracts abort ask-launch')).toBe(waits || undefined);
  },
);
