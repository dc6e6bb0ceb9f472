/**
 * Generators of whole core values for properties: any task as read, with attempts in ascending
 * order as the reader gives them, and any facts. Wider than what can happen, so that decide() is
 * tried on what nobody thought of.
 */
import type { Contract } from '../../../src/task/core/model/contract.ts';
import type { ContractHead } from '../../../src/task/core/model/contract-shape.ts';
import { VERDICTS } from '../../../src/task/core/model/documents.ts';
import {
  ok,
  problem,
  refused,
  type Problem,
  type Result,
} from '../../../src/task/core/model/problem.ts';
import {
  REVIEW_OUTCOMES,
  WORK_OUTCOMES,
  type Attempt,
} from '../../../src/task/core/attempts/record.ts';
import { PLAIN } from '../../../src/task/core/model/task.ts';
import { STATES } from '../../../src/task/core/model/state.ts';
import { makeAttempt, makeContract, type MadeFacts, type MadeTask, OTHER } from './make.ts';
import * as fc from '../../support/property.ts';

const anyProblem: fc.Arbitrary<Problem> = fc
  .constantFrom('error' as const, 'warning' as const)
  .map((severity) =>
    problem({ code: 'yaml', severity, file: 'f', message: 'is wrong', fix: 'Mend it' }),
  );

function orRefused<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Result<T>> {
  return fc.oneof(
    { weight: 4, arbitrary: value.map((one) => ok(one)) },
    { weight: 1, arbitrary: fc.array(anyProblem, { maxLength: 2 }).map((all) => refused(all)) },
  );
}

const gate = fc.constantFrom('person', 'reviewer', 'second');

const anyContract: fc.Arbitrary<Contract> = fc
  .record({
    quality_gate: fc.uniqueArray(gate, { maxLength: 3 }),
    deliverables: fc.subarray(['a.txt', 'b.txt']),
    type: fc.constantFrom<ContractHead['type']>('task', 'custom'),
    agent: fc.constantFrom(undefined, 'person', 'po'),
    plan: fc.constantFrom(undefined, 'p'),
    ask: fc.constantFrom(undefined, undefined, 'before' as const),
    checked: fc.boolean(),
  })
  .map(({ checked, ...head }) =>
    makeContract({ head, checks: checked ? [{ kind: 'run', command: 'true' }] : [] }),
  );

const anyAttempt: fc.Arbitrary<(number: number) => Attempt> = fc
  .record({
    kind: fc.constantFrom('work' as const, 'review' as const),
    work: fc.option(fc.constantFrom(...WORK_OUTCOMES), { nil: undefined }),
    review: fc.option(fc.constantFrom(...REVIEW_OUTCOMES), { nil: undefined }),
    lost: fc.boolean(),
    leased: fc.boolean(),
    blocked: fc.boolean(),
    anew: fc.boolean(),
    owned: fc.boolean(),
    contract: fc.constantFrom('c1', 'c2'),
    inputs: fc.constantFrom('i1', 'i2'),
    agent: fc.oneof(gate, fc.constant('')),
    no_verdict: fc.boolean(),
  })
  .map((one) => (number: number) => {
    const { kind, lost, leased, blocked, anew, contract, inputs, agent, no_verdict } = one;
    const outcome = kind === 'work' ? one.work : one.review;
    const made = makeAttempt(number, {
      kind,
      lost,
      leased,
      blocked,
      anew,
      outcome,
      record: { gate: agent, no_verdict },
      owner: { contract, inputs, agent },
    });
    return one.owned ? made : { ...made, owner: undefined };
  });

const anyAttempts = fc
  .array(anyAttempt, { maxLength: 6 })
  .map((makers) => makers.map((make, i) => make(i + 1)));

const anyQuestions = fc
  .array(fc.record({ has_slot: fc.boolean(), answer: fc.constantFrom('', 'yes') }), {
    maxLength: 3,
  })
  .map((all) => ({
    questions: all.map((one, i) => ({ number: i + 1, text: `q${i + 1}?`, line: i + 1, ...one })),
    understood: '',
    unclear: '',
  }));

const anyReview = fc.subarray([...VERDICTS]).map((ticked) => ({
  ticked,
  boxes: 3,
  verdict: ticked.length === 1 ? ticked[0] : undefined,
  findings: '',
}));

const anyDecision = fc.subarray(['YES', 'NO']).map((ticked) => ({
  ticked,
  boxes: 2,
  decision: ticked.length === 1 ? ticked[0] : undefined,
  notes: '',
}));

const orAbsent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 5 });

const anyMade = fc.record({
  id: fc.constant('a'),
  state: fc.constantFrom(...STATES),
  contract: orRefused(anyContract),
  source: fc.constant({ hash: '' }),
  contract_hash: fc.constantFrom('c1', 'c2', ''),
  inputs_hash: fc.constantFrom('i1', 'i2'),
  attempts: anyAttempts,
  has: fc.record({
    status: fc.boolean(),
    questions: fc.boolean(),
    result: fc.boolean(),
    review: fc.boolean(),
    blocked: fc.boolean(),
  }),
  questions: orAbsent(orRefused(anyQuestions)),
  review: orAbsent(orRefused(anyReview)),
  decision: orAbsent(orRefused(anyDecision)),
  blocked: orAbsent(orRefused(fc.record({ resolution: fc.constantFrom('', 'go on') }))),
  confirming: orAbsent(
    fc.record({
      asked: orAbsent(
        fc.record({ answer: fc.constantFrom('', 'take' as const, 'restore' as const, undefined) }),
      ),
      differs: fc.boolean(),
    }),
  ),
  has_review: fc.boolean(),
  has_blocked: fc.boolean(),
  problems: fc.array(anyProblem, { maxLength: 1 }),
  since_ms: fc.nat(),
});

/** Of the kind that its contract is of. */
export const anyTask: fc.Arbitrary<MadeTask> = anyMade.map((made) => {
  const { contract } = made;
  const kind = contract.ok && OTHER.is(contract.value) ? OTHER : PLAIN;
  return { ...made, kind };
});

export const anyFacts: fc.Arbitrary<MadeFacts> = fc.record({
  holder: fc.constantFrom(
    'none' as const,
    'alive' as const,
    'orphan' as const,
    'orphan_overdue' as const,
    'dead' as const,
    'elsewhere' as const,
    'unknown' as const,
    'person' as const,
    'host' as const,
  ),
  dependencies: fc.array(
    fc.record(
      {
        id: fc.constantFrom('b', 'c'),
        join: fc.constant(true as const),
        state: fc.constantFrom(
          ...STATES,
          'archived_done' as const,
          'archived_aborted' as const,
          'archived' as const,
          'unknown' as const,
        ),
      },
      { requiredKeys: ['id', 'state'] },
    ),
    { maxLength: 3 },
  ),
  open_children: fc.subarray([{ id: 'd', state: 'questions' as const }]),
  aborted_parent: fc.option(fc.constant('p'), { nil: undefined, freq: 3 }),
  cycle: fc.option(fc.constant(['a', 'b', 'a']), { nil: undefined, freq: 3 }),
  preflight: fc.array(anyProblem, { maxLength: 2 }),
  over_budget: fc.option(fc.constant({ reason: 'has used it up', fix: 'raise it' }), {
    nil: undefined,
    freq: 3,
  }),
  reviewer: fc.constantFrom(undefined, 'po'),
  overlap: fc.option(fc.constant({ id: 'e', path: 'a.txt' }), { nil: undefined, freq: 3 }),
  pause: fc.constantFrom(undefined, { until_ms: 1, reason: 'for claude: it is overloaded' }),
  hold: fc.option(fc.constant({ reason: 'is paused', fix: 'resume it' }), { nil: undefined }),
  turn_taken: fc.option(fc.constant({ key: 'plan p', by: 'f' }), { nil: undefined, freq: 3 }),
  executor_mode: fc.constantFrom('process' as const, 'human' as const, 'host' as const),
  can_ask: fc.boolean(),
  handed_in: fc.boolean(),
  unread_result: fc.constantFrom(undefined, { line: 3, found: 'DONE?' }),
  earlier_left: fc.boolean(),
  unprepared: fc.constantFrom(undefined, { message: 'not prepared', fix: 'npm ci' }),
});
