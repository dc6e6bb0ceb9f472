/**
 * The three long races with what must hold afterwards, in a size that the caller chooses: the sample
 * of every run and the full one at night are the same code.
 */
import { readdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { Event } from '../../src/task/core/lines/event.ts';
import { transition } from '../../src/index.ts';
import type { State } from '../../src/task/core/model/state.ts';
import { makeArena, seeded, statesOf, type Arena } from './arena.ts';
import { contracts } from './binary.ts';
import { countIn, killAtRandom, moveAtRandom, startCrowd, sweep } from './races.ts';
import type { Crowd, HandMove, Killed } from './races.ts';
import { attemptsOf, leftOvers, wrongs } from './tree-look.ts';
import { until } from './until.ts';

/** Far more than a task that is called again after each kill needs. */
const RUNS_MAX = 200;

/** Many steppers, many tasks; every tenth task fails once. Each runs exactly as often as it must. */
export async function crowdRace(steppers: number, tasks: number) {
  const arena = makeArena('parallel: 64\n');
  const failing = new Set<string>();
  for (let i = 0; i < tasks; i++) {
    const id = arena.make();
    if (i % 10 !== 0) continue;
    failing.add(id);
    arena.order(`${id}.fails`);
  }
  const crowd = startCrowd(arena, steppers, ['--parallel', '64']);
  try {
    await until(
      `${tasks} tasks in done`,
      () => countIn(arena, 'done') === tasks,
      () => JSON.stringify(unfinished(arena, crowd)),
    );
    await crowd.stop();
    expect(wrongs(arena)).toEqual([]);
    expect(crowd.failures).toEqual([]);
    const runs = new Map<string, number>();
    for (const { word, task } of arena.ledger()) {
      if (word === 'start') runs.set(task, (runs.get(task) ?? 0) + 1);
    }
    const unexpected = arena.ids.filter((id) => runs.get(id) !== (failing.has(id) ? 2 : 1));
    expect(unexpected).toEqual([]);
    return crowd.events().filter((event) => event.event === 'lost_race').length;
  } finally {
    await crowd.kill();
    sweep(arena);
  }
}

/** What is said when time is up. */
function unfinished(arena: Arena, crowd: Crowd): object {
  const stands = arena.ids.filter((id) => statesOf(arena, id).join() !== 'done');
  return {
    stands: stands.map((id) => `${id} ${statesOf(arena, id).join()}`),
    wrongs: wrongs(arena),
    failures: crowd.failures,
    waits: crowd
      .events()
      .filter((event) => event.event === 'waits')
      .slice(-10),
  };
}

/** kill -9 at random moments, then steps until quiet. */
export async function killRace(seed: number, kills: number): Promise<Killed> {
  const arena = makeArena();
  arena.order('naps');
  try {
    const killed = await killAtRandom(arena, seeded(seed), kills);
    for (let runs = 0; countIn(arena, 'done') < arena.ids.length; runs++) {
      expect(runs).toBeLessThan(RUNS_MAX);
      const ended = await contracts(arena.root, ['run', '--json', '--parallel', '8']);
      expect([0, 1], ended.stdout + ended.stderr).toContain(ended.code);
    }
    expect(arena.ids.filter((id) => statesOf(arena, id).join() !== 'done')).toEqual([]);
    await tidyUp(arena);
    expect(wrongs(arena)).toEqual([]);
    return killed;
  } finally {
    sweep(arena);
  }
}

/** What writers that were killed left behind is `doctor`'s, once it is old enough. */
async function tidyUp(arena: Arena): Promise<void> {
  const old = new Date(Date.now() - 2 * 3_600_000);
  const ofPage = (): string[] => readdirSync(arena.root).filter((name) => name.startsWith('.tmp-'));
  for (const path of leftOvers(arena).toReversed()) utimesSync(join(arena.tasks, path), old, old);
  for (const name of ofPage()) utimesSync(join(arena.root, name), old, old);
  const ended = await contracts(arena.root, ['doctor', '--fix']);
  expect(ended.stderr).toBe('');
  expect(ofPage()).toEqual([]);
}

/** A person moves folders about while steppers run; their last word on each task stands. */
export async function handRace(
  seed: number,
  steppers: number,
  tasks: number,
  moves: number,
): Promise<number> {
  const arena = makeArena('parallel: 64\n');
  arena.order('naps');
  for (let i = 0; i < tasks; i++) arena.make();
  const crowd = startCrowd(arena, steppers, ['--parallel', '4']);
  try {
    const made = await moveAtRandom(arena, seeded(seed), moves);
    const last = new Map(made.map((move): [string, HandMove] => [move.id, move]));
    const quiet = (id: string): boolean => {
      const [state] = statesOf(arena, id);
      return state !== undefined && restsIn(arena, id, last.get(id)?.to ?? 'ready').includes(state);
    };
    await until(
      'every task where its last move leads',
      () => arena.ids.every(quiet),
      () => JSON.stringify({ last: [...last.values()], ...unfinished(arena, crowd) }),
    );
    await crowd.stop();
    // What a move cut short is recorded by the next look.
    await contracts(arena.root, ['step']);
    expect(arena.ids.filter((id) => !quiet(id))).toEqual([]);
    // A file that was just being written goes with the folder that is moved; nothing else stays.
    expect(leftOvers(arena).filter((path) => !basename(path).startsWith('.tmp-'))).toEqual([]);
    await tidyUp(arena);
    expect(wrongs(arena)).toEqual([]);
    expect(crowd.failures).toEqual([]);
    expect(crowd.events().filter(isAgainstTheTable)).toEqual([]);
    return made.length;
  } finally {
    await crowd.kill();
    sweep(arena);
  }
}

/** Where the table alone leads from the state that a person chose last. */
function restsIn(arena: Arena, id: string, chosen: State): readonly State[] {
  switch (chosen) {
    case 'ready':
    case 'in_progress':
      return ['done'];
    case 'review':
      return hasResult(arena, id) ? ['done'] : ['review', 'done'];
    case 'questions':
    case 'draft':
    case 'blocked':
    case 'done':
    case 'aborted':
      return [chosen];
  }
}

function hasResult(arena: Arena, id: string): boolean {
  const [state] = statesOf(arena, id);
  if (state !== 'review') return false;
  const last = attemptsOf(arena, state, id).at(-1);
  return last?.outcome === 'complete' && last.folder.startsWith(join(arena.tasks, state, id));
}

function isAgainstTheTable(event: Event): boolean {
  if (event.event !== 'moved') return false;
  const { from, to, trigger } = event;
  return transition(from, trigger, 'left') !== to && transition(from, trigger, 'none_left') !== to;
}
