/** Which model an attempt is called with: the nearest name, and the next of the chain after a failure. */
import { describe, expect, test } from 'vitest';
import { modelChain, modelFor } from '../../../src/task/core/model/models.ts';
import { DEFAULT_CONFIG, type Config } from '../../../src/task/core/model/policy.ts';
import { makeAttempt, makeContract, type AttemptInput } from '../../engine/core/make.ts';

const CONFIG: Config = {
  ...DEFAULT_CONFIG,
  categories: { deep: { model: 'category', models: ['c2'] } },
  adapters: { claude: { model: 'adapter', models: ['a2', 'a3'] } },
};

describe('the chain', () => {
  const deep = makeContract({ head: { category: 'deep' } });
  const own = makeContract({ head: { category: 'deep', model: 'contract' } });
  const rows = [
    ['nobody names one', undefined, undefined, DEFAULT_CONFIG, []],
    ['the adapter names them', undefined, undefined, CONFIG, ['adapter', 'a2', 'a3']],
    ['the category is nearer', deep, undefined, CONFIG, ['category', 'c2']],
    ['the agent is nearer', deep, { model: 'agent' }, CONFIG, ['agent', 'c2']],
    ['its own chain', deep, { models: ['m1', 'm2'] }, CONFIG, ['category', 'm1', 'm2']],
    ['the contract is nearest', own, { model: 'agent' }, CONFIG, ['contract', 'c2']],
    ['no model twice', own, { models: ['x', 'contract', 'x'] }, CONFIG, ['contract', 'x']],
    [
      'a name of Object is no category',
      makeContract({ head: { category: 'constructor' } }),
      undefined,
      CONFIG,
      ['adapter', 'a2', 'a3'],
    ],
  ] as const;
  test.each(rows)('%s', (_name, contract, agent, config, chain) => {
    const named = agent as Parameters<typeof modelChain>[1];
    expect(modelChain(contract, named, config, 'claude')).toEqual(chain);
  });
});

describe('the model of the next attempt', () => {
  const CHAIN = ['m1', 'm2', 'm3'];
  const failed = (error?: 'model' | 'other', more: AttemptInput = {}): AttemptInput => ({
    outcome: 'failed',
    record: { agent: 'builder', ...(error === undefined ? {} : { error }) },
    ...more,
  });
  const rows: readonly (readonly [string, readonly AttemptInput[], string])[] = [
    ['is the first', [], 'm1'],
    ['stays after another failure', [failed(), failed('other')], 'm1'],
    ['is the next after a failure of the model', [failed('model')], 'm2'],
    ['stays there', [failed('model'), failed(), { outcome: 'questions' }], 'm2'],
    ['goes on', [failed('model'), failed('model')], 'm3'],
    ['ends with the last', [failed('model'), failed('model'), failed('model')], 'm3'],
    [
      'begins again after a resolution',
      [failed('model'), failed(undefined, { blocked: true })],
      'm1',
    ],
    [
      'is not that of another agent',
      [failed('model', { record: { agent: 'other', error: 'model' } })],
      'm1',
    ],
    ['is not that of a review', [failed('model', { kind: 'review' })], 'm1'],
    ['is not that of a lost attempt', [failed('model', { lost: true })], 'm1'],
  ];
  test.each(rows)('%s', (_name, inputs, model) => {
    const attempts = inputs.map((input, i) => makeAttempt(i + 1, input));
    const who = { kind: 'work', agent: 'builder', resolved: false } as const;
    expect(modelFor(CHAIN, attempts, who)).toBe(model);
    expect(modelFor([], attempts, who)).toBeUndefined();
  });
});
