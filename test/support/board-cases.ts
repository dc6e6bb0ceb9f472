/** Boards that once broke a rule, as small as they got: played by name in every run. */
import type { Act, Board, Fault, Step, TaskSpec, Work } from './board-script.ts';

export const PLAIN: TaskSpec = {
  deps: [],
  gates: [],
  check: true,
  deliverable: false,
  human: false,
  retries_max: 0,
  questions_max: 1,
  reviews_max: 0,
  rerun: 'auto',
};

export function stepWith(works: readonly Work[], fault?: Fault): Step {
  return {
    do: 'step',
    works,
    reviews: [],
    checks: [],
    meanwhile: [],
    clock_ms: 0,
    ...(fault === undefined ? {} : { fault }),
  };
}

const person = (act: Act) => ({ do: 'person' as const, task: 0, act });

function board(spec: Partial<TaskSpec>, ...script: Board['script']): Board {
  return { tasks: [{ ...PLAIN, ...spec }], parallel: 1, script, strict_briefs: true };
}

export const CASES: readonly (readonly [string, Board])[] = [
  [
    'a contract that a person edits between the question about it and the answer restore',
    board(
      { check: false, questions_max: 0 },
      { ...stepWith([]), meanwhile: ['edits'] },
      person({ act: 'edit_contract' }),
      person({ act: 'restore' }),
      stepWith([]),
    ),
  ],
  [
    'a result that a person deletes between an approval and the move that a death cut short',
    {
      tasks: [
        { ...PLAIN, check: false, gates: ['reviewer'], questions_max: 0 },
        { ...PLAIN, check: false, questions_max: 0 },
      ],
      parallel: 2,
      script: [
        { ...stepWith([], { at: 34, kind: 'die_before' }), hand: { at: 34, task: 0, to: 'draft' } },
        { ...stepWith([]), hand: { at: 0, task: 1, to: 'ready' } },
        stepWith([], { at: 40, kind: 'die_after' }),
        person({ act: 'delete', file: 'result.md' }),
        person({ act: 'delete', file: 'status.md' }),
      ],
    },
  ],
  [
    'a question that a person took out of questions.md is named, not asked for silently',
    board({}, stepWith(['asks']), person({ act: 'ask' })),
  ],
  [
    'a person’s task has all its tries again after a resolution',
    board(
      { human: true, retries_max: 1 },
      stepWith([]),
      person({ act: 'hand_in_failed' }),
      stepWith([]),
      person({ act: 'hand_in_failed' }),
      stepWith([]),
      person({ act: 'resolve' }),
      stepWith([]),
      person({ act: 'hand_in_failed' }),
      stepWith([]),
    ),
  ],
  [
    'a resolution that left the dependency aborted does not go round',
    {
      tasks: [
        { ...PLAIN, deps: [1] },
        { ...PLAIN, human: true },
      ],
      parallel: 1,
      script: [
        { do: 'person', task: 1, act: { act: 'abort' } },
        stepWith([]),
        person({ act: 'resolve' }),
      ],
    },
  ],
  [
    'a claim in a person’s name, in place, is told as progress',
    board({ human: true, deps: [] }, person({ act: 'mv', to: 'in_progress' })),
  ],
  [
    'a task moved by hand, and back while that is written down, stays where it was put',
    board({ human: true, check: false }, stepWith([]), person({ act: 'mv', to: 'ready' }), {
      ...stepWith([]),
      hand: { at: 0, task: 0, to: 'in_progress' },
    }),
  ],
  [
    'a task put from done into review by hand has all its send-backs again',
    board(
      { reviews_max: 1 },
      stepWith(['unticked']),
      stepWith([], { at: 9, kind: 'die_torn' }),
      { ...stepWith([]), hand: { at: 42, task: 0, to: 'review' } },
      unverified(),
    ),
  ],
  ['a cycle of two that overlaps one of three', cycles()],
  [
    'a check that fails as before the work, while a death kept the work from being seen, is not tried again',
    board(
      { gates: ['reviewer'], reviews_max: 1 },
      { ...stepWith(['no_deliverable'], { at: 22, kind: 'die_before' }), checks: ['fails'] },
      stepWith([]),
      unverified(),
    ),
  ],
  [
    'a task put from blocked into review by hand has all its send-backs again',
    board(
      { reviews_max: 1 },
      unverified(),
      unverified(),
      person({ act: 'mv', to: 'review' }),
      unverified(),
    ),
  ],
];

function unverified(): Step {
  return { ...stepWith([]), checks: ['fails'] };
}

function cycles(): Board {
  const deps = [[1, 2], [3], [1], [0]];
  return { tasks: deps.map((to) => ({ ...PLAIN, deps: to })), parallel: 1, script: [stepWith([])] };
}

/** A death at each write, twice, while the task is about to be blocked, asked, or sent back. */
export function deaths(at: number, second: number): readonly Board[] {
  const fault: Fault = { at, kind: 'die_before' };
  const again: Fault = { at: second, kind: 'die_torn' };
  const fails = stepWith(['fails']);
  return [
    board(
      { retries_max: 1 },
      fails,
      stepWith(['fails'], fault),
      stepWith(['fails'], again),
      fails,
      fails,
      person({ act: 'resolve' }),
      fails,
      person({ act: 'note' }),
      fails,
    ),
    board(
      { questions_max: 2 },
      stepWith(['asks'], fault),
      stepWith([], again),
      stepWith([]),
      person({ act: 'answer_by_hand' }),
      stepWith(['asks']),
      person({ act: 'answer' }),
      person({ act: 'answer' }),
      stepWith(['complete']),
    ),
    board(
      { gates: ['reviewer'], reviews_max: 1 },
      { ...stepWith(['complete'], fault), reviews: ['needs_work'] },
      { ...stepWith(['complete'], again), reviews: ['needs_work', 'needs_work'] },
      { ...stepWith(['complete']), reviews: ['needs_work'] },
      { ...stepWith(['complete']), reviews: ['needs_work'] },
    ),
  ];
}
