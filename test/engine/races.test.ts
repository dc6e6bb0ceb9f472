/**
 * Real processes, real kills, real `mv`: samples of the races, and each kind of kill by itself.
 * The full sizes are in test/nightly/races.test.ts. Nothing here is a mock.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { State } from '../../src/task/core/model/state.ts';
import { makeArena, statesOf, type Arena } from '../support/arena.ts';
import { contracts, startContracts, type Started } from '../support/binary.ts';
import { crowdRace, handRace, killRace } from '../support/race-runs.ts';
import { carriers, countIn, killAgent, liveAgents, sweep } from '../support/races.ts';
import { attemptsOf, field, wrongs } from '../support/tree-look.ts';
import { until } from '../support/until.ts';

const seed = Number(process.env['RACE_SEED'] ?? Date.now() % 1_000_000);

describe(`races of real processes, RACE_SEED=${seed}`, () => {
  it('runs 60 tasks exactly as often as needed with 4 steppers at once', async () => {
    await crowdRace(4, 60);
  });

  it('finishes everything after 10 kills at random moments', async () => {
    const killed = await killRace(seed, 10);
    expect(killed.runner + killed.agent + killed.both).toBe(10);
  });

  it('lets 40 random moves by hand stand while steppers run', async () => {
    expect(await handRace(seed, 3, 12, 40)).toBeGreaterThanOrEqual(40);
  });
});

/** Alone in its arena: one kind of end at a time. Every process is gone when a test is over. */
describe('one end at a time', () => {
  let arena: Arena;
  let started: Started[] = [];
  const runner = (...args: string[]): Started => {
    const one = startContracts(arena.root, args);
    started.push(one);
    return one;
  };
  const starts = (): number => arena.ledger().filter(({ word }) => word === 'start').length;
  const begun = (n: number): Promise<true> => until(`${n} agents at work`, () => starts() === n);
  const record = (state: State, id: string, attempt: string): string =>
    join(arena.tasks, state, id, 'attempts', attempt, 'outcome.md');

  afterEach(() => {
    sweep(arena, started);
    started = [];
  });

  it('a killed agent alone has crashed, and its task is tried again', async () => {
    arena = makeArena();
    arena.order('holds');
    const id = arena.make();
    const run = runner('run');
    await begun(1);
    const [agent] = liveAgents(arena);
    if (agent === undefined) throw new Error('no agent is alive');
    killAgent(agent);
    arena.order('go');
    expect((await run.ended).code).toBe(0);
    expect(field(record('done', id, '0001'), 'outcome')).toBe('crashed');
    expect(field(record('done', id, '0002'), 'outcome')).toBe('complete');
    expect(wrongs(arena)).toEqual([]);
  });

  it('an agent whose runner was killed is left to finish, and adopted', async () => {
    arena = makeArena();
    arena.order('holds');
    const id = arena.make();
    const run = runner('run');
    await begun(1);
    run.child.kill('SIGKILL');
    await run.ended;
    const early = await contracts(arena.root, ['step']);
    expect(early.stdout).toContain(
      'is still running although its runner has exited; waiting for it',
    );
    expect(liveAgents(arena)).toHaveLength(1);
    arena.order('go');
    await until('the end of the orphan', () => carriers(arena).length === 0);
    expect((await contracts(arena.root, ['run'])).code).toBe(0);
    expect(starts()).toBe(1);
    expect(field(record('done', id, '0002'), 'adopted')).toBe('1');
    expect(wrongs(arena)).toEqual([]);
  });

  it('Ctrl-C ends all agents with their children, and the next run completes', async () => {
    arena = makeArena('parallel: 3\n');
    arena.order('holds');
    arena.order('children');
    const ids = [arena.make(), arena.make(), arena.make()];
    const run = runner('run');
    await until('three agents with a child each', () => {
      return arena.ledger().filter(({ word }) => word === 'child').length === 3;
    });
    run.child.kill('SIGINT');
    const ended = await run.ended;
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(carriers(arena)).toEqual([]);
    for (const id of ids) {
      expect(statesOf(arena, id)).toEqual(['ready']);
      expect(field(record('ready', id, '0001'), 'outcome')).toBe('interrupted');
    }
    arena.cancel('children');
    arena.order('go');
    expect((await contracts(arena.root, ['run'])).code).toBe(0);
    expect(countIn(arena, 'done')).toBe(3);
    expect(wrongs(arena)).toEqual([]);
  });

  it('a running task that is moved to aborted by hand loses its agent within seconds', async () => {
    arena = makeArena();
    arena.order('holds');
    arena.order('children');
    const id = arena.make();
    const run = runner('run');
    await until('an agent with a child', () => arena.ledger().some(({ word }) => word === 'child'));
    renameSync(join(arena.tasks, 'in_progress', id), join(arena.tasks, 'aborted', id));
    await until('the end of the agent and its child', () => carriers(arena).length === 0);
    expect((await run.ended).code).toBe(0);
    expect(statesOf(arena, id)).toEqual(['aborted']);
    expect(field(record('aborted', id, '0001'), 'outcome')).toBe('interrupted');
    expect(wrongs(arena)).toEqual([]);
  });

  it('an orphan past its deadline is stopped by the step that sees it', async () => {
    arena = makeArena();
    arena.order('holds');
    const id = arena.make('verify: ["file_exists: here.txt"]\ntimeout: 2s\n');
    const run = runner('run');
    await begun(1);
    run.child.kill('SIGKILL');
    await run.ended;
    const step = async (): Promise<string> => (await contracts(arena.root, ['step'])).stdout;
    while (carriers(arena).length > 0) await step();
    arena.order('go');
    expect((await contracts(arena.root, ['run'])).code).toBe(0);
    const [first, heir, next] = attemptsOf(arena, 'done', id);
    expect(first?.lost).toBe(true);
    // Its wrapper had time to record the end; the time-out counts, and the next try is a new run.
    expect([heir?.outcome, heir?.adopted]).toEqual(['timed_out', 1]);
    expect(next?.outcome).toBe('complete');
    expect(starts()).toBe(2);
    expect(wrongs(arena)).toEqual([]);
  });
});
