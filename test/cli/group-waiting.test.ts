/** Thousands that wait for the same are one line; what a person must know stays whole. */
import { expect, test } from 'vitest';
import { ALIKE_MAX, keepWaits, type Waits } from '../../src/cli/output/group-waiting.ts';
import { makeOutput } from '../../src/cli/output/output.ts';
import type { Event } from '../../src/task/core/lines/event.ts';

function waits(task: string, more: Partial<Waits> = {}): Waits {
  return {
    event: 'waits',
    task,
    state: 'ready',
    code: 'slots',
    on: 'slot',
    reason: 'all 2 slots are taken',
    fix: '',
    ...more,
  };
}

const many = (count: number, more: (id: string) => Partial<Waits> = () => ({})): Waits[] =>
  Array.from({ length: count }, (_, i) => waits(`t${i}`, more(`t${i}`)));

/** Each an event that is said by itself, or a line for the others of its kind. */
function summarised(all: readonly Waits[]): readonly (Event | string)[] {
  const said: (Event | string)[] = [];
  const streams = { out: () => undefined, err: () => undefined };
  const print = (line: string): void => void said.push(line);
  const event = (one: Event): void => void said.push(one);
  const kept = keepWaits({ ...makeOutput(streams, false), printWrapped: print, event });
  for (const one of all) kept.emit(one);
  kept.flush();
  kept.flush();
  return said;
}

test('few are said one by one, as they are', () => {
  const few = [...many(ALIKE_MAX), waits('x', { on: 'task', reason: 'waits for t1 (ready)' })];
  expect(summarised(few)).toEqual(few);
});

test('of many the first are said at once, and how many more there were at the end', () => {
  const asks = waits('q', { state: 'questions', on: 'person', reason: 'asks a question' });
  const said = summarised([...many(9980), asks]);
  expect(said.slice(0, -1)).toEqual([...many(ALIKE_MAX), asks]);
  expect(said.at(-1)).toBe(
    'ready: 9,960 more wait for a free slot (t20, t21, t22 …)  → contracts list --state ready',
  );
});

test('tasks that wait for different tasks wait alike', () => {
  const behind = many(30, (id) => ({ on: 'task', reason: `waits for before-${id} (ready)` }));
  expect(summarised(behind).at(-1)).toBe(
    'ready: 10 more wait for other tasks (t20, t21, t22 …)  → contracts list --state ready',
  );
});

test('what a person has to do is put together only where the words are the same', () => {
  const verdicts = many(25, (id) => ({ state: 'review', on: 'person', reason: `look at ${id}` }));
  const questions = many(25, (id) => {
    return { state: 'questions', on: 'person', reason: `asks: ${id.slice(1)} or not?` };
  });
  const said = summarised([...verdicts, ...questions]);
  expect(said).toHaveLength(ALIKE_MAX + 25 + 1);
  expect(said.at(-1)).toBe(
    'review: 5 more wait for a person: look at ID (t20, t21, t22 …)  → contracts list --state review',
  );
});

test('with --json each of them, at once', () => {
  let said = '';
  const streams = { out: (text: string) => void (said += text), err: () => undefined };
  const json = keepWaits(makeOutput(streams, true));
  for (const one of many(40)) json.emit(one);
  expect(said.trim().split('\n')).toHaveLength(40);
});
