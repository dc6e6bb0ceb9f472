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

/** All of them kept, and then each an event that is said by itself, or a line for many. */
function summarised(all: readonly Waits[]): readonly (Event | string)[] {
  const said: (Event | string)[] = [];
  const streams = { out: () => undefined, err: () => undefined };
  const print = (line: string): void => void said.push(line);
  const event = (one: Event): void => void said.push(one);
  const kept = keepWaits({ ...makeOutput(streams, false), printWrapped: print, event });
  for (const one of all) kept.emit(one);
  expect(said).toEqual([]);
  kept.flush();
  return said;
}

test('few are said one by one, as they are', () => {
  const few = [...many(ALIKE_MAX), waits('x', { on: 'task', reason: 'waits for t1 (ready)' })];
  expect(summarised(few)).toEqual(few);
});

test('many are one line, in the place of the first, with their number and three names', () => {
  const asks = waits('q', { state: 'questions', on: 'person', reason: 'asks a question' });
  expect(summarised([...many(9980), asks])).toEqual([
    'ready: 9,980 wait for a free slot (t0, t1, t2 …)  → contracts list --state ready',
    asks,
  ]);
});

test('tasks that wait for different tasks wait alike', () => {
  const behind = many(30, (id) => ({ on: 'task', reason: `waits for before-${id} (ready)` }));
  expect(summarised(behind)).toEqual([
    'ready: 30 wait for other tasks (t0, t1, t2 …)  → contracts list --state ready',
  ]);
});

test('what a person has to do is put together only where the words are the same', () => {
  const verdicts = many(25, (id) => ({ state: 'review', on: 'person', reason: `look at ${id}` }));
  const questions = many(25, (id) => {
    return { state: 'questions', on: 'person', reason: `asks: ${id.slice(1)} or not?` };
  });
  const said = summarised([...verdicts, ...questions]);
  expect(said[0]).toBe(
    'review: 25 wait for a person: look at ID (t0, t1, t2 …)  → contracts list --state review',
  );
  expect(said.slice(1)).toEqual(questions);
});

test('with --json each of them, at once; for people all at the end', () => {
  let said = '';
  const streams = { out: (text: string) => void (said += text), err: () => undefined };
  const json = keepWaits(makeOutput(streams, true));
  for (const one of many(40)) json.emit(one);
  expect(said.trim().split('\n')).toHaveLength(40);
  said = '';
  const words = keepWaits(makeOutput(streams, false));
  for (const one of many(40)) words.emit(one);
  words.emit({ event: 'lost_race', task: 'z', reason: 'was moved' });
  expect(said).toBe('z  was moved\n');
  words.flush();
  words.flush();
  expect(said.split('\n')).toHaveLength(3);
});

test('a step says the first of each kind at once, and how many more there were at its end', () => {
  let said = '';
  const streams = { out: (text: string) => void (said += text), err: () => undefined };
  const words = keepWaits(makeOutput(streams, false), { first_at_once: true });
  for (const one of many(9980)) words.emit(one);
  expect(said.trim().split('\n')).toHaveLength(ALIKE_MAX);
  said = '';
  words.flush();
  expect(said).toBe(
    'ready: 9,960 more wait for a free slot (t20, t21, t22 …)  → contracts list --state ready\n',
  );
});
