/**
 * Faults while workers on other machines have jobs: each task is done once, no answer is taken twice, nothing is lost,
 * and how many attempts that costs is said.
 * MACHINES_TASKS=200 is the full size, as at night.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { networkTo } from '../support/cut-network.ts';
import { filledDisk, mountsMissing, smallDisk } from '../support/small-disk.ts';
import {
  counted,
  machinesRoom,
  wrongs,
  type Machine,
  type MachinesRoom,
} from '../support/machines-room.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';
import type { Server } from '../support/queue-servers.ts';
import { until } from '../support/until.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: faults of machines, because ${missing}`);

const TASKS = Number(process.env['MACHINES_TASKS'] ?? 6);
const NAMES = ['w1', 'w2', 'w3', 'w4'] as const;
/** Beyond the time in which a worker with nothing to say says so. */
const LOST_S = 9;
const CLOCK = join(import.meta.dirname, '../support/hours-ahead.cjs');

const lost = (url: string): string => {
  const address = new URL(url);
  address.searchParams.set('lost', String(LOST_S));
  return address.href;
};

interface Stage {
  readonly server: Server;
  readonly room: MachinesRoom;
}

async function stage(
  start: () => Promise<Server>,
  before?: (base: string) => void,
): Promise<Stage> {
  const server = await start();
  onTestFinished(server.stop);
  const room = machinesRoom({ url: lost(server.url), tasks: TASKS, ...(before && { before }) });
  return { server, room };
}

/** All four, one slot each: while they hold, other jobs wait. */
async function workers({ room }: Stage): Promise<readonly Machine[]> {
  const made: Machine[] = [];
  for (const name of NAMES) made.push(await room.worker(name, { slots: 1 }));
  return made;
}

const working = (room: MachinesRoom, name: string): Promise<true> =>
  until(`${name} to work`, () => room.starts(name).length > 0);
const allHold = (room: MachinesRoom): void => NAMES.forEach(room.hold);
const allGo = (room: MachinesRoom): void => NAMES.forEach(room.release);
async function allWork(room: MachinesRoom, run: Machine): Promise<void> {
  const all = (): boolean => NAMES.every((name) => room.starts(name).length > 0);
  await until('all to work', () => all() || run.isOver());
  expect(all(), 'all to work').toBe(true);
}

async function ends({ room }: Stage, run: Machine) {
  const { code, stderr, stdout } = await run.started.ended;
  const count = counted(room);
  const why = room
    .outcomes()
    .filter(({ outcome }) => !['complete', 'approved'].includes(outcome))
    .map(({ task, attempt, outcome, reason }) => `${task} ${attempt} ${outcome}: ${reason}`);
  console.log(expect.getState().currentTestName, JSON.stringify(count), why.join('\n'));
  expect(wrongs(room), [...why, stderr, stdout.slice(-3000)].join('\n')).toEqual([]);
  expect(code).toBe(0);
  expect(count.double).toBe(0);
  return count;
}

const ENGINES = [
  ['Redis', () => startRedis()],
  ['PostgreSQL', () => startPostgres()],
] as const;

describe.runIf(missing === undefined).each(ENGINES)('machines on %s', (_, start) => {
  test('a worker that is killed at work loses its attempt, and another does the task', async () => {
    const at = await stage(start);
    const { room } = at;
    room.hold('w1');
    const [first] = await workers(at);
    const run = room.run();
    await working(room, 'w1');
    await first?.kill();
    const { second } = await ends(at, run);
    expect(second).toBeGreaterThanOrEqual(1);
  });

  test('a worker that stood still longer than is waited for is refused when it wakes', async () => {
    const at = await stage(start);
    const { room } = at;
    room.hold('w1');
    const [first] = await workers(at);
    const run = room.run();
    await working(room, 'w1');
    await first?.freeze();
    const [{ task = '' } = {}] = room.starts('w1');
    await until('a second attempt', () =>
      room.starts().some((one) => one.task === task && one.attempt > 1),
    );
    room.release('w1');
    first?.thaw();
    const { second } = await ends(at, run);
    expect(second).toBeGreaterThanOrEqual(1);
    const isNamed = (): boolean =>
      counted(room).late > 0 || / late task_\S+, attempt 1: /.test(first?.started.stdout() ?? '');
    await until('the late answer to be named', isNamed);
  });

  test('an emptied server is filled again from the folders', async () => {
    const at = await stage(start);
    const { room, server } = at;
    allHold(room);
    await workers(at);
    const run = room.run();
    await allWork(room, run);
    await server.flush();
    allGo(room);
    const { second } = await ends(at, run);
    expect(second).toBeGreaterThanOrEqual(NAMES.length);
  });

  test('a server that is killed and comes back costs nothing', async () => {
    const at = await stage(start);
    const { room, server } = at;
    allHold(room);
    const made = await workers(at);
    const run = room.run();
    await allWork(room, run);
    await server.kill();
    allGo(room);
    // What was begun ends while nobody can be told.
    await until(
      'all to end',
      () => room.ledger().filter(({ word }) => word === 'end').length === NAMES.length,
    );
    await server.start();
    const { second } = await ends(at, run);
    expect(second).toBe(0);
    // One that asked nothing in that time heard nothing of it.
    const heard = made.map(({ started }) => started.stdout()).filter((one) => / queue /.test(one));
    for (const one of heard) expect(one).toContain('queue answers again');
    const logs = room
      .outcomes()
      .map(({ log }) => log)
      .join('\n');
    expect(logs).toMatch(/"kind":"line","text":"the queue does not answer: /);
    expect(logs).toContain('the queue answers again');
  });

  const cuts = [
    ['refuses', undefined],
    ['says nothing', 'silent'],
  ] as const;
  test.each(cuts)('a network that is cut and %s is waited for', async (_name, how) => {
    const at = await stage(start);
    const { room, server } = at;
    const [owners, first] = [await networkTo(lost(server.url)), await networkTo(lost(server.url))];
    allHold(room);
    await room.worker('w1', { slots: 1, url: first.url });
    for (const name of NAMES.slice(1)) await room.worker(name, { slots: 1 });
    const run = room.run({ url: owners.url });
    await allWork(room, run);
    for (const one of [owners, first]) await one.cut(how);
    allGo(room);
    await until(
      'all to end',
      () => room.ledger().filter(({ word }) => word === 'end').length >= NAMES.length,
    );
    for (const one of [owners, first]) await one.mend();
    await ends(at, run);
  });

  test.each([
    ['alone', 'its relays go on, and their answers are taken'],
    ['with all that it started', 'the jobs of before are given up'],
  ])('an owner that is killed %s: %s', async (how) => {
    const at = await stage(start);
    const { room } = at;
    allHold(room);
    await workers(at);
    const run = room.run();
    await allWork(room, run);
    if (how === 'alone') run.started.child.kill('SIGKILL');
    else await run.kill();
    const again = room.run();
    await until('the next run', () => again.started.stdout() !== '');
    allGo(room);
    const { second } = await ends(at, again);
    if (how === 'alone') expect(second).toBe(0);
    else expect(second).toBeGreaterThanOrEqual(NAMES.length);
  });

  test('clocks that are hours apart change nothing', async () => {
    const at = await stage(start);
    const { room } = at;
    const ahead = (hours: number) => ({
      env: { NODE_OPTIONS: `--require=${CLOCK}`, CONTRACTS_TEST_HOURS: String(hours) },
    });
    for (const [n, name] of NAMES.entries())
      await room.worker(name, { slots: 1, ...ahead([-30, -3, 4, 40][n] ?? 0) });
    const { second } = await ends(at, room.run(ahead(9)));
    expect(second).toBe(0);
  });

  test.skipIf(mountsMissing)(
    'a worker whose disk is full takes no more jobs until it has room',
    async () => {
      const at = await stage(start, (base) => smallDisk(join(base, 'homes/w1')));
      const { room } = at;
      const [first] = await workers(at);
      const full = filledDisk(join(room.base, 'homes/w1'));
      const run = room.run();
      await until('its refusal', () =>
        / refused .*(?:No space left|ENOSPC)/i.test(first?.started.stdout() ?? ''),
      );
      rmSync(full);
      const { second } = await ends(at, run);
      expect(second).toBeLessThanOrEqual(2);
    },
  );

  test.skipIf(mountsMissing)('an owner whose disk was full goes on once it has room', async () => {
    const at = await stage(start, (base) => smallDisk(join(base, 'homes/owner')));
    const { room } = at;
    allHold(room);
    await workers(at);
    const run = room.run();
    await allWork(room, run);
    const full = filledDisk(join(room.base, 'homes/owner'));
    allGo(room);
    await until(
      'an answer that cannot be taken',
      () => room.outcomes().some(({ outcome }) => outcome !== '') || run.isOver(),
    );
    rmSync(full);
    await run.started.ended;
    await ends(at, room.run());
  });
});
