/** decide() of checkpoints, as a table: how they begin, what their boxes say, what blocks them. */
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/checkpoints/core/checkpoint.ts';
import { checkpointKind } from '../../../src/checkpoints/engine/capability.ts';
import { ok, problem, refused } from '../../../src/task/core/model/problem.ts';
import { PLAIN } from '../../../src/task/core/model/task.ts';
import type { State } from '../../../src/task/core/model/state.ts';
import {
  decideOn,
  HAS_NOTHING,
  makeAttempt,
  makeContract,
  makeFacts,
  makeTask,
  words,
  type MadeFacts,
  type MadeTask,
} from '../../engine/core/make.ts';

type Row = readonly [string, Partial<MadeTask>, Partial<MadeFacts>, RegExp];

function rows(state: State, table: readonly Row[]): void {
  test.each(table)('%s', (_name, task, facts, expected) => {
    expect(words(decideOn(makeTask(state, task), makeFacts(facts)))).toMatch(expected);
  });
}

const wrong = (message: string) => problem({ code: 'yaml', file: 'f', message, fix: 'Mend it' });
const unreadable = { contract: refused([wrong('no yaml')]), kind: PLAIN };
const done = { id: 'b', state: 'done' as const };
const HELD = { hold: { reason: 'plan p is paused', fix: 'contracts plan pause p --end' } };
const TURN_TAKEN = { turn_taken: { key: 'plan p', by: 'e' } };

const checkpoint = (head = {}): Partial<MadeTask> => ({
  kind: checkpointKind,
  contract: ok(makeContract({ head: { type: 'checkpoint', plan: 'p', ...head }, criteria: [] })),
});
const ticked = (...boxes: Decision[]): Partial<MadeTask> => ({
  ...checkpoint(),
  has: { ...HAS_NOTHING, questions: true },
  decision: ok({
    ticked: boxes,
    decision: boxes.length === 1 ? boxes[0] : undefined,
    boxes: 4,
    notes: '',
  }),
});

/** Who asks a person takes no slot, no turn and no budget; who asks an agent is claimed like any. */
const CHECKPOINT_BEGINS: readonly Row[] = [
  [
    'a checkpoint that names nobody asks a person',
    checkpoint(),
    {},
    /^move questions: checkpoint_asked/,
  ],
  ['that names person', checkpoint({ agent: 'person' }), {}, /^move questions/],
  ['an agent is called', checkpoint({ agent: 'po' }), {}, /^claim 1 work by process$/],
  ['an agent that is a person', checkpoint({ agent: 'po' }), { executor_mode: 'human' }, /^move/],
  [
    'one of its wave is in review',
    checkpoint(),
    { dependencies: [done, { id: 'c', state: 'review', join: true }] },
    /^wait dependencies: waits for c \(review\)/,
  ],
  [
    'one of its wave asks a question',
    checkpoint(),
    { dependencies: [done, { id: 'c', state: 'questions', join: true }] },
    /^wait dependencies: waits for c \(questions\)/,
  ],
  ...(['aborted', 'blocked', 'archived_aborted', 'archived'] as const).map((state): Row => [
    `a join goes on with what is ${state}`,
    checkpoint(),
    { dependencies: [done, { id: 'c', state, join: true }] },
    /^move questions/,
  ]),
  [
    'a dependency that must be done does not',
    checkpoint(),
    { dependencies: [done, { id: 'c', state: 'blocked' }] },
    /^wait dependencies: waits for c \(blocked\)/,
  ],
  ['a paused plan asks nobody', checkpoint(), HELD, /^wait held: plan p is paused/],
  ['to ask a person needs no turn', checkpoint(), TURN_TAKEN, /^move questions/],
  [
    'to ask an agent does',
    checkpoint({ agent: 'po' }),
    TURN_TAKEN,
    /^wait turn: plan p allows one task at a time: e is running/,
  ],
  [
    'to ask a person costs nothing',
    checkpoint(),
    { over_budget: { reason: 'r', fix: 'f' } },
    /^move questions/,
  ],
  [
    'an agent is asked anew about a wave that was reviewed anew',
    { ...checkpoint({ agent: 'po' }), attempts: [makeAttempt(1, { outcome: 'questions' })] },
    {},
    /^claim 2/,
  ],
  [
    'pre-flight holds an agent back',
    checkpoint({ agent: 'po' }),
    { preflight: [wrong('nobody')] },
    /^wait problem: .*nobody/,
  ],
];

describe('a checkpoint', () => {
  rows('ready', CHECKPOINT_BEGINS);
  rows('in_progress', CHECKPOINT_BEGINS);
  rows('questions', [
    ['without its form', checkpoint(), {}, /^write decision$/],
    [
      'nothing ticked',
      ticked(),
      {},
      /^wait decision: waits for GO, PAUSE, REVIEW or ABORT by a person/,
    ],
    [
      'that an agent left undecided',
      { ...ticked(), ...checkpoint({ agent: 'po' }) },
      {},
      /^wait decision: .* since po has not decided/,
    ],
    ['two ticked', ticked('GO', 'ABORT'), {}, /^wait decision: GO and ABORT are both ticked/],
    [
      'three ticked',
      ticked('GO', 'PAUSE', 'ABORT'),
      {},
      /^wait decision: GO, PAUSE and ABORT are all ticked/,
    ],
    [
      'boxes lost',
      { ...ticked(), decision: ok({ ticked: [], decision: undefined, boxes: 0, notes: '' }) },
      {},
      /^wait decision: questions.md has no box/,
    ],
    [
      'unreadable form',
      { ...ticked(), decision: refused([wrong('no text')]) },
      {},
      /^wait problem: .*no text/,
    ],
    [
      'unreadable contract, and boxes',
      { ...ticked('GO'), ...unreadable },
      {},
      /^wait problem: .*no yaml/,
    ],
    ['GO', ticked('GO'), {}, /^move done: checkpoint_go$/],
    ['PAUSE', ticked('PAUSE'), {}, /^wait decision_paused: paused by its checkpoint$/],
    ['REVIEW', ticked('REVIEW'), {}, /^move ready: checkpoint_review$/],
    ['ABORT', ticked('ABORT'), {}, /^move aborted: checkpoint_abort$/],
    ['GO of a plan that is paused', ticked('GO'), HELD, /^move done/],
  ]);
});

const blocked = { has: { ...HAS_NOTHING, blocked: true }, blocked: ok({ resolution: '' }) };

describe('a checkpoint in blocked', () => {
  rows('blocked', [
    [
      'that decided: why it stopped stands in blocked.md',
      {
        ...blocked,
        ...checkpoint({ agent: 'po' }),
        attempts: [makeAttempt(1, { outcome: 'questions' })],
      },
      {},
      /^wait blocked: it ended as questions; blocked\.md says why it is not done$/,
    ],
  ]);

  test('is decided, also about what was given up', () => {
    const task = { ...blocked, ...checkpoint({ agent: 'po' }) };
    const facts = { dependencies: [{ id: 'c', state: 'aborted', join: true }] } as const;
    const fix = 'contracts answer a GO, or contracts retry a';
    const action = decideOn(makeTask('blocked', task), makeFacts(facts));
    expect(action).toMatchObject({ kind: 'wait', on: 'person', fix });
  });
});
