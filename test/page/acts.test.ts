/** What a drag or a button does, against the table of moves: whatever a person's verb may do, and no more. */
import { expect, test } from 'vitest';
import { ACTS, actFor, type Act } from '../../src/page/core/acts.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { TRANSITIONS } from '../../src/task/core/model/transitions.ts';

/** Moves that come with a verb of another name, or with none. */
const ELSEWHERE = new Set(['merge_conflict']);

test('each move that a person has a verb for can be made on the page', () => {
  const own = TRANSITIONS.filter(({ by, trigger }) => by === 'person' && !ELSEWHERE.has(trigger));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter(({ from, to }) => actFor(from, to) === undefined)).toEqual([]);
});

test('a drag goes where the table goes, and nowhere else', () => {
  const allowed = new Set(TRANSITIONS.map(({ from, to }) => `${from} ${to}`));
  const dragged = STATES.flatMap((from) =>
    STATES.flatMap((to) => (actFor(from, to) === undefined ? [] : [`${from} ${to}`])),
  );
  expect(dragged.filter((one) => !allowed.has(one))).toEqual([]);
});

test('no words become a flag or a second task', () => {
  for (const act of Object.values<Act>(ACTS)) {
    const words = act.words({ id: '--all', text: '*' });
    const [before, after] = [
      words.slice(0, words.indexOf('--')),
      words.slice(words.indexOf('--') + 1),
    ];
    expect(before.filter((one) => one.startsWith('-') && one !== '--again')).toEqual([]);
    expect(after[0]).toBe('--all');
    expect(
      after
        .slice(1)
        .filter((one) => /^\S+$/.test(one) && !/^(?:answer|note)/.test(before[0] ?? '')),
    ).toEqual([]);
  }
});
