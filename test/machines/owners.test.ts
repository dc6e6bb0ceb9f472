/** Owners whose key a worker has: what they signed still stays in the folder of its job. */
import { createPrivateKey, sign } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jobId, type Job } from '../../src/machines/core/job.ts';
import { lieAbout, lyingQueue, JOBS, TOKEN, type Lie } from './lying-worker.ts';
import { machinesRoom, type MachinesRoom } from '../support/machines-room.ts';
import { queueServersMissing, startRedis } from '../support/queue-servers.ts';
import { until } from '../support/until.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: owners who lie, because ${missing}`);

type Wrong = (lie: Lie, room: MachinesRoom) => Promise<Partial<Job>>;

/** What is signed, and what the worker says. */
const WRONG: Readonly<Record<string, readonly [Wrong, RegExp]>> = {
  'a task whose name leads out': [
    ({ job }) =>
      Promise.resolve({ order: { ...job.order, task: 'x/../../../../../outside/evil-task' } }),
    /it is no job that this version knows/,
  ],
  'a workspace behind a link': [
    async ({ trees, queue }, { base }) => {
      const tree = trees.tree(...trees.base(), ['120000', trees.blob(join(base, 'outside')), 'z']);
      const commit = trees.git(['commit-tree', tree, '-m', 'base']);
      const pack = trees.git(['pack-objects', '--revs', '-q', 'p'], `${commit}\n`);
      const bytes = readFileSync(
        join(trees.git(['rev-parse', '--show-toplevel']), `p-${pack}.pack`),
      );
      const id = `contracts.base.${commit}`;
      return { prefix: 'z', base: await queue.putPack(id, commit, () => Promise.resolve(bytes)) };
    },
    /its workspace z leads out of its tree/,
  ],
};

describe.runIf(missing === undefined)('an owner who lies', () => {
  test.each(Object.entries(WRONG))('%s is refused', async (_name, [wrong, says]) => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const room = machinesRoom({ url: server.url, tasks: 1, retries_max: 0 });
    mkdirSync(join(room.base, 'outside'));
    const queue = await lyingQueue(server.url);
    const run = room.run();
    const lie = await lieAbout(queue);
    const job: Job = { ...lie.job, ...(await wrong(lie, room)), token: 'forged-forged-forged' };
    await lie.taken.job.moveToFailed(new Error('the liar gives it up'), TOKEN, false);
    await run.started.ended;
    const worker = await room.worker('w1', { slots: 1 });
    const { task, attempt } = job.order;
    const id = jobId(job.workspace, task, attempt);
    await queue.drop(JOBS, id);
    const text = JSON.stringify(job);
    const [name = ''] = lie.taken.data.signature.split(' ');
    const key = readFileSync(join(room.base, 'homes/owner/state/contracts/keys/ed25519.pem'));
    const message = Buffer.from(`contracts job 1\n${task}\n${attempt}\n${name}\n${text}`);
    const signature = `${name} ${sign(null, message, createPrivateKey(key)).toString('base64')}`;
    await queue.announce(JOBS, id, { text, signature });
    const said = (): string => worker.started.stdout();
    await until('its end', () => / (?:refused|ended) /.test(said()));
    expect(said()).toMatch(says);
    expect(room.starts('w1')).toEqual([]);
    expect(existsSync(join(room.base, 'outside/evil-task.0001'))).toBe(false);
  });
});
