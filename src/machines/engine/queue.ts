/**
 * The queue: BullMQ on Redis or PostgreSQL, which whoever uses it installs beside contracts. Jobs are announced once
 * and never tried again by the queue itself; nothing in it is the only copy of anything.
 */
import type { Job as QueueJob, Queue, Worker } from 'bullmq';
import {
  PACK_BYTES_MAX,
  Refusal,
  REPORT_BYTES_MAX,
  type Announced,
  type Pack,
} from '../core/job.ts';
import { fields } from '../../task/core/base/json.ts';
import { isAway, patiently } from './patiently.ts';
import { onPostgres, onRedis, packageOf } from './queue-engines.ts';
import type { Engine, Kept, Waits } from './queue-engines.ts';

const PREFIX = 'contracts';
const KEPT_MS = 7 * 24 * 3600_000;
const SWEPT = 1000;
const PACKS = 'packs';
const WORKERS = 'workers';
/** Never again by the queue itself, and kept until somebody has collected it. */
const ONCE = { attempts: 1, removeOnComplete: false, removeOnFail: false } as const;

export interface Taken {
  readonly queue: string;
  readonly id: string;
  readonly data: Announced;
  readonly job: QueueJob;
}

/**
 * `url`: filled in; `heard` gets each new trouble with the server, and nothing once it answers again. Throws a Fault where a package is missing or the
 * server cannot be reached.
 */
export async function openQueue(
  url: string,
  heard: (error?: Error) => void = () => undefined,
  waits: Waits = {},
) {
  const address = new URL(url);
  const prefix = address.searchParams.get('prefix') ?? PREFIX;
  for (const own of ['prefix', 'lost']) address.searchParams.delete(own);
  const isRedis = address.protocol.startsWith('redis');
  const all = `bullmq ${isRedis ? 'ioredis' : 'pg'}`;
  const bullmq = await packageOf(() => import('bullmq'), 'bullmq', all);
  let last = '';
  const news = (error: Error): void => {
    if (error.message !== last) heard(error);
    last = error.message;
  };
  const at = { url: address.href, prefix, heard: news, ...waits };
  const engine = await (isRedis ? onRedis : onPostgres)(bullmq, at);
  return new JobQueue(engine, async (act) => {
    const done = await patiently(act, waits.signal, news);
    if (last !== '') heard();
    last = '';
    return done;
  });
}

export class JobQueue {
  readonly engine: Engine;
  /** Asks again and again while the server is away, where this queue has a signal that ends it. */
  readonly patiently: <T>(act: () => Promise<T>) => Promise<T>;
  readonly #queues = new Map<string, Queue>();
  readonly #takers = new Map<string, Worker>();

  constructor(engine: Engine, patiently: JobQueue['patiently']) {
    this.engine = engine;
    this.patiently = patiently;
  }

  #queue(name: string): Queue {
    return opened(this.#queues, name, () => this.engine.open(name));
  }

  async announce(queue: string, id: string, data: Announced | { data: string }): Promise<void> {
    await this.patiently(() => this.#queue(queue).add('attempt', data, { jobId: id, ...ONCE }));
  }

  /** Without its texts where they have more than `max` bytes. */
  #read(queue: string, id: string, max = 0): Promise<Kept | undefined> {
    return this.patiently(() => this.engine.read(queue, id, max));
  }

  /** Without its texts where more was written into it than is read. */
  look(queue: string, id: string): Promise<Kept | undefined> {
    return this.#read(queue, id, REPORT_BYTES_MAX);
  }

  /** True if there is no job of that name afterwards. */
  async free(queue: string, id: string): Promise<boolean> {
    await this.drop(queue, id);
    return (await this.#read(queue, id)) === undefined;
  }

  /** Removes a job that waits; a worker that has it is asked to stop. Nothing is read that may be huge. */
  async cancel(queue: string, id: string): Promise<void> {
    if (await this.drop(queue, id)) return;
    const looked = await this.look(queue, id);
    if (looked === undefined || looked.bytes > REPORT_BYTES_MAX) return;
    const job = await this.patiently(() => this.#queue(queue).getJob(id));
    await job?.updateData({ ...(job.data as Announced), cancel: true });
  }

  /** Cancels it, but leaves what a worker has handed in. */
  async giveUp(queue: string, id: string): Promise<void> {
    const looked = await this.look(queue, id);
    if (looked === undefined || fields(looked.data)['cancel'] || looked.finished) return;
    await this.cancel(queue, id);
  }

  /** False where there is none, or a worker has it. */
  async drop(queue: string, id: string): Promise<boolean> {
    const remove = async () => (await this.#queue(queue).remove(id)) === 1;
    try {
      return await this.patiently(remove);
    } catch (error) {
      if (isAway(error)) throw error;
      return false;
    }
  }

  /** Removes what nobody collected for a week. */
  async sweep(queue: string): Promise<void> {
    const jobs = this.#queue(queue);
    await jobs.clean(KEPT_MS, SWEPT, 'completed');
    await jobs.clean(KEPT_MS, SWEPT, 'failed');
    await this.#queue(PACKS).clean(KEPT_MS, SWEPT, 'wait');
  }

  /** A pack under a name that only these bytes can have; once for all who need it. */
  async putPack(id: string, commit: string, make: () => Promise<Buffer>): Promise<Pack> {
    if ((await this.#read(PACKS, id)) === undefined)
      await this.announce(PACKS, id, { data: (await make()).toString('base64') });
    return { id, commit };
  }

  /** undefined where it is gone. Throws a Refusal where it is too large. */
  async pack({ id }: Pack): Promise<Buffer | undefined> {
    const most = 1.5 * PACK_BYTES_MAX;
    const kept = await this.#read(PACKS, id, most);
    if (kept !== undefined && kept.bytes > most)
      throw new Refusal(`its pack has ${kept.bytes} bytes`);
    const { data } = fields(kept?.data);
    return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
  }

  async dropPack({ id }: Pack): Promise<void> {
    await this.drop(PACKS, id);
  }

  /** The next job of that queue; `token` is this worker's. */
  async take(queue: string, token: string): Promise<Taken | undefined> {
    const taker = opened(this.#takers, queue, () => this.engine.take(queue));
    const job = await this.patiently(() => taker.getNextJob(token, { block: false }));
    if (job?.id === undefined) return undefined;
    // Somebody's look for stalled jobs put it back: it was begun already.
    if (job.deferredFailure)
      return void (await job.moveToFailed(new Error('stalled'), token, false));
    return { queue, id: job.id, data: job.data as Announced, job };
  }

  /** Shows a worker to others; `id` is its own. */
  async show(id: string, worker: object): Promise<void> {
    const queue = this.#queue(WORKERS);
    const seen = { ...worker, seen_ms: await this.engine.now() };
    const job = await queue.getJob(id);
    if (job === undefined) await queue.add('worker', seen, { jobId: id, ...ONCE });
    else await job.updateData(seen);
  }

  async leave(id: string): Promise<void> {
    await this.drop(WORKERS, id);
  }

  async workers(): Promise<readonly unknown[]> {
    const all = await this.#queue(WORKERS).getJobs(['waiting'], 0, SWEPT);
    return all.map(({ data }) => data as unknown);
  }

  /** How many jobs wait and are being done there, and when the oldest that waits was announced, in ms since the epoch. */
  async depth(queue: string) {
    const jobs = this.#queue(queue);
    const { waiting = 0, active = 0 } = await jobs.getJobCounts('waiting', 'active');
    const [oldest] = await jobs.getJobs(['waiting'], 0, 0, true);
    return { waiting, active, oldest_ms: oldest?.timestamp };
  }

  async close(): Promise<void> {
    const all = [...this.#takers.values(), ...this.#queues.values()];
    await Promise.all(all.map((one) => one.close().catch(() => undefined)));
    await this.engine.close();
  }
}

/** Opens each once. The next call opens it again where the server was away. */
function opened<T extends Queue | Worker>(all: Map<string, T>, name: string, make: () => T): T {
  const known = all.get(name);
  if (known !== undefined) return known;
  const made = make();
  all.set(name, made);
  made.waitUntilReady().catch(() => {
    if (all.get(name) === made) all.delete(name);
  });
  return made;
}
