/**
 * BullMQ's manual interface as machines use it, against a real Redis and a real PostgreSQL: what a queue keeps, what it
 * refuses, and what becomes of a job when the server dies, stands still or forgets.
 *
 * Where the engines differ:
 * - While the server is away, Redis keeps a question until it is back, and PostgreSQL refuses it at once.
 * - A lock whose time is over is lost in Redis. In PostgreSQL its holder may go on while nobody looked for lost workers.
 * - `moveToCompleted` without a next job gives an empty list in Redis, and nothing in PostgreSQL.
 * - Another's lock, and none, have other words in each, and so has the second `moveToCompleted`.
 * - `remove` of a job that is gone does nothing in Redis, and fails in PostgreSQL.
 * - `getWorkers` lists workers that take jobs by hand in Redis only, and needs CLIENT LIST, which the ACL user lacks.
 *
 * In both, `maxStalledCount: 0` does not fail the job of a lost worker: the next worker gets it a second time, marked
 * with `deferredFailure`. BullMQ's own loop heeds the mark; who takes jobs by hand must.
 */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { given, isPostgres, PREFIX, queueRoom, whatIsWrong } from '../support/queue-room.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: queues on real servers, because ${missing}`);

const USER = { user: 'ann', password: 'a "word" of hers', prefix: PREFIX };
const ENGINES = {
  Redis: () => startRedis({ password: 'it is/secret' }),
  PostgreSQL: () => startPostgres(),
};
const GUARDED = {
  'Redis by TLS, for a user with a prefix': () => startRedis({ tls: true, acl: USER }),
  'PostgreSQL by TLS': () => startPostgres({ tls: true, password: 'it is/secret' }),
};
describe.runIf(missing === undefined).each(Object.entries({ ...ENGINES, ...GUARDED }))(
  'jobs on %s',
  (_, start) => {
    test('an id that is added again is the job that was there', async () => {
      const { queue, add, take, again } = await queueRoom(start);
      expect((await add('one.1', { nth: 1 })).id).toBe('one.1');
      expect((await add('one.1', { nth: 2 })).id).toBe('one.1');
      expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 1 });
      expect((await again('one.1')).data).toEqual({ nth: 1 });
      await (await take()).moveToCompleted('done', 'mine', false);
      await add('one.1', { nth: 3 });
      expect(await queue.getJobCounts('waiting', 'completed')).toEqual({
        waiting: 0,
        completed: 1,
      });
    });

    test('a job goes from the queue to its result', async () => {
      const { queue, add, take, again } = await queueRoom(start);
      await add('one.1', { brief: 'Say hello' });
      const job = await take();
      expect([job.id, job.data, await job.getState()]).toEqual([
        'one.1',
        { brief: 'Say hello' },
        'active',
      ]);
      await job.updateProgress({ lines: 2 });
      expect((await again('one.1')).progress).toEqual({ lines: 2 });
      for (const line of ['first', 'second']) await job.log(line);
      expect(await queue.getJobLogs('one.1', 1, -1, true)).toEqual({ logs: ['second'], count: 2 });
      expect(await queue.getJobLogs('one.1', 2, -1, true)).toEqual({ logs: [], count: 2 });
      expect(await job.extendLock('mine', 600_000)).toBe(1);
      expect(await job.extendLock('another', 600_000)).toBe(0);
      expect(await whatIsWrong(job.moveToCompleted({}, 'another', false))).toContain(
        'Lock mismatch',
      );
      const before = await again('one.1');
      await job.moveToCompleted({ cost: 3 }, 'mine', false);
      // A copy that was read before tells the state of now, and the result of then.
      expect([await before.getState(), before.returnvalue]).toEqual(['completed', null]);
      expect((await again('one.1')).returnvalue).toEqual({ cost: 3 });
      expect(await whatIsWrong(job.moveToCompleted({}, 'mine', false))).toMatch(
        /Missing lock|not in the active state/,
      );
    });

    test('a job that failed is kept with its reason, and nobody gets it again', async () => {
      const { add, take, again, worker } = await queueRoom(start);
      await add('one.1');
      await (await take()).moveToFailed(new Error('the agent is away'), 'mine', false);
      const job = await again('one.1');
      expect([await job.getState(), job.failedReason]).toEqual(['failed', 'the agent is away']);
      expect(await (await worker()).getNextJob('another', { block: false })).toBeUndefined();
    });

    test('a waiting job can be removed, and one that is called cannot', async () => {
      const { queue, add, take, again } = await queueRoom(start);
      for (const id of ['one.1', 'two.1']) await add(id);
      expect((await take()).id).toBe('one.1');
      expect(await whatIsWrong((await again('one.1')).remove())).toContain('locked by another');
      await (await again('two.1')).remove();
      expect(await queue.getJob('two.1')).toBeUndefined();
      expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 1, waiting: 0 });
    });
  },
);

describe.runIf(missing === undefined).each(Object.entries(ENGINES))('faults of %s', (_, start) => {
  test('a server that was killed has kept what waits and what is called', async () => {
    const { server, queue, add, take, again } = await queueRoom(start);
    for (const id of ['one.1', 'two.1']) await add(id, { id });
    const job = await take();
    await server.kill();
    const asked = whatIsWrong(queue.getJob('one.1'));
    // By a connection that has not heard of it yet, or by a new one.
    const refused = /ECONNREFUSED|ECONNRESET|Connection terminated/;
    if (isPostgres(server)) expect(await asked).toMatch(refused);
    await server.start();
    if (!isPostgres(server)) expect(await asked).toBe('nothing');
    expect(await queue.getJobCounts('active', 'waiting')).toEqual({ active: 1, waiting: 1 });
    await job.moveToCompleted('done', 'mine', false);
    expect((await again('one.1')).returnvalue).toBe('done');
    expect((await take()).data).toEqual({ id: 'two.1' });
  });

  test('a server that stands still answers once it goes on', async () => {
    const { server, queue, add } = await queueRoom(start);
    await add('one.1');
    await server.freeze();
    const order: string[] = [];
    const asked = queue.getJob('one.1').then((job) => order.push(`answer ${job?.id}`));
    // Time for an answer: another server starts and ends.
    const another = await start();
    await another.stop();
    order.push('goes on');
    server.thaw();
    await asked;
    expect(order).toEqual(['goes on', 'answer one.1']);
  });

  test('a server that was emptied knows no job, refuses the late result, and takes the id again', async () => {
    const { server, queue, add, take } = await queueRoom(start);
    for (const id of ['one.1', 'two.1']) await add(id);
    const job = await take();
    await server.flush();
    expect([await queue.getJob('one.1'), await queue.getJob('two.1')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await whatIsWrong(job.moveToCompleted({}, 'mine', false))).toContain('Missing key');
    expect(await job.extendLock('mine', 600_000)).toBe(0);
    await add('one.1', { nth: 2 });
    expect((await take()).data).toEqual({ nth: 2 });
  });

  test('the job of a lost worker comes a second time, marked, and its late result is refused', async () => {
    const { queue, add, worker } = await queueRoom(start);
    await add('one.1');
    const lost = given(await (await worker({ lock_ms: 1 })).getNextJob('lost', { block: false }));
    expect(lost.deferredFailure).toBeUndefined();
    const next = await worker();
    const isMissed = once(next, 'stalled');
    await next.startStalledCheckTimer();
    expect(await isMissed).toEqual(['one.1', 'active']);
    expect(await queue.getJobCounts('waiting', 'failed')).toEqual({ waiting: 1, failed: 0 });
    expect(await whatIsWrong(lost.moveToCompleted({}, 'lost', false))).toMatch(
      /Missing lock|not in the active state/,
    );
    const job = given(await next.getNextJob('mine', { block: false }));
    expect([job.id, job.stalledCounter]).toEqual(['one.1', 1]);
    expect(job.deferredFailure).toContain('stalled more than allowable limit');
  });
});
