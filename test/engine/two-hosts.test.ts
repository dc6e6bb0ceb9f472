/**
 * Two hosts on one tree, made of one machine by a second host name (`unshare --uts`). Nothing is a
 * mock. Where that is not allowed the tests say so loudly and are left out.
 */
import { spawnSync } from 'node:child_process';
import { renameSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeArena, statesOf, type Arena } from '../support/arena.ts';
import { contracts, startContracts, type Started } from '../support/binary.ts';
import { carriers, sweep } from '../support/races.ts';
import { attemptsOf, wrongs } from '../support/tree-look.ts';
import { until } from '../support/until.ts';

const OTHER = 'contracts-second';
/** As root, and where that is not so by a user namespace of our own. */
const WAYS = [
  ['unshare', '--uts'],
  ['unshare', '--user', '--map-root-user', '--uts'],
] as const;
const way = WAYS.find(([program, ...args]) => {
  const tried = spawnSync(program, [...args, 'hostname', OTHER], { stdio: 'ignore' });
  return tried.status === 0;
});
if (way === undefined) {
  console.warn('NOT TESTED: two hosts on one tree. unshare --uts is not allowed on this machine.');
}
const ELSEWHERE = [...(way ?? []), 'sh', '-c', `hostname ${OTHER} && exec "$@"`, 'second'];

describe.skipIf(way === undefined)('two hosts on one tree', () => {
  let arena: Arena;
  let started: Started[] = [];
  const there = (...args: string[]) => contracts(arena.root, args, ELSEWHERE);
  const starts = (): number => arena.ledger().filter(({ word }) => word === 'start').length;

  afterEach(() => {
    sweep(arena, started);
    started = [];
  });

  async function runHere(): Promise<{ id: string; run: Started }> {
    arena = makeArena();
    arena.order('holds');
    const id = arena.make();
    const run = startContracts(arena.root, ['run']);
    started.push(run);
    await until('an agent at work', () => starts() === 1);
    return { id, run };
  }

  async function diedHere(): Promise<string> {
    const { id, run } = await runHere();
    run.child.kill('SIGKILL');
    await run.ended;
    sweep(arena);
    await until('the end of everybody', () => carriers(arena).length === 0);
    arena.order('go');
    return id;
  }

  it('leaves a live claim of the other host alone', async () => {
    const { id, run } = await runHere();
    const seen = await there('step');
    expect(seen.stdout).toContain(`runs on ${hostname()}`);
    expect(attemptsOf(arena, 'in_progress', id)).toHaveLength(1);
    arena.order('go');
    expect((await run.ended).code).toBe(0);
    expect(starts()).toBe(1);
    expect(wrongs(arena)).toEqual([]);
  });

  it('leaves a freshly dead claim alone, until a person says that the host is gone', async () => {
    const id = await diedHere();
    const seen = await there('step');
    expect(seen.stdout).toContain(`runs on ${hostname()}`);
    expect(attemptsOf(arena, 'in_progress', id)).toHaveLength(1);
    expect(starts()).toBe(1);
    const taken = await there('doctor', '--recover', hostname());
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stdout).toContain('recovered');
    expect((await there('run')).code).toBe(0);
    expect(statesOf(arena, id)).toEqual(['done']);
    expect(starts()).toBe(2);
    expect(wrongs(arena)).toEqual([]);
  });

  it('takes over a claim whose lease has not been kept for 16 minutes', async () => {
    const id = await diedHere();
    const lease = join(arena.tasks, 'in_progress', id, 'attempts/0001/lease.md');
    const old = new Date(Date.now() - 16 * 60_000);
    utimesSync(lease, old, old);
    expect((await there('run')).code).toBe(0);
    expect(statesOf(arena, id)).toEqual(['done']);
    expect(starts()).toBe(2);
    expect(wrongs(arena)).toEqual([]);
  });

  it('does not take over 14 minutes after the last sign', async () => {
    const id = await diedHere();
    const lease = join(arena.tasks, 'in_progress', id, 'attempts/0001/lease.md');
    const old = new Date(Date.now() - 14 * 60_000);
    utimesSync(lease, old, old);
    await there('step');
    expect(attemptsOf(arena, 'in_progress', id)).toHaveLength(1);
    expect(starts()).toBe(1);
  });

  it('hands a claim of the dead other host back by hand: a move to ready is no way around it', async () => {
    const id = await diedHere();
    renameSync(join(arena.tasks, 'in_progress', id), join(arena.tasks, 'ready', id));
    const seen = await there('step');
    expect(seen.stdout).toContain(`runs on ${hostname()}`);
    expect(starts()).toBe(1);
  });
});
