/**
 * The transition table against one written by hand from the design: all 64 ordered pairs of states
 * times every trigger, with and without something left. Nothing here is read from the code's table.
 */
import { describe, expect, test } from 'vitest';
import { nextState } from '../../../src/engine/core/judge/judge.ts';
import { REVIEW_OUTCOMES, WORK_OUTCOMES } from '../../../src/task/core/attempts/record.ts';
import {
  isState,
  isTerminal,
  LIVE_STATES,
  STATES,
  type State,
} from '../../../src/task/core/model/state.ts';
import {
  tableRows,
  transition,
  TRANSITIONS,
  triggersOf,
  type Trigger,
} from '../../../src/task/core/model/transitions.ts';
import { anyFacts, anyTask } from '../../engine/core/generate.ts';
import { decideOn } from '../../engine/core/make.ts';
import * as fc from '../../support/property.ts';

type Left = 'left' | 'none_left';
const TRIGGERS = triggersOf(TRANSITIONS);
const LEFTS: readonly Left[] = ['left', 'none_left'];

/** The table of docs/concepts.md#states, by hand: from, trigger, to where something is left, to where nothing is. */
const EXPECTED: readonly [State, Trigger, State, State][] = [
  ['draft', 'confirmed', 'ready', 'ready'],
  ['ready', 'claimed', 'in_progress', 'in_progress'],
  ['draft', 'questions', 'questions', 'questions'],
  ['ready', 'questions', 'questions', 'questions'],
  ['ready', 'dependency_aborted', 'blocked', 'blocked'],
  ['in_progress', 'questions', 'questions', 'blocked'],
  ['in_progress', 'complete', 'review', 'review'],
  ['in_progress', 'failed', 'ready', 'blocked'],
  ['in_progress', 'timed_out', 'ready', 'blocked'],
  ['in_progress', 'stalled', 'ready', 'blocked'],
  ['in_progress', 'crashed', 'ready', 'blocked'],
  ['in_progress', 'violated', 'ready', 'blocked'],
  ['in_progress', 'stale', 'ready', 'ready'],
  ['in_progress', 'interrupted', 'ready', 'ready'],
  ['in_progress', 'delegated', 'ready', 'ready'],
  ['in_progress', 'blocked', 'blocked', 'blocked'],
  ['ready', 'unconfirmed', 'questions', 'questions'],
  ['in_progress', 'unconfirmed', 'questions', 'questions'],
  ['review', 'unconfirmed', 'questions', 'questions'],
  ['questions', 'answered', 'ready', 'ready'],
  ['questions', 'answered_draft', 'draft', 'draft'],
  ['review', 'approved', 'done', 'done'],
  ['review', 'unverified', 'ready', 'blocked'],
  ['review', 'needs_work', 'ready', 'blocked'],
  ['review', 'reject', 'aborted', 'aborted'],
  ['review', 'stale', 'ready', 'ready'],
  ['blocked', 'resolved', 'ready', 'ready'],
  // The verbs that are moves.
  ['blocked', 'retry', 'ready', 'ready'],
  ['done', 'merge_conflict', 'blocked', 'blocked'],
  ['done', 'reopen', 'ready', 'ready'],
  ['aborted', 'reopen', 'ready', 'ready'],
  ['draft', 'abort', 'aborted', 'aborted'],
  ['ready', 'abort', 'aborted', 'aborted'],
  ['in_progress', 'abort', 'aborted', 'aborted'],
  ['questions', 'abort', 'aborted', 'aborted'],
  ['review', 'abort', 'aborted', 'aborted'],
  ['blocked', 'abort', 'aborted', 'aborted'],
  ['done', 'abort', 'aborted', 'aborted'],
];

function expected(from: State, trigger: string, left: Left): State | undefined {
  const row = EXPECTED.find((one) => one[0] === from && one[1] === trigger);
  return left === 'left' ? row?.[2] : row?.[3];
}

describe('the eight states', () => {
  test('are the names of the folders, and nothing else is a state', () => {
    expect([...STATES].sort()).toEqual(
      ['aborted', 'blocked', 'done', 'draft', 'in_progress', 'questions', 'ready', 'review'].sort(),
    );
    for (const text of ['', 'Done', 'todo', ' ready', '__proto__', '.desk']) {
      expect(isState(text), text).toBe(false);
    }
  });

  test('done and aborted are terminal, all others are read at every step', () => {
    expect(STATES.filter(isTerminal)).toEqual(['done', 'aborted']);
    expect([...LIVE_STATES, 'done', 'aborted']).toEqual([...STATES]);
  });
});

describe('the transition table', () => {
  test.each(STATES.flatMap((from) => STATES.map((to) => [from, to] as const)))(
    '%s → %s follows from exactly the triggers of the design',
    (from, to) => {
      for (const left of LEFTS) {
        const by_code = TRIGGERS.filter((one) => transition(from, one, left) === to);
        const by_hand = TRIGGERS.filter((one) => expected(from, one, left) === to);
        expect(by_code, left).toEqual(by_hand);
      }
    },
  );

  test('names every trigger of the design, and every outcome is a trigger', () => {
    const wanted = new Set<Trigger>([
      ...EXPECTED.map((row) => row[1]),
      ...WORK_OUTCOMES,
      ...REVIEW_OUTCOMES,
    ]);
    expect([...TRIGGERS].sort()).toEqual([...wanted].sort());
  });

  test('a person is never asked by the runner to make a runner’s move, nor the other way', () => {
    const by_person: ReadonlySet<string> = new Set<Trigger>([
      'confirmed',
      'retry',
      'merge_conflict',
      'reopen',
      'abort',
    ]);
    for (const row of TRANSITIONS) {
      expect(row.by, `${row.from} ${row.trigger}`).toBe(
        by_person.has(row.trigger) ? 'person' : 'runner',
      );
    }
  });

  test('has no two rows for the same state, trigger and what is left', () => {
    for (const from of STATES) {
      for (const trigger of TRIGGERS) {
        for (const left of LEFTS) {
          const rows = TRANSITIONS.filter(
            (row) =>
              row.from === from &&
              row.trigger === trigger &&
              (row.left === 'any' || row.left === left),
          );
          expect(rows.length, `${from} ${trigger} ${left}`).toBeLessThanOrEqual(1);
        }
      }
    }
  });

  test('is printed with each row once, and nothing is lost in print', () => {
    const rows = tableRows(TRANSITIONS);
    const keys = rows.map((row) => `${row.from.join()} ${row.when} ${row.to}`);
    expect(new Set(keys).size).toBe(keys.length);
    const printed = new Set(rows.flatMap((row) => row.from.map((from) => `${from} ${row.to}`)));
    const known = new Set(TRANSITIONS.map((row) => `${row.from} ${row.to}`));
    expect(printed).toEqual(known);
    const words = new Set(rows.map((row) => row.when));
    for (const row of TRANSITIONS) expect(words.has(row.when), row.when).toBe(true);
    // Fourteen rows of the design, one for an edit during a review, two of questions before the work; draft and the verbs.
    expect(rows.filter((row) => row.by === 'runner').length).toBe(17);
    expect(rows.filter((row) => row.by === 'person').map((row) => row.to)).toEqual([
      'ready',
      'ready',
      'blocked',
      'ready',
      'aborted',
    ]);
  });
});

describe('what follows from the table', () => {
  const pairs = new Set(EXPECTED.flatMap(([from, , a, b]) => [`${from} ${a}`, `${from} ${b}`]));

  test('nextState never gives a pair outside of it', () => {
    const max = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        fc.constantFrom(...STATES),
        fc.constantFrom(...WORK_OUTCOMES, ...REVIEW_OUTCOMES),
        fc.record({ failures: max, question_rounds: max, send_backs: max }),
        fc.record({
          retries_max: max,
          questions_max: max,
          reviews_max: max,
          timeout_ms: fc.constant(1000),
          stall_ms: fc.constant(1000),
        }),
        max,
        (from, outcome, counts, limits, gates) => {
          const to = nextState(from, outcome, counts, limits, gates);
          if (to !== undefined) expect(pairs.has(`${from} ${to}`)).toBe(true);
        },
      ),
    );
  });

  test('decide never moves by a pair outside of it, and names a trigger that fits', () => {
    fc.assert(
      fc.property(anyTask, anyFacts, (task, facts) => {
        const action = decideOn(task, facts);
        if (action.kind !== 'move') return;
        expect(action.from).toBe(task.state);
        const own = transition(action.from, action.trigger, 'left', task.kind.table);
        expect(expected(action.from, action.trigger, 'left') ?? own).toBe(action.to);
      }),
      { numRuns: 2000 },
    );
  });
});
