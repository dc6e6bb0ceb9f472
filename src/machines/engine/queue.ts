/**
 * The queue: BullMQ on Redis or PostgreSQL, which whoever uses it installs beside contracts. Jobs are announced once
 * and never tried again by the queue itself; nothing in it is the only copy of anything.
 */
import type { Job as QueueJob } from 'bullmq';
import { fields } from '../../task/core/base/json.ts';
import { PACK_BYTES_MAX, type Announced, type Pack, REPORT_BYTES_MAX } from '../core/job.ts';
import { Refusal } from '../core/job.ts';
import { isAway, patiently } from './patiently.ts';
import { onPostgres, onRedis, packageOf } from './queue-engines.ts';
import type { AnyQueue, AnyWorker, Engine, Kept, Waits } from './queue-engines.ts';

const PREFIX = 'contracts';
const KEPT_MS = 7 * 24 * 3600_000;
const SWEPT = 1000;
const PACKS = 'packs';
const WORKERS = 'workers';

export interface Taken {
  readonly queue: string;
  readonly id: string;
  readonly data: Announced;
  readonly job: QueueJob;
}

export interface Looked {
  readonly cancel: boolean;
  readonly progress: unknown;
  /** The answer of a worker. */
  readonly answer: unknown;
  /** The text that was announced. */
  readonly text: unknown;
  /** Why a worker refused it. */
  readonly failed: string | undefined;
  readonly finished: boolean;
  /** A worker has or had it; whether it ever reports is another matter. */
  readonly taken: boolean;
}

/** `url`: filled in. Throws a Fault where a package is missing or the server cannot be reached. */
export async function openQueue(
  url: string,
  heard: (error: Error) => void = () => undefined,
  waits: Waits = {},
) {
  const address = new URL(url);
  const prefix = address.searchParams.get('prefix') ?? PREFIX;
  for (const own of ['prefix', 'lost']) address.searchParams.delete(own);
  const isRedis = address.protocol.startsWith('redis');
  const bullmq = await packageOf(() => import('bullmq'), 'bullmq', isRedis);
  const engine = isRedis
    ? await onRedis(bullmq, address.href, prefix, heard)
    : await onPostgres(bullmq, { url: address.href, schema: prefix, heard, ...waits });
  return new JobQueue(engine, heard, waits.signal);
}

export class JobQueue {
  readonly #engine: Engine;
  readonly #signal: AbortSignal | undefined;
  readonly #heard: (error: Error) => void;
  readonly #queues = new Map<string, AnyQueue>();
  readonly #takers = new Map<string, AnyWorker>();

  constructor(engine: Engine, heard: (error: Error) => void, signal?: AbortSignal) {
    this.#engine = engine;
    this.#heard = heard;
    this.#signal = signal;
  }

  /** Again and again while the server is away, where this queue has a signal that ends it. */
  patiently<T>(act: () => Promise<T>): Promise<T> {
    return patiently(act, this.#signal, this.#heard);
  }

  #queue(name: string): AnyQueue {
    return opened(this.#queues, name, () => this.#engine.open(name));
  }

  /** Answers once the server does. */
  async ready(): Promise<void> {
    await this.#queue(PACKS).waitUntilReady();
  }

  async announce(queue: string, id: string, data: Announced): Promise<void> {
    const how = { jobId: id, ...ONCE };
    await this.patiently(() => this.#queue(queue).add('attempt', data, how));
  }

  weigh(queue: string, id: string): Promise<number | undefined> {
    return this.patiently(() => this.#engine.weigh(this.#queue(queue), id));
  }

  #job(queue: string, id: string): Promise<QueueJob | undefined> {
    return this.patiently(() => this.#queue(queue).getJob(id));
  }

  /** Throws a Refusal where more was written into it than is read. */
  async look(queue: string, id: string): Promise<Looked | undefined> {
    const kept = await this.#read(queue, id, REPORT_BYTES_MAX);
    if (kept === undefined) return undefined;
    if (kept.bytes > REPORT_BYTES_MAX)
      throw new Refusal(`it has ${kept.bytes} bytes, at most ${REPORT_BYTES_MAX} are read`);
    const { progress, answer, taken } = kept;
    const { cancel, text } = fields(kept.data);
    const failed = typeof kept.failed === 'string' && kept.failed !== '' ? kept.failed : undefined;
    const finished = kept.finished && failed === undefined;
    return { cancel: cancel === true, progress, answer, text, failed, finished, taken };
  }

  #read(queue: string, id: string, max: number): Promise<Kept | undefined> {
    return this.patiently(() => this.#engine.read(this.#queue(queue), id, max));
  }

  /** True if there is no job of that name afterwards. */
  async free(queue: string, id: string): Promise<boolean> {
    await this.drop(queue, id);
    return (await this.weigh(queue, id)) === undefined;
  }

  /** Removes a job that waits; a worker that has it is asked to stop. Nothing is read that may be huge. */
  async cancel(queue: string, id: string): Promise<void> {
    if (await this.#removed(queue, id)) return;
    if (!(await this.fits(queue, id))) return;
    const job = await this.#job(queue, id);
    await job?.updateData({ ...(job.data as Announced), cancel: true });
  }

  /** Cancels it, but leaves what a worker has handed in. */
  async giveUp(queue: string, id: string): Promise<void> {
    const looked = (await this.fits(queue, id)) ? await this.look(queue, id) : undefined;
    if (looked === undefined || looked.cancel || looked.finished) return;
    await this.cancel(queue, id);
  }

  async drop(queue: string, id: string): Promise<void> {
    await this.#removed(queue, id);
  }

  /** False where there is none, or a worker has it. */
  async #removed(queue: string, id: string): Promise<boolean> {
    const remove = async () => (await this.#queue(queue).remove(id)) === 1;
    try {
      return await this.patiently(remove);
    } catch (error) {
      if (isAway(error)) throw error;
      return false;
    }
  }

  /** True if it is small enough to be read; false where there is none. */
  async fits(queue: string, id: string): Promise<boolean> {
    return ((await this.weigh(queue, id)) ?? Infinity) <= REPORT_BYTES_MAX;
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
    if ((await this.weigh(PACKS, id)) !== undefined) return { id, commit };
    const pack = { data: (await make()).toString('base64') };
    await this.patiently(() => this.#queue(PACKS).add('pack', pack, { jobId: id, ...ONCE }));
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

  dropPack({ id }: Pack): Promise<void> {
    return this.drop(PACKS, id);
  }

  /** The next job of that queue; `token` is this worker's. */
  async take(queue: string, token: string): Promise<Taken | undefined> {
    const taker = opened(this.#takers, queue, () => this.#engine.take(queue));
    const job = await taker.getNextJob(token, { block: false });
    if (job?.id === undefined) return undefined;
    // Somebody's look for stalled jobs put it back: it was begun already.
    if (job.deferredFailure)
      return void (await job.moveToFailed(new Error('stalled'), token, false));
    return { queue, id: job.id, data: job.data as Announced, job };
  }

  /** Shows a worker to others; the first time, an earlier one of that name is replaced. */
  async show(id: string, worker: object, isNew: boolean): Promise<void> {
    const queue = this.#queue(WORKERS);
    const seen = { ...worker, seen_ms: await this.#engine.now(queue) };
    if (isNew) await this.drop(WORKERS, id);
    const job = isNew ? undefined : await queue.getJob(id);
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

  now(): Promise<number> {
    return this.#engine.now(this.#queue(WORKERS));
  }

  /** How many jobs wait and are being done there, and when the oldest that waits was announced, in ms since the epoch. */
  async depth(queue: string) {
    const jobs = this.#queue(queue);
    const { waiting = 0, active = 0 } = await jobs.getJobCounts('waiting', 'active');
    const [oldest] = await jobs.getJobs(['waiting'], 0, 0, true);
    return { waiting, active, oldest_ms: oldest?.timestamp };
  }

  async policy(): Promise<string | undefined> {
    return this.#engine.policy?.();
  }

  /** Ends its connection, and waits for no server. */
  abandon(): Promise<void> {
    return this.#engine.close();
  }

  async close(): Promise<void> {
    const all = [...this.#takers.values(), ...this.#queues.values()];
    await Promise.all(all.map((one) => one.close().catch(() => undefined)));
    await this.#engine.close();
  }
}

/** Opens each once. The next call opens it again where the server was away. */
function opened<T extends { waitUntilReady(): Promise<unknown> }>(
  all: Map<string, T>,
  name: string,
  make: () => T,
): T {
  const known = all.get(name);
  if (known !== undefined) return known;
  const made = make();
  all.set(name, made);
  made.waitUntilReady().catch(() => {
    if (all.get(name) === made) all.delete(name);
  });
  return made;
}

/** Never again by the queue itself, and kept until somebody has collected it. */
const ONCE = { attempts: 1, removeOnComplete: false, removeOnFail: false } as const;
