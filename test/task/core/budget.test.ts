/** What a task and a run may use: the nearest limit, the sum over outcomes, the words at the limit. */
import { describe, expect, test } from 'vitest';
import {
  addUse,
  budgetFor,
  isCounted,
  NO_USE,
  overBudget,
  useOf,
  calledOnce,
} from '../../../src/task/core/attempts/budget.ts';
import { DEFAULT_CONFIG } from '../../../src/task/core/model/policy.ts';
import type { Attempt } from '../../../src/task/core/attempts/record.ts';
import {
  decideOn,
  makeAttempt,
  makeContract,
  makeFacts,
  makeTask,
} from '../../engine/core/make.ts';

describe('the budget', () => {
  const config = { ...DEFAULT_CONFIG, cost_max: 3, tokens_max: 30 };
  test('is the nearest one, key by key', () => {
    const contract = makeContract({ head: { cost_max: 1 } });
    expect(budgetFor(undefined, undefined, DEFAULT_CONFIG)).toEqual({});
    expect(budgetFor(undefined, undefined, config)).toEqual({ cost_max: 3, tokens_max: 30 });
    expect(budgetFor(undefined, { tokens_max: 20 }, config)).toEqual({
      cost_max: 3,
      tokens_max: 20,
    });
    expect(budgetFor(contract, { cost_max: 2, tokens_max: 20 }, config)).toEqual({
      cost_max: 1,
      tokens_max: 20,
    });
    expect(budgetFor(makeContract({ head: { cost_max: 0 } }), undefined, config).cost_max).toBe(0);
  });

  test.each([
    [{}, { cost_usd: 9, tokens: 9 }, undefined],
    [{ cost_max: 0.02 }, { cost_usd: 0.0199, tokens: 9 }, undefined],
    [{ cost_max: 0.02 }, { cost_usd: 0.02, tokens: 9 }, '$0.02 of $0.02'],
    [{ cost_max: 1 }, { cost_usd: 1.0355, tokens: 9 }, '$1.0355 of $1.00'],
    [{ tokens_max: 10 }, { cost_usd: 9, tokens: 9 }, undefined],
    [{ tokens_max: 10 }, { cost_usd: 9, tokens: 12 }, '12 of 10 tokens'],
    [{ cost_max: 0 }, NO_USE, '$0.00 of $0.00'],
  ] as const)('%j with %j', (budget, use, words) => {
    expect(overBudget(budget, use)?.words).toBe(words);
  });
});

describe('the use', () => {
  test('is the sum over outcomes, lost ones too; what was taken over is told once', () => {
    const record = { cost_usd: 0.5, input_tokens: 10, output_tokens: 1 };
    const attempts = [
      makeAttempt(1, { outcome: 'failed', record }),
      makeAttempt(2, { outcome: 'failed', record, lost: true }),
      makeAttempt(3, { outcome: 'complete', record: { ...record, adopted: 2 } }),
      makeAttempt(4, { outcome: 'approved', record }),
      makeAttempt(5),
    ];
    expect(useOf(attempts)).toEqual({ cost_usd: 1.5, tokens: 33 });
    expect(calledOnce(attempts).map(({ attempt }) => attempt)).toEqual([1, 2, 4]);
    expect(addUse(NO_USE, {})).toEqual(NO_USE);
  });

  test('of a dead attempt without an outcome stands where it was taken over, and counts once', () => {
    const record = { cost_usd: 0.5, input_tokens: 10, output_tokens: 1, adopted: 1 };
    const attempts = [
      makeAttempt(1, { lost: true }),
      makeAttempt(2, { outcome: 'failed', record, lost: true }),
      makeAttempt(3, { outcome: 'failed', record }),
    ];
    expect(useOf(attempts)).toEqual({ cost_usd: 0.5, tokens: 11 });
    expect(isCounted(attempts.slice(0, 1), 1)).toBe(false);
    expect(isCounted(attempts, 1)).toBe(true);
    expect(isCounted(attempts, undefined)).toBe(false);
  });
});

describe('over the budget', () => {
  const over_budget = { reason: 'has used it up', fix: 'raise it' };
  test('a ready task waits for a person instead of being claimed', () => {
    expect(decideOn(makeTask('ready'), makeFacts())).toMatchObject({ kind: 'claim' });
    expect(decideOn(makeTask('ready'), makeFacts({ over_budget }))).toMatchObject({
      kind: 'wait',
      on: 'person',
      ...over_budget,
    });
  });

  const exit = { exit_code: 0, ended: '2026-11-21T12:00:00Z' };
  const dead = makeAttempt(1);
  const reviewed = makeAttempt(1, { kind: 'review', owner: { agent: 'janitor', base: 0 } });
  test.each([
    ['work', 'in_progress', [dead], 'wait'],
    ['work that was put back', 'ready', [dead], 'wait'],
    ['a review', 'review', [reviewed], 'wait'],
    ['work whose agent came to its end', 'in_progress', [{ ...dead, exit }], 'claim'],
    ['a review whose reviewer did', 'review', [{ ...reviewed, exit }], 'claim'],
    ['verification', 'review', [{ ...reviewed, owner: { ...dead.owner, agent: '' } }], 'claim'],
    ['work that was moved on', 'blocked', [dead], 'claim'],
    ['work taken over by one that died', 'in_progress', [{ ...dead, exit, lost: true }], 'claim'],
  ] as const)('of a dead runner %s (%s)', (_what, state, attempts, kind) => {
    const task = makeTask(state, { attempts: attempts as readonly Attempt[] });
    expect(decideOn(task, makeFacts({ holder: 'dead' }))).toMatchObject({
      kind: 'claim',
      recovers: true,
    });
    expect(decideOn(task, makeFacts({ holder: 'dead', over_budget })).kind).toBe(kind);
  });

  test('no gate is asked any more, but verification goes on', () => {
    const has = { ...makeTask('review').has, result: true };
    const gated = { head: { quality_gate: ['janitor'] } };
    const task = (contract: ReturnType<typeof makeContract>) =>
      makeTask('review', { has, contract: { ok: true, value: contract, warnings: [] } });
    const asks = task(makeContract(gated));
    expect(decideOn(asks, makeFacts())).toMatchObject({ kind: 'claim', gate: 'janitor' });
    expect(decideOn(asks, makeFacts({ over_budget }))).toMatchObject({
      kind: 'wait',
      on: 'person',
    });
    const verifies = task(makeContract({ checks: [{ kind: 'run', command: 'true' }] }));
    expect(decideOn(verifies, makeFacts({ over_budget }))).toMatchObject({
      kind: 'claim',
      gate: '',
    });
  });
});
