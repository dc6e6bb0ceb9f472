/**
 * Admission: each rule that keeps a claim from being made now, in the plan of a step (which `--dry-run` prints) and
 * at the claim itself; and what holds for every board: both give the same answer.
 */
import { describe, expect, test } from 'vitest';
import { Writers } from '../../../src/task/core/base/glob-overlap.ts';
import { PRIORITIES } from '../../../src/task/core/model/contract-shape.ts';
import {
  admit,
  rivalOf,
  type Claim,
  type Claimant,
  type Taken,
} from '../../../src/engine/core/decide/admission.ts';
import { planStep, type Candidate } from '../../../src/engine/core/decide/schedule.ts';
import { wait } from '../../../src/engine/core/words/waits.ts';
import * as fc from '../../support/property.ts';

function claim(input: Partial<Claim> = {}): Claim {
  const given = { attempt: 1, work: 'work', owner: 'process', gate: '' } as const;
  return { kind: 'claim', ...given, recovers: false, reason: '', ...input };
}

function claimant(id: string, input: Partial<Claimant> = {}): Claimant {
  const given = { turn: undefined, writes: [], shared: true };
  return { id, action: claim(), calls: true, ...given, ...input };
}

function taken(input: Partial<Taken> = {}): Taken {
  const nothing = { held: new Map(), full: undefined, turns: new Map(), writers: [] };
  return { ...nothing, conflicts: 'serialize', ...input };
}

function written(id: string, path: string, shared = true): Pick<Taken, 'writers'> {
  const writers = new Writers();
  writers.add(id, [path], shared);
  return { writers: [writers] };
}

const review = { action: claim({ work: 'review', gate: 'critic' }) };
const recovery = { action: claim({ recovers: true }) };
const person = { action: claim({ owner: 'person' }), calls: false };
const mine = { writes: ['x'] };
const held = { held: new Map([['a', wait('held', { reason: 'paused', fix: '' })]]) };
const untrusted = { untrusted: { reason: 'r', fix: 'f' } };
const run_budget = { run_budget: { used: '2 tokens', key: 'tokens_max' } };
const stopped = { stopped: wait('paused', { reason: '' }) };
const day_budget = { day_budget: { used: '$2 of $2' } };
const mine_of = (...slots: string[]) => ({ slots });
const theirs = (...all: string[][]): Partial<Taken> => ({
  limits: { claude: 2, review: 1 },
  holders: new Map(all.map((slots, i) => [`t${i}`, slots])),
});
const pause = { pause: { until_ms: 0, reason: 'later' } };

describe('a claim', () => {
  const table: readonly [string, Partial<Claimant>, Partial<Taken>, string][] = [
    ['is made where nothing is taken', {}, {}, ''],
    ['waits in an untrusted workspace', {}, untrusted, 'untrusted'],
    ['waits while a capability holds the task', {}, held, 'held'],
    ['is made for what a dead runner left, though it is held', recovery, held, ''],
    ['waits while all slots are taken', {}, { full: 2 }, 'slots'],
    ['of a review waits for a slot too', review, { full: 2 }, 'slots'],
    ['of a recovery waits for a slot too', recovery, { full: 2 }, 'slots'],
    ['for a person takes no slot', person, { full: 2 }, ''],
    ['has a slot of its client', mine_of('work', 'claude'), theirs(['work', 'claude']), ''],
    [
      'waits where its client has no slot left',
      mine_of('work', 'claude'),
      theirs(['work', 'claude'], ['review', 'claude']),
      'slots',
    ],
    ['of another client goes', mine_of('work', 'codex'), theirs(['claude'], ['claude']), ''],
    ['of a review waits for the only one', mine_of('review'), theirs(['review']), 'slots'],
    [
      'for a person needs no slot of reviews',
      { ...person, slots: ['review'] },
      theirs(['review']),
      '',
    ],
    [
      'that goes on has its slot already',
      mine_of('review'),
      { ...theirs(), holders: new Map([['a', ['review']]]) },
      '',
    ],
    ['waits while everything is paused', {}, stopped, 'paused'],
    ['of a recovery waits, too, while everything is paused', recovery, stopped, 'paused'],
    ['waits when the day has used its budget', {}, day_budget, 'day_budget'],
    ['waits when the call of this step is made', {}, { called: true }, 'next_step'],
    ['that calls no agent follows in the same step', person, { called: true }, ''],
    ['waits when the run has used its budget', {}, run_budget, 'run_budget'],
    ['waits while its adapter pauses', {}, pause, 'pause'],
    ['waits for its turn', { turn: 't' }, { turns: new Map([['t', 'b']]) }, 'turn'],
    ['is made in its own turn', { turn: 't' }, { turns: new Map([['t', 'a']]) }, ''],
    ['takes no turn of others', { turn: 't' }, { turns: new Map([['u', 'b']]) }, ''],
    ['waits for a rival in the same tree', mine, written('b', 'x'), 'same_file'],
    ['waits for a rival by a pattern', mine, written('b', '*'), 'same_file'],
    ['is no rival of itself', mine, written('a', 'x'), ''],
    ['of a review writes nothing', { ...review, ...mine }, written('b', 'x'), ''],
    [
      'of a recovery writes the same again',
      { ...recovery, ...mine },
      written('b', 'x'),
      'same_file',
    ],
    ['in a worktree has no rival', { ...mine, shared: false }, written('b', 'x'), ''],
    ['has no rival in a worktree', mine, written('b', 'x', false), ''],
    ['only warns', mine, { ...written('b', 'x'), conflicts: 'warn' }, ''],
    ['does not look', mine, { ...written('b', 'x'), conflicts: 'ignore' }, ''],
  ];
  test.each(table)('%s', (_name, one, present, code) => {
    expect(admit(claimant('a', one), taken(present))?.code ?? '').toBe(code);
  });

  test('gives the first reason, in the order of the rules', () => {
    const all = { ...written('b', 'x'), turns: new Map([['t', 'b']]), called: true, full: 1 };
    const rest: Partial<Taken>[] = [all, run_budget, day_budget, pause, held, stopped, untrusted];
    const present = taken(Object.assign({}, ...rest) as Partial<Taken>);
    const codes: string[] = [];
    const off: readonly Partial<Taken>[] = [
      { untrusted: undefined },
      { stopped: undefined },
      { held: new Map() },
      { full: undefined },
      { called: false },
      { run_budget: undefined },
      { day_budget: undefined },
      { pause: undefined },
      { turns: new Map() },
      { writers: [] },
    ];
    for (const one of off) {
      codes.push(admit(claimant('a', { ...mine, turn: 't' }), present)?.code ?? '');
      Object.assign(present, one);
    }
    const order =
      'untrusted paused held slots next_step run_budget day_budget pause turn same_file';
    expect(codes.join(' ')).toBe(order);
    expect(admit(claimant('a', { ...mine, turn: 't' }), present)).toBeUndefined();
  });

  test('beside a rival that it does not wait for is reported, unless conflicts are ignored', () => {
    const apart = written('b', 'x', false);
    expect(rivalOf(claimant('a', mine), taken(apart))?.id).toBe('b');
    expect(rivalOf(claimant('a', mine), taken({ ...apart, conflicts: 'ignore' }))).toBeUndefined();
  });
});

describe('the plan of a step', () => {
  const free = { held: new Map(), full: undefined, conflicts: 'serialize' } as const;
  const codes = (all: readonly Claimant[]): string[] =>
    planStep(
      all.map((one) => candidate(one)),
      free,
    ).map(({ action }) => (action.kind === 'wait' ? action.code : 'goes'));
  const other: Candidate = {
    ...candidate(claimant('a')),
    action: wait('held', { reason: 'r', fix: '' }),
    claimant: undefined,
  };

  test('leaves a file to the first task in the order', () => {
    expect(codes([claimant('b', mine), claimant('a', mine)])).toEqual(['goes', 'same_file']);
  });

  test('a task that waits keeps no file from others, and waits as it did', () => {
    const plan = planStep([other, candidate(claimant('b', mine))], free);
    expect(plan.map(({ action }) => action.kind)).toEqual(['wait', 'claim']);
  });

  test('begins no more of a client than its slots allow', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => claimant(id, mine_of('work', 'claude')));
    const plan = planStep(
      all.map((one) => candidate(one)),
      { ...free, limits: { claude: 2 }, holders: new Map([['z', ['work', 'claude']]]) },
    );
    expect(plan.map(({ action }) => action.kind)).toEqual(['claim', 'wait', 'wait', 'wait']);
  });

  test('two recoveries of one file go one after the other', () => {
    const all = ['a', 'b'].map((id) => claimant(id, { ...mine, ...recovery }));
    expect(codes(all)).toEqual(['goes', 'same_file']);
  });

  test('gives a turn to what was begun', () => {
    const all = [claimant('a', { turn: 't' }), claimant('b', { turn: 't', ...recovery })];
    expect(codes(all)).toEqual(['turn', 'goes']);
  });
});

function candidate(one: Claimant, more: Partial<Candidate> = {}): Candidate {
  return {
    id: one.id,
    priority: 'medium',
    since_ms: 0,
    action: one.action,
    claimant: one,
    ...more,
  };
}

const anyClaimant = fc.record({
  id: fc.string({ minLength: 1, maxLength: 2 }),
  priority: fc.constantFrom(...PRIORITIES),
  turn: fc.constantFrom(undefined, 't', 'u'),
  writes: fc.subarray(['x', 'y', '*']),
  shared: fc.boolean(),
  action: fc.record({
    work: fc.constantFrom('work' as const, 'review' as const),
    owner: fc.constantFrom('process' as const, 'person' as const),
    recovers: fc.boolean(),
  }),
});
const anyTaken = fc.record({
  ids: fc.array(fc.string({ minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  full: fc.constantFrom(undefined, 2),
  conflicts: fc.constantFrom('serialize' as const, 'warn' as const, 'ignore' as const),
});

test('what a plan lets begin is admitted at its claim, and what it lets begin never clashes', () => {
  const all = fc.uniqueArray(anyClaimant, { selector: ({ id }) => id, maxLength: 8 });
  fc.assert(
    fc.property(all, anyTaken, (made, { ids, full, conflicts }) => {
      const given = {
        held: new Map(ids.map((id) => [id, wait('held', { reason: 'r', fix: '' })])),
        full,
        conflicts,
      };
      const candidates = made.map(({ priority, action, ...one }) =>
        candidate(claimant(one.id, { ...one, action: claim(action) }), { priority }),
      );
      const writers = new Writers();
      const plan = planStep(candidates, given, writers);
      const turns = new Map<string, string>();
      const begun = plan.flatMap((one) => (one.action.kind === 'claim' ? [one.claimant] : []));
      for (const one of begun) {
        expect(one).toBeDefined();
        if (one === undefined) continue;
        expect(admit(one, { ...given, turns, writers: [writers] })).toBeUndefined();
        if (one.turn !== undefined) turns.set(one.turn, one.id);
      }
      const files = begun.flatMap((one) =>
        one?.action.work === 'work' && one.shared && conflicts === 'serialize' ? one.writes : [],
      );
      expect(new Set(files).size).toBe(files.length);
      if (full !== undefined)
        expect(begun.every((one) => one?.action.owner === 'person')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
