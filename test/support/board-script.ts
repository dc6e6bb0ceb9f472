/**
 * What can happen on a board, as generated data: tasks, and a script of steps, people's acts,
 * crashes and races. Pure; every value is small, so that a counterexample shrinks to a few lines.
 */
import { VERDICTS, type Verdict } from '../../src/task/core/model/documents.ts';
import { STATES, type State } from '../../src/task/core/model/state.ts';
import * as fc from './property.ts';

export interface TaskSpec {
  /** Indexes into the list of tasks; modulo its length, itself included. */
  readonly deps: readonly number[];
  readonly gates: readonly ('reviewer' | 'second' | 'person')[];
  readonly check: boolean;
  readonly deliverable: boolean;
  readonly human: boolean;
  readonly retries_max: number;
  readonly questions_max: number;
  readonly reviews_max: number;
  readonly rerun: 'auto' | 'ask';
}

export const WORKS = [
  'complete',
  'unticked',
  'no_deliverable',
  'fails',
  'blocked',
  'asks',
  'asks_and_completes',
  'garbage',
  'nothing',
  'exit_3',
  'times_out',
  'killed',
  'other_task',
] as const;
export type Work = (typeof WORKS)[number];

export const REVIEWS = ['approves', 'needs_work', 'rejects', 'both', 'none', 'garbage'] as const;
export type Review = (typeof REVIEWS)[number];

export type Check = 'passes' | 'fails' | 'missing';

/** What a person does to a task while its agent runs. */
export type Meanwhile = 'nothing' | 'edits' | State;

export interface Step {
  readonly do: 'step';
  /** Taken in order by the agents that are called; the plain good case when used up. */
  readonly works: readonly Work[];
  readonly reviews: readonly Review[];
  readonly checks: readonly Check[];
  readonly meanwhile: readonly Meanwhile[];
  readonly fault?: Fault;
  /** A person's mv just before a disk operation of the runner. */
  readonly hand?: { readonly at: number; readonly task: number; readonly to: State };
  readonly clock_ms: number;
}

export interface Fault {
  readonly at: number;
  readonly kind: 'die_before' | 'die_after' | 'die_torn' | 'ENOSPC' | 'EIO';
}

export const EDITABLE = [
  'contract.md',
  'status.md',
  'questions.md',
  'result.md',
  'review.md',
  'blocked.md',
] as const;

export type Act =
  | { readonly act: 'answer' | 'answer_by_hand' | 'resolve' | 'resolve_by_hand' | 'note' }
  | { readonly act: 'take' | 'restore' }
  | { readonly act: 'verdict' | 'tick'; readonly verdict: Verdict }
  | { readonly act: 'tick_both' | 'retry' | 'abort' | 'reopen' | 'confirm' }
  | { readonly act: 'edit_contract' | 'break_contract' | 'mend_contract' }
  | { readonly act: 'hand_in' | 'ask' | 'hand_in_failed' | 'delegate' | 'collect' }
  | { readonly act: 'mv'; readonly to: State }
  | { readonly act: 'delete'; readonly file: (typeof EDITABLE)[number] };

export interface Person {
  readonly do: 'person';
  readonly task: number;
  readonly act: Act;
}

export interface Board {
  readonly tasks: readonly TaskSpec[];
  readonly parallel: number;
  readonly script: readonly (Step | Person)[];
  /** Whatever a person answers or resolves must stand in every later brief of its task. */
  readonly strict_briefs?: true;
}

const few = fc.integer({ min: 0, max: 2 });

const task: fc.Arbitrary<TaskSpec> = fc.record({
  deps: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }) },
  ),
  gates: fc.constantFrom(
    ...([[], ['reviewer'], ['person'], ['reviewer', 'second'], ['reviewer', 'person']] as const),
  ),
  check: fc.boolean(),
  deliverable: fc.boolean(),
  human: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  retries_max: few,
  questions_max: few,
  reviews_max: few,
  rerun: fc.oneof(
    { weight: 4, arbitrary: fc.constant('auto' as const) },
    fc.constant('ask' as const),
  ),
});

const state = fc.constantFrom(...STATES);
const often = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 3, arbitrary: other });

const fault: fc.Arbitrary<Fault> = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('die_before' as const, 'die_after' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('die_torn' as const, 'ENOSPC' as const, 'EIO' as const),
    },
  ),
});

const rarely = <T>(value: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq });

const step: fc.Arbitrary<Step> = fc
  .record({
    works: fc.array(often<Work>('complete', fc.constantFrom(...WORKS)), { maxLength: 3 }),
    reviews: fc.array(often<Review>('approves', fc.constantFrom(...REVIEWS)), { maxLength: 2 }),
    checks: fc.array(
      fc.constantFrom('passes' as const, 'passes' as const, 'fails' as const, 'missing' as const),
      { maxLength: 2 },
    ),
    meanwhile: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant('nothing' as const) },
        { weight: 1, arbitrary: fc.constant('edits' as const) },
        { weight: 1, arbitrary: state },
      ),
      { maxLength: 2 },
    ),
    fault: rarely(fault, 3),
    hand: rarely(
      fc.record({
        at: fc.integer({ min: 0, max: 60 }),
        task: fc.integer({ min: 0, max: 5 }),
        to: state,
      }),
      6,
    ),
    clock_ms: fc.constantFrom(0, 0, 0, -86_400_000, 31_536_000_000),
  })
  .map(({ fault: broken, hand, ...rest }) => ({
    do: 'step' as const,
    ...rest,
    ...(broken === undefined ? {} : { fault: broken }),
    ...(hand === undefined ? {} : { hand }),
  }));

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        ...(['answer', 'answer_by_hand', 'resolve', 'resolve_by_hand', 'note'] as const),
        ...(['take', 'restore'] as const),
      )
      .map((one): Act => ({ act: one })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('verdict' as const, 'tick' as const), fc.constantFrom(...VERDICTS))
      .map(([one, verdict]): Act => ({ act: one, verdict })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...(['tick_both', 'retry', 'abort', 'reopen', 'confirm'] as const))
      .map((one): Act => ({ act: one })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...(['edit_contract', 'break_contract', 'mend_contract'] as const))
      .map((one): Act => ({ act: one })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...(['hand_in', 'ask', 'hand_in_failed', 'delegate', 'collect'] as const))
      .map((one): Act => ({ act: one })),
  },
  { weight: 4, arbitrary: state.map((to): Act => ({ act: 'mv', to })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...EDITABLE).map((file): Act => ({ act: 'delete', file })),
  },
);

const person: fc.Arbitrary<Person> = fc.record({
  do: fc.constant('person' as const),
  task: fc.integer({ min: 0, max: 5 }),
  act,
});

/** `length`: of the script, at most. */
export function anyBoard(length: number): fc.Arbitrary<Board> {
  return fc.record({
    tasks: fc.array(task, { minLength: 1, maxLength: 6 }),
    parallel: fc.integer({ min: 1, max: 3 }),
    script: fc.array(fc.oneof<fc.Arbitrary<Step | Person>[]>(step, person), {
      minLength: 1,
      maxLength: length,
    }),
  });
}
