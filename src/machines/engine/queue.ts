/**
 * The queue: BullMQ on Redis or PostgreSQL, which whoever uses it installs beside contracts. Jobs are announced once
 * and never tried again by the queue itself; nothing in it is the only copy of anything.
 */
import type * as Bull from 'bullmq';
import type { BackendFactory, Job as QueueJob, Queue, QueueOptions, Worker } from 'bullmq';
import { Fault } from '../../task/core/model/problem.ts';
import { fields } from '../../task/core/base/json.ts';
import { PACK_BYTES_MAX, type Announced, type Pack } from '../core/job.ts';
import { Refusal } from '../core/refusal.ts';

const PREFIX = 'contracts';
/** No lock of the queue ends a job: the owner looks at the beats of its worker. */
const LOCK_MS = 7 * 24 * 3600_000;
const KEPT_MS = 7 * 24 * 3600_000;
const SWEPT = 1000;
const PACKS = 'packs';
const WORKERS = 'workers';

/** A queue of either engine. */
type AnyQueue = Pick<
  Queue,
  ('name' | 'add' | 'getJob' | 'getJobs' | 'getJobCounts' | 'clean') | ('close' | 'waitUntilReady')
>;
type AnyWorker = Pick<Worker, 'getNextJob' | 'close'>;

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
}

interface Engine {
  open(name: string): AnyQueue;
  take(name: string): AnyWorker;
  /** Bytes of all that others wrote into a job; undefined where there is none. */
  weigh(queue: AnyQueue, id: string): Promise<number | undefined>;
  /** Policy of a Redis for when it is full. */
  policy?(): Promise<string | undefined>;
  /** ms since the epoch, by the server's clock. */
  now(queue: AnyQueue): Promise<number>;
  close(): Promise<void>;
}

/**
 * `url`: filled in. Throws a Fault where a package is missing or the server cannot be reached. `limit_ms`: how long a
 * PostgreSQL is waited for each time; without it, as long as it takes.
 */
export async function openQueue(
  url: string,
  heard: (error: Error) => void = () => undefined,
  limit_ms = 0,
) {
  const address = new URL(url);
  const prefix = address.searchParams.get('prefix') ?? PREFIX;
  for (const own of ['prefix', 'lost']) address.searchParams.delete(own);
  const isRedis = address.protocol.startsWith('redis');
  const bullmq = await packageOf(() => import('bullmq'), 'bullmq', isRedis);
  const engine = isRedis
    ? await onRedis(bullmq, address.href, prefix, heard)
    : await onPostgres(bullmq, { url: address.href, schema: prefix, limit_ms }, heard);
  return new JobQueue(engine);
}

export class JobQueue {
  readonly #engine: Engine;
  readonly #queues = new Map<string, AnyQueue>();
  readonly #takers = new Map<string, AnyWorker>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  #queue(name: string): AnyQueue {
    const known = this.#queues.get(name) ?? this.#engine.open(name);
    this.#queues.set(name, known);
    return known;
  }

  /** Answers once the server does. */
  async ready(): Promise<void> {
    await this.#queue(PACKS).waitUntilReady();
  }

  async announce(queue: string, id: string, data: Announced): Promise<void> {
    await this.#queue(queue).add('attempt', data, { jobId: id, ...ONCE });
  }

  weigh(queue: string, id: string): Promise<number | undefined> {
    return this.#engine.weigh(this.#queue(queue), id);
  }

  async look(queue: string, id: string): Promise<Looked | undefined> {
    const job = await this.#queue(queue).getJob(id);
    if (job === undefined) return undefined;
    const { progress, failedReason, finishedOn, data, returnvalue: answer } = job;
    const { cancel, text } = fields(data);
    const failed = failedReason || undefined;
    const finished = finishedOn !== undefined && failed === undefined;
    return { cancel: cancel === true, progress, answer, text, failed, finished };
  }

  /** True if there is no job of that name afterwards. */
  async free(queue: string, id: string): Promise<boolean> {
    await this.drop(queue, id);
    return (await this.#engine.weigh(this.#queue(queue), id)) === undefined;
  }

  /** Removes a job that waits; a worker that has it is asked to stop. */
  async cancel(queue: string, id: string): Promise<void> {
    const job = await this.#queue(queue).getJob(id);
    if (job === undefined) return;
    try {
      await job.remove();
    } catch {
      await job.updateData({ ...(job.data as Announced), cancel: true });
    }
  }

  async drop(queue: string, id: string): Promise<void> {
    await (await this.#queue(queue).getJob(id))?.remove().catch(() => undefined);
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
    const packs = this.#queue(PACKS);
    if ((await this.#engine.weigh(packs, id)) === undefined)
      await packs.add('pack', { data: (await make()).toString('base64') }, { jobId: id, ...ONCE });
    return { id, commit };
  }

  /** undefined where it is gone. Throws a Refusal where it is too large. */
  async pack({ id }: Pack): Promise<Buffer | undefined> {
    const packs = this.#queue(PACKS);
    const weight = await this.#engine.weigh(packs, id);
    if (weight !== undefined && weight > 1.5 * PACK_BYTES_MAX)
      throw new Refusal(`its pack has ${weight} bytes`);
    const { data } = fields(weight === undefined ? undefined : (await packs.getJob(id))?.data);
    return typeof data === 'string' ? Buffer.from(data, 'base64') : undefined;
  }

  dropPack({ id }: Pack): Promise<void> {
    return this.drop(PACKS, id);
  }

  /** The next job of that queue; `token` is this worker's. */
  async take(queue: string, token: string): Promise<Taken | undefined> {
    const taker = this.#takers.get(queue) ?? this.#engine.take(queue);
    this.#takers.set(queue, taker);
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

/** Never again by the queue itself, and kept until somebody has collected it. */
const ONCE = { attempts: 1, removeOnComplete: false, removeOnFail: false } as const;

type BullMq = typeof Bull;

async function packageOf<T>(load: () => Promise<T>, name: string, isRedis: boolean): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const all = `bullmq ${isRedis ? 'ioredis' : 'pg'}`;
    throw new Fault('program', `a queue needs the package ${name}, which is not installed`, {
      fix: `npm install -g ${all}, or beside contracts in the project: npm install ${all}`,
      cause: error,
    });
  }
}

/** Errors of a connection come as events; without a listener they would end the process. */
function heeded<T>(one: T, heard: (error: Error) => void): T {
  (one as { on(event: 'error', listener: (error: Error) => void): void }).on('error', heard);
  return one;
}

const TAKES = { autorun: false, maxStalledCount: 0, lockDuration: LOCK_MS, skipLockRenewal: true };

async function onRedis(
  { Queue, Worker }: BullMq,
  url: string,
  prefix: string,
  heard: (error: Error) => void,
): Promise<Engine> {
  const { Redis } = await packageOf(() => import('ioredis'), 'ioredis', true);
  const client = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: false });
  client.on('error', heard);
  // Its check would print a warning for each queue; `doctor` reports what is wrong with a Redis.
  const quiet = { prefix, skipVersionCheck: true };
  const options: QueueOptions = { connection: client as QueueOptions['connection'], ...quiet };
  return {
    open: (name) => heeded(new Queue(name, options), heard),
    take: (name) => heeded(new Worker(name, null, { ...options, ...TAKES }), heard),
    weigh: async (_, id) => weighed(client, `${prefix}:${_.name}:${id}`),
    now: async () => {
      const [seconds, micros] = await client.time();
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    },
    policy: async () => /^maxmemory_policy:(\S+)/m.exec(await client.info('memory'))?.[1],
    close: async () => client.disconnect(),
  };
}

const WRITTEN = ['data', 'progress', 'returnvalue', 'failedReason', 'stacktrace'];

async function weighed(
  client: {
    hstrlen(key: string, field: string): Promise<number>;
    exists(key: string): Promise<number>;
  },
  key: string,
): Promise<number | undefined> {
  if ((await client.exists(key)) === 0) return undefined;
  const all = await Promise.all(WRITTEN.map((field) => client.hstrlen(key, field)));
  return all.reduce((a, b) => a + b, 0);
}

const WEIGH = `select octet_length(data::text) + coalesce(octet_length(progress::text), 0)
  + coalesce(octet_length(return_value::text), 0) + coalesce(octet_length(failed_reason), 0)
  + coalesce(octet_length(stacktrace::text), 0) as bytes from job where queue = $1 and id = $2`;
const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms';

async function onPostgres(
  { Queue, Worker, PostgresConnection, PostgresQueueBackend }: BullMq,
  to: { readonly url: string; readonly schema: string; readonly limit_ms: number },
  heard: (error: Error) => void,
): Promise<Engine> {
  await packageOf(() => import('pg'), 'pg', false);
  // One for all queues: each of its own would soon use up what a server allows.
  const limits = { connectionTimeoutMillis: to.limit_ms, query_timeout: to.limit_ms };
  const opened = { connectionString: to.url, schema: to.schema, migrate: true, max: 3, ...limits };
  const own = new PostgresConnection(opened);
  own.on('error', heard);
  await own.waitUntilReady();
  const options = { connection: {} } as unknown as QueueOptions;
  const made = (name: string, given: object) =>
    new PostgresQueueBackend(own, name, given as never, false);
  const backend = made as unknown as BackendFactory;
  const row = async (text: string, given: readonly unknown[]): Promise<Record<string, unknown>> =>
    (await own.pool.query(text, [...given])).rows[0] as Record<string, unknown>;
  return {
    open: (name) => heeded(new Queue(name, options, backend), heard),
    take: (name) => heeded(new Worker(name, null, { ...options, ...TAKES }, backend), heard),
    weigh: async ({ name }, id) => {
      const found = await row(WEIGH, [name, id]);
      return found === undefined ? undefined : Number(found['bytes']);
    },
    now: async () => Number((await row(NOW, []))['now_ms']),
    close: () => own.close(),
  };
}
