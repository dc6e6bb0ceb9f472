/**
 * decide() as a table: every state, every holder of an open attempt, every fact that matters; and
 * as a property, that it is total: whatever the input, one action of a kind that fits the state.
 */
import { gatesOf } from '../../../src/task/core/model/policy.ts';
import { describe, expect, test } from 'vitest';
import { pendingGates } from '../../../src/engine/core/decide/decide-review.ts';
import { leftLease, openAttempt } from '../../../src/task/core/attempts/open-attempt.ts';
import type { Question, Verdict } from '../../../src/task/core/model/documents.ts';
import { ok, problem, refused } from '../../../src/task/core/model/problem.ts';
import type { Attempt } from '../../../src/task/core/attempts/record.ts';
import { STATES, type State } from '../../../src/task/core/model/state.ts';
import { decide } from '../../../src/engine/core/decide/decide.ts';
import type {
  FactName,
  Facts,
  Holder,
  Known,
  TaskRead,
} from '../../../src/task/core/model/task.ts';
import { anyFacts, anyTask } from './generate.ts';
import {
  decideOn,
  HAS_NOTHING,
  knownOf,
  makeAttempt,
  makeContract,
  makeFacts,
  makeTask,
  readOf,
  words,
  type MadeFacts,
  type MadeTask,
} from './make.ts';
import * as fc from '../../support/property.ts';

type Row = readonly [string, Partial<MadeTask>, Partial<MadeFacts>, RegExp];

function rows(state: State, table: readonly Row[]): void {
  test.each(table)('%s', (_name, task, facts, expected) => {
    expect(words(decideOn(makeTask(state, task), makeFacts(facts)))).toMatch(expected);
  });
}

const wrong = (message: string) => problem({ code: 'yaml', file: 'f', message, fix: 'Mend it' });
const unreadable = { contract: refused([wrong('no yaml')]) };
const done = { id: 'b', state: 'done' as const };

describe('draft', () => {
  rows('draft', [
    ['waits for a person', {}, {}, /^wait unconfirmed: /],
    ['that cannot be read', unreadable, {}, /^wait problem: f: error: no yaml/],
    ['does not look at dependencies', {}, { cycle: ['a', 'a'] }, /^wait unconfirmed: /],
  ]);
});

/** What keeps a task from being claimed is the same in ready and in in_progress. */
const BEFORE_CLAIM: readonly Row[] = [
  ['is claimed', {}, {}, /^claim 1 work by process$/],
  [
    'is claimed after what was',
    { attempts: [makeAttempt(7, { outcome: 'failed' })] },
    {},
    /^claim 8/,
  ],
  ['by a person', {}, { executor_mode: 'human' }, /^claim 1 work by person$/],
  ['by a host', {}, { executor_mode: 'host' }, /^wait to_delegate: /],
  ['unreadable', unreadable, {}, /^wait problem: .*no yaml/],
  ['with its dependencies done', {}, { dependencies: [done] }, /^claim 1/],
  [
    'with an archived one that was done',
    {},
    { dependencies: [{ id: 'b', state: 'archived_done' }] },
    /^claim 1/,
  ],
  [
    'with an archived one that does not say whether it was done',
    {},
    { dependencies: [{ id: 'b', state: 'archived' }] },
    /^wait dependency_archived: .*\bb\b/,
  ],
  [
    'with one that is not',
    {},
    { dependencies: [done, { id: 'c', state: 'review' }] },
    /^wait dependencies: .*\bc \(review\)/,
  ],
  [
    'with one that does not exist',
    {},
    { dependencies: [{ id: 'c', state: 'unknown' }] },
    /^wait dependency_unknown: .*\bc\b/,
  ],
  [
    'on a cycle, named with its path',
    {},
    { cycle: ['a', 'b', 'a'], dependencies: [{ id: 'b', state: 'ready' }] },
    /^wait dependency_cycle: .*a → b → a/,
  ],
  [
    'with open children',
    {},
    { open_children: [{ id: 'd', state: 'questions' }] },
    /^wait children: .*\bd \(questions\)/,
  ],
  ['whose parent was given up', {}, { aborted_parent: 'p' }, /^wait parent_aborted: .*\bp\b/],
  ['that fails pre-flight', {}, { preflight: [wrong('nobody')] }, /^wait problem: .*nobody/],
  ['with a warning only', {}, { preflight: [{ ...wrong('hm'), severity: 'warning' }] }, /^claim 1/],
  [
    'with a deliverable that somebody works on',
    {},
    { overlap: { id: 'e', path: 'x' } },
    /^wait same_file: .*\be\b.*\bx\b/,
  ],
  [
    'after questions, with the same inputs',
    { attempts: [makeAttempt(1, { outcome: 'questions' })] },
    {},
    /^wait unanswered: .*\b1\b/,
  ],
  [
    'after questions, with other inputs',
    { attempts: [makeAttempt(1, { outcome: 'questions' })], inputs_hash: 'i2' },
    {},
    /^claim 2/,
  ],
  [
    'after a failure, with the same inputs',
    { attempts: [makeAttempt(1, { outcome: 'failed' })] },
    {},
    /^claim 2/,
  ],
];

const aborted: Partial<MadeFacts> = { dependencies: [done, { id: 'c', state: 'aborted' }] };
const archived: Partial<MadeFacts> = { dependencies: [{ id: 'c', state: 'archived_aborted' }] };

const changed = (answer?: string) =>
  ({
    confirming: { differs: true, asked: answer === undefined ? undefined : { answer } },
  }) as Partial<MadeTask>;
const settled = { confirming: { differs: false, asked: { answer: '' } } } as Partial<MadeTask>;

describe('a contract that an agent may have changed', () => {
  const asked = { has: { ...HAS_NOTHING, questions: true } };
  rows('ready', [
    ['is asked about before it is begun', changed(), {}, /^move questions: unconfirmed$/],
    ['also where it cannot be read', { ...changed(), ...unreadable }, {}, /^move questions: unc/],
    [
      'waits for what is before it first',
      changed(),
      { dependencies: [{ id: 'b', state: 'ready' }] },
      /^wait dependencies: .*\bb\b/,
    ],
    ['was moved on by a person with the question open', changed(''), {}, /^claim 1 work/],
    ['changed again after an answer', changed('take'), {}, /^move questions: unconfirmed$/],
    ['is what it was', { confirming: { differs: false, asked: undefined } }, {}, /^claim 1 work/],
  ]);
  rows('review', [['is asked about before it is judged', changed(), {}, /^move questions: unc/]]);
  rows('questions', [
    ['gets its question', changed(), {}, /^write confirm$/],
    ['waits for the answer', { ...changed(''), ...asked }, {}, /^wait contract_changed: /],
    [
      'is not guessed',
      { confirming: { differs: true, asked: { answer: undefined } }, ...asked },
      {},
      /neither take nor restore/,
    ],
    ['is taken', { ...changed('take'), ...asked }, {}, /^write take$/],
    ['is restored', { ...changed('restore'), ...asked }, {}, /^write restore$/],
    ['is settled by hand', { ...settled, ...asked }, {}, /^move ready: answered$/],
  ]);
});

describe('ready', () => {
  rows('ready', [
    ...BEFORE_CLAIM,
    ['with an aborted dependency', {}, aborted, /^move blocked: dependency_aborted$/],
    ['with an archived one that was aborted', {}, archived, /^move blocked: dependency_aborted$/],
    [
      'with an aborted dependency, resolved: it is not blocked again for the same reason',
      { has: { ...HAS_NOTHING, blocked: true } },
      aborted,
      /^wait dependency_aborted: .*\bc\b/,
    ],
  ]);
});

const HELD = { hold: { reason: 'plan p is paused', fix: 'contracts plan pause p --end' } };
const TURN_TAKEN = { turn_taken: { key: 'plan p', by: 'e' } };

const planned = { contract: ok(makeContract({ head: { plan: 'p' } })) };
const lostWork = { attempts: [makeAttempt(1, { kind: 'work' })] };

describe('a task of a plan', () => {
  rows('ready', [
    ['that is paused', planned, HELD, /^wait held: plan p is paused/],
    ['that goes one at a time', planned, TURN_TAKEN, /^wait turn: .*\bplan p\b/],
    [
      'waits for what it depends on first',
      planned,
      { ...HELD, dependencies: [{ id: 'c', state: 'ready' }] },
      /^wait dependencies: .*\bc\b/,
    ],
    [
      'that waits for a GO',
      planned,
      { dependencies: [{ id: 'c', state: 'questions', asks: { word: 'GO', by: 'a person' } }] },
      /^wait dependencies: .*\bGO\b.*\bc \(questions\), by a person/,
    ],
  ]);
  rows('review', [
    [
      'that is paused goes on to its end',
      { ...planned, has: { ...HAS_NOTHING, result: true } },
      HELD,
      /^claim 1 review/,
    ],
    [
      'waits for its turn',
      { ...planned, has: { ...HAS_NOTHING, result: true } },
      TURN_TAKEN,
      /^wait turn: .*\bplan p\b/,
    ],
  ]);
  rows('in_progress', [
    [
      'whose runner died is not called again while the plan is paused',
      { ...planned, ...lostWork },
      { holder: 'dead', ...HELD },
      /^wait held: plan p is paused/,
    ],
    [
      'but what it left is taken over',
      {
        ...planned,
        attempts: [makeAttempt(1, { kind: 'work', exit: { exit_code: 0, ended: '' } })],
      },
      { holder: 'dead', ...HELD },
      /^claim 2 work by process, recovers$/,
    ],
    ['and goes on when it is not', { ...planned, ...lostWork }, { holder: 'dead' }, /^claim 2/],
  ]);
});

test('an approval from before it was sent to review anew counts no more, of no gate', () => {
  const contract = makeContract({ head: { quality_gate: ['one', 'two'] } });
  const by = (number: number, gate: string, anew = false) =>
    makeAttempt(number, { outcome: 'approved', anew, record: { gate } });
  const work = makeAttempt(1, { outcome: 'complete' });
  const pending = (...attempts: Attempt[]) =>
    pendingGates(
      makeTask('review', { attempts: [work, ...attempts] }),
      gatesOf(contract, undefined),
    );
  expect(pending(by(2, 'one'), by(3, 'two'))).toEqual([]);
  expect(pending(by(2, 'one'), by(3, 'two', true))).toEqual(['one', 'two']);
  expect(pending(by(2, 'one'), by(3, 'two', true), by(4, 'one'))).toEqual(['two']);
});

describe('in_progress, put there by hand', () => {
  rows('in_progress', [
    ...BEFORE_CLAIM,
    ['with an aborted dependency', {}, aborted, /^wait dependency_aborted: .*\bc\b/],
  ]);
});

describe('questions', () => {
  const questions = (...answers: readonly (string | undefined)[]): Partial<MadeTask> => ({
    has: { ...HAS_NOTHING, questions: true },
    questions: ok({
      questions: answers.map((answer, i): Question => ({
        number: i + 1,
        text: `why ${i + 1}?`,
        line: i,
        has_slot: answer !== undefined,
        answer: answer ?? '',
      })),
      understood: '',
      unclear: '',
    }),
  });
  rows('questions', [
    ['without the file', {}, {}, /^wait no_questions: /],
    ['one open', questions(''), {}, /^wait questions: .*: why 1\?$/],
    ['two open', questions('', ''), {}, /^wait questions: .*\b2\b.*: why 1\?$/],
    ['one of two open', questions('yes', ''), {}, /asks a question \(1 of 2 answered\): why 2\?$/],
    ['one without a slot', questions('', undefined), {}, /^write answer_slots$/],
    [
      'one that a person took out',
      {
        ...questions('yes'),
        questions: ok({
          questions: [
            { number: 1, text: 'why?', line: 1, has_slot: false, missing: true, answer: '' },
          ],
          understood: '',
          unclear: '',
        }),
      },
      {},
      /^wait question_gone: .*\b1\b.*: why\?$/,
    ],
    ['all answered', questions('yes', 'no'), {}, /^move ready: answered$/],
    ['none asked', questions(), {}, /^move ready: answered$/],
    [
      'unreadable',
      { has: { ...HAS_NOTHING, questions: true }, questions: refused([wrong('NUL')]) },
      {},
      /^wait problem: .*NUL/,
    ],
    [
      'a contract that cannot be read does not matter here',
      { ...questions('yes'), ...unreadable },
      {},
      /^move ready/,
    ],
  ]);
});

describe('review', () => {
  const gates = (...quality_gate: string[]): Partial<MadeTask> => ({
    has: { ...HAS_NOTHING, result: true },
    contract: ok(makeContract({ head: { quality_gate }, checks: [{ kind: 'run', command: 'x' }] })),
  });
  const complete = makeAttempt(1, { outcome: 'complete' });
  const approved = (number: number, gate: string, contract = 'c1') =>
    makeAttempt(number, { outcome: 'approved', record: { gate }, owner: { contract } });
  const waiting = (...ticked: Verdict[]): Partial<MadeTask> => ({
    ...gates('person'),
    has: { ...HAS_NOTHING, result: true, review: true },
    attempts: [complete, makeAttempt(2, { outcome: 'awaits_person' })],
    review: ok({
      ticked,
      boxes: 3,
      verdict: ticked.length === 1 ? ticked[0] : undefined,
      findings: '',
    }),
  });
  rows('review', [
    ['without a result', {}, {}, /^wait no_result: /],
    ['unreadable', { ...gates(), ...unreadable }, {}, /^wait problem: .*no yaml/],
    ['no gate', gates(), {}, /^claim 1 review by process$/],
    ['one gate', gates('po'), {}, /^claim 1 review by process, po$/],
    ['its category’s reviewer', gates(), { reviewer: 'qa' }, /^claim 1 review by process, qa$/],
    ['a gate before that', gates('po'), { reviewer: 'qa' }, /^claim 1 review by process, po$/],
    [
      'who cannot be asked',
      gates('po'),
      { preflight: [wrong('nobody')] },
      /^wait problem: .*nobody/,
    ],
    ['which is no matter to a person', gates('person'), { preflight: [wrong('hm')] }, /, person$/],
    [
      'no check and no gate: a person',
      { ...gates(), contract: ok(makeContract()) },
      {},
      /, person$/,
    ],
    [
      'the first of two spoke',
      { ...gates('po', 'qa'), attempts: [complete, approved(2, 'po')] },
      {},
      /^claim 3 review by process, qa$/,
    ],
    [
      'it spoke on another contract',
      { ...gates('po', 'qa'), attempts: [complete, approved(2, 'po', 'c0')] },
      {},
      /, po$/,
    ],
    [
      'it spoke before the latest work',
      {
        ...gates('po'),
        attempts: [complete, approved(2, 'po'), makeAttempt(3, { outcome: 'complete' })],
      },
      {},
      /^claim 4 review by process, po$/,
    ],
    ['waits for a person', waiting(), {}, /^wait verdict: /],
    [
      'two boxes ticked',
      waiting('APPROVED', 'REJECT'),
      {},
      /^wait verdict: .*\bAPPROVED and REJECT\b/,
    ],
    ['one box ticked', waiting('NEEDS_WORK'), {}, /^claim 3 review by process, person$/],
    [
      'boxes that cannot be read',
      { ...waiting(), review: refused([wrong('bare CR')]) },
      {},
      /^wait problem: .*bare CR/,
    ],
    [
      'boxes that were deleted are written again',
      { ...waiting(), has: { ...HAS_NOTHING, result: true } },
      {},
      /^claim 3 review/,
    ],
    [
      'a contract edited while a person thinks',
      { ...waiting(), contract_hash: 'c2' },
      {},
      /^claim 3 review/,
    ],
    [
      'a reviewer that gave no verdict',
      {
        ...waiting(),
        attempts: [
          complete,
          makeAttempt(2, {
            outcome: 'awaits_person',
            record: { no_verdict: true, gate: 'po', reason: 'po said nothing' },
          }),
        ],
      },
      {},
      /^wait verdict: po said nothing/,
    ],
  ]);

  test('a lost approval counts for nothing', () => {
    const lost = { ...approved(2, 'po'), lost: true };
    expect(pendingGates(makeTask('review', { attempts: [complete, lost] }), ['po'])).toEqual([
      'po',
    ]);
  });
});

describe('blocked', () => {
  const blocked = (resolution: string): Partial<MadeTask> => ({
    has: { ...HAS_NOTHING, blocked: true },
    blocked: ok({ resolution }),
  });
  rows('blocked', [
    ['put there by hand', {}, {}, /^write blocked$/],
    ['no resolution', blocked(''), {}, /^wait blocked: /],
    [
      'no resolution, and why',
      { ...blocked(''), attempts: [makeAttempt(1, { outcome: 'failed' })] },
      {},
      /^wait blocked: it ended as failed$/,
    ],
    [
      'done before: a merge that conflicts, or a hand',
      { ...blocked(''), attempts: [makeAttempt(1, { kind: 'review', outcome: 'approved' })] },
      {},
      /^wait blocked: it had been done, and came here after that; /,
    ],
    ['a resolution', blocked('go on'), {}, /^move ready: resolved$/],
    [
      'unreadable',
      { has: { ...HAS_NOTHING, blocked: true }, blocked: refused([wrong('UTF-16')]) },
      {},
      /^wait problem: .*UTF-16/,
    ],
  ]);
});

describe('what to do about a task in blocked', () => {
  const blocked = { has: { ...HAS_NOTHING, blocked: true }, blocked: ok({ resolution: '' }) };
  const after = 'then contracts retry a';
  test.each<[string, Partial<MadeTask>, Partial<MadeFacts>, string]>([
    ['words, or once more', {}, {}, 'contracts retry a "…", or contracts retry a'],
    [
      'a dependency that is aborted comes first, or it would be blocked again',
      {},
      aborted,
      `contracts retry c --again, or take it out of depends_on; ${after}`,
    ],
    ['one in the archive cannot be reopened', {}, archived, `take c out of depends_on; ${after}`],
  ])('%s', (_name, task, facts, fix) => {
    const action = decideOn(makeTask('blocked', { ...blocked, ...task }), makeFacts(facts));
    expect(action).toMatchObject({ kind: 'wait', on: 'person', fix });
  });
});

describe('done and aborted', () => {
  test.each(['done', 'aborted'] as const)('%s waits for nobody', (state) => {
    const action = decideOn(makeTask(state), makeFacts());
    expect(words(action)).toBe(
      `wait ended: is ${state}${state === 'done' ? ' by hand, no receipts' : ''}`,
    );
  });

  test('done after an approval is not by hand', () => {
    const attempts = [makeAttempt(1, { outcome: 'approved' })];
    expect(words(decideOn(makeTask('done', { attempts }), makeFacts()))).toBe(
      'wait ended: is done',
    );
  });
});

describe('an open attempt', () => {
  const open = { attempts: [makeAttempt(3)] };
  const said: readonly [Holder, RegExp][] = [
    ['alive', /^wait running: try 1 /],
    ['elsewhere', /^wait running_elsewhere: try 1 .*\bh\b/],
    ['unknown', /^wait owner_unreadable: .*\b3\b/],
    ['orphan', /^wait orphaned: try 1 /],
    ['orphan_overdue', /^stop 3: .*past its deadline$/],
    ['dead', /^claim 4 work by process, recovers$/],
    ['none', /^claim 4 work by process, recovers$/],
  ];
  test.each(STATES.flatMap((state) => said.map((one) => [state, ...one] as const)))(
    'in %s, held by %s, is decided before anything else',
    (state, holder, at_home) => {
      const moved = holder === 'orphan' && state !== 'in_progress';
      const expected = moved ? new RegExp(`^stop 3: .* is in ${state}$`) : at_home;
      const task = makeTask(state, { ...open, ...unreadable });
      const facts = makeFacts({ holder, cycle: ['a', 'a'] });
      expect(words(decideOn(task, facts))).toMatch(expected);
    },
  );

  test.each(STATES)('in %s, held by a person or a host', (state) => {
    const task = makeTask(state, { ...open, has: { ...HAS_NOTHING, result: true } });
    for (const holder of ['person', 'host'] as const) {
      const found = words(decideOn(task, makeFacts({ holder })));
      if (state !== 'in_progress') expect(found).toBe(`settle 3: moved to ${state} while it ran`);
      else expect(found).toMatch(holder === 'host' ? /^wait delegated: / : /^wait in_hands: /);
    }
  });

  test('of a person names a form to fill in only where one is', () => {
    const fix = (has: Partial<MadeTask['has']>): string => {
      const task = makeTask('in_progress', { ...open, has: { ...HAS_NOTHING, ...has } });
      const action = decideOn(task, makeFacts({ holder: 'person' }));
      return action.kind === 'wait' ? action.fix : '';
    };
    expect(fix({ result: true })).toMatch(/^fill in active_tasks\/in_progress\/a\/result.md/);
    expect(fix({ questions: true })).toMatch(/^write active_tasks\/in_progress\/a\/result.md/);
  });

  test('of a person gets a form where nothing is, and where the files of before still are', () => {
    const said = (has: Partial<MadeTask['has']>, facts: Partial<MadeFacts>, task = {}): string =>
      words(
        decideOn(
          makeTask('in_progress', { ...open, has: { ...HAS_NOTHING, ...has }, ...task }),
          makeFacts({ holder: 'person', ...facts }),
        ),
      );
    expect(said({}, {})).toBe('write form');
    expect(said({}, {}, unreadable)).toMatch(/^wait in_hands: /);
    expect(said({ result: true }, { handed_in: true, earlier_left: true })).toBe('write form');
    expect(said({ result: true }, { handed_in: true })).toBe('settle 3: handed in');
  });

  test('of a person is settled when they hand in', () => {
    const task = makeTask('in_progress', open);
    expect(words(decideOn(task, makeFacts({ holder: 'person', handed_in: true })))).toBe(
      'settle 3: handed in',
    );
  });

  test('of a review is recovered as a review, with its gate', () => {
    const attempts = [makeAttempt(2, { kind: 'review', owner: { agent: 'po' } })];
    const action = decideOn(makeTask('review', { attempts }), makeFacts({ holder: 'dead' }));
    expect(words(action)).toBe('claim 3 review by process, po, recovers');
  });

  const ended = { outcome: 'complete', leased: true } as const;
  const table: readonly [string, State, Parameters<typeof makeAttempt>[1], boolean][] = [
    ['is one without an outcome, wherever the folder stands', 'done', {}, true],
    ['is one whose recovery was cut short', 'ready', { lost: true, outcome: 'failed' }, true],
    ['is a committed one that was not rolled forward', 'in_progress', ended, true],
    ['is not a committed one that a person moved away', 'ready', ended, false],
    [
      'is not a committed one that gave its lease back',
      'in_progress',
      { outcome: 'complete' },
      false,
    ],
    ['is a committed review in review', 'review', { outcome: 'approved', leased: true }, true],
    [
      'is not one that was done, and was sent to review anew with a lease that had stayed',
      'review',
      { outcome: 'approved', leased: true, anew: true },
      false,
    ],
    [
      'is not a committed review elsewhere',
      'in_progress',
      { outcome: 'approved', leased: true },
      false,
    ],
  ];
  test.each(table)('%s', (_name, state, input, is) => {
    expect(openAttempt(makeTask(state, { attempts: [makeAttempt(1, input)] })) !== undefined).toBe(
      is,
    );
  });

  const questions = { outcome: 'questions', leased: true } as const;
  const left: readonly [string, State, Parameters<typeof makeAttempt>[1], boolean][] = [
    ['stands where its outcome leads', 'questions', questions, true],
    ['stands where its outcome leads when nothing is left', 'blocked', questions, true],
    ['is not rolled forward yet', 'in_progress', questions, false],
    ['was moved elsewhere by a person', 'review', questions, false],
    ['gave its lease back', 'questions', { outcome: 'questions' }, false],
    ['is lost', 'questions', { ...questions, lost: true }, false],
    ['has no outcome', 'questions', {}, false],
  ];
  test.each(left)(
    'that %s: whether its lease is given back by who looks',
    (_, state, input, is) => {
      const task = makeTask(state, { attempts: [makeAttempt(1, input)] });
      expect(leftLease(task) !== undefined).toBe(is);
    },
  );
});

describe('decide', () => {
  /** Asked for round after round, each round answered in one of many orders; `spare` is known before. */
  function answered(task: TaskRead, facts: Facts, spare: readonly FactName[]) {
    const known: Known = pick(facts, spare);
    for (;;) {
      const answer = decide(task, known);
      if (answer.kind !== 'needs') return answer;
      const missing = answer.facts.filter((name) => !(name in known));
      expect(missing).not.toEqual([]);
      // Of what it asks for only the last is answered: the rest is asked for again.
      Object.assign(known, pick(facts, missing.slice(-1)));
    }
  }
  const pick = (facts: Facts, names: readonly FactName[]): Known =>
    Object.fromEntries(names.map((name) => [name, facts[name]]));
  const NAMES = Object.keys(knownOf(makeTask('draft'), makeFacts())) as FactName[];

  test('asks for facts until they are known, and any order of answers gives the same action', () => {
    const spare = fc.shuffledSubarray(NAMES);
    fc.assert(
      fc.property(anyTask, anyFacts, spare, (made, facts, names) => {
        const action = decideOn(made, facts);
        const [task, all] = [readOf(made), knownOf(made, facts)];
        expect(answered(task, all, names)).toEqual(action);
        expect(answered(task, all, [])).toEqual(action);
      }),
      { numRuns: 3000 },
    );
  });

  test('asks in at most 8 rounds, and for nothing that is known', () => {
    fc.assert(
      fc.property(anyTask, anyFacts, (made, facts) => {
        const [task, all] = [readOf(made), knownOf(made, facts)];
        const known: Known = {};
        for (let rounds = 0; ; rounds++) {
          expect(rounds).toBeLessThanOrEqual(8);
          const answer = decide(task, known);
          if (answer.kind !== 'needs') return;
          expect(answer.facts.some((name) => !(name in known))).toBe(true);
          Object.assign(known, pick(all, answer.facts));
        }
      }),
      { numRuns: 3000 },
    );
  });

  const KINDS: Readonly<Record<State, readonly string[]>> = {
    draft: ['wait'],
    ready: ['wait', 'claim', 'move'],
    in_progress: ['wait', 'claim', 'move'],
    questions: ['wait', 'write', 'move'],
    review: ['wait', 'claim', 'move'],
    blocked: ['wait', 'write', 'move'],
    done: ['wait'],
    aborted: ['wait'],
  };

  test('is total, pure, and its action fits the state', () => {
    fc.assert(
      fc.property(anyTask, anyFacts, (task, facts) => {
        const action = decideOn(task, facts);
        expect(decideOn(task, facts)).toEqual(action);
        const held = openAttempt(task) !== undefined;
        const form = task.state === 'in_progress' && facts.holder === 'person' ? ['write'] : [];
        const kinds = held ? ['wait', 'stop', 'settle', 'claim', ...form] : KINDS[task.state];
        expect(kinds).toContain(action.kind);
        expect(action.kind === 'write' ? action.what : action.reason).not.toBe('');
        if (action.kind === 'claim') {
          expect(action.attempt).toBe((task.attempts.at(-1)?.number ?? 0) + 1);
          expect(action.recovers).toBe(held);
          if (!held) expect(action.work).toBe(task.state === 'review' ? 'review' : 'work');
        }
        if (action.kind === 'wait' && action.on === 'person') expect(action.fix).not.toBe('');
      }),
      { numRuns: 3000 },
    );
  });
});
