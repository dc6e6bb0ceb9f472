/**
 * The queue: BullMQ on Redis or PostgreSQL, which whoever uses it installs beside contracts. Jobs are announced once
 * and never tried again by the queue itself; nothing in it is the only copy of anything.
 */
import type * as Bull from 'bullmq';
import type { BackendFactory, Job as QueueJob, Queue, QueueOptions, Worker } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../task/core/model/problem.ts';
import { fields, parsedJson } from '../../task/core/base/json.ts';
import { PACK_BYTES_MAX, type Announced, type Pack, REPORT_BYTES_MAX } from '../core/job.ts';
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
  | ('name' | 'add' | 'getJob' | 'getJobs' | 'getJobCounts' | 'clean' | 'remove')
  | ('close' | 'waitUntilReady')
>;
type AnyWorker = Pick<Worker, 'getNextJob' | 'close' | 'waitUntilReady'>;

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

interface Kept {
  readonly bytes: number;
  readonly data: unknown;
  readonly progress: unknown;
  readonly answer: unknown;
  readonly failed: unknown;
  readonly taken: boolean;
  readonly finished: boolean;
}

interface Engine {
  open(name: string): AnyQueue;
  take(name: string): AnyWorker;
  /** Bytes of all that others wrote into a job; undefined where there is none. */
  weigh(queue: AnyQueue, id: string): Promise<number | undefined>;
  /** Reads what was written where this has `max` bytes at most, at once with the look, for it may grow between. */
  read(queue: AnyQueue, id: string, max: number): Promise<Kept | undefined>;
  /** Policy of a Redis for when it is full. */
  policy?(): Promise<string | undefined>;
  /** ms since the epoch, by the server's clock. */
  now(queue: AnyQueue): Promise<number>;
  close(): Promise<void>;
}

interface Waits {
  /** How long a PostgreSQL is waited for each time; without it, as long as it takes. */
  readonly limit_ms?: number;
  /** A server that is away is waited for until this is aborted; without it, not at all. */
  readonly signal?: AbortSignal;
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
  return new JobQueue(engine, waits.signal);
}

export class JobQueue {
  readonly #engine: Engine;
  readonly #signal: AbortSignal | undefined;
  readonly #queues = new Map<string, AnyQueue>();
  readonly #takers = new Map<string, AnyWorker>();

  constructor(engine: Engine, signal?: AbortSignal) {
    this.#engine = engine;
    this.#signal = signal;
  }

  /** Again and again while the server is away, where this queue has a signal that ends it. */
  patiently<T>(act: () => Promise<T>): Promise<T> {
    return patiently(act, this.#signal);
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

/** One that could not be opened while the server was away is made anew by the next who asks. */
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

const AWAY_MS = 500;
const AWAY =
  /^(?:E(?:CONN(?:REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(?:HOST|NET)UNREACH)|08...|57P0.)$/;
const GONE = /connection (?:terminated|is closed|timeout)|timeout exceeded when trying to connect/i;

/** The server is not there, or a connection to it is gone: nothing is said about what was asked. */
function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const { code, cause } = fields(error);
  const is = AWAY.test(String(code)) || GONE.test(String(error));
  return is || (cause !== undefined && isAway(cause));
}

async function patiently<T>(act: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isAway(error) || signal === undefined || signal.aborted) throw error;
      await sleep(AWAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

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
    weigh: async ({ name }, id) => weighed(client, `${prefix}:${name}:${id}`),
    read: async ({ name }, id, max) =>
      fromRedis(await client.eval(READ_REDIS, 1, `${prefix}:${name}:${id}`, max, ...WRITTEN)),
    now: async () => {
      const [seconds, micros] = await client.time();
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    },
    policy: async () => /^maxmemory_policy:(\S+)/m.exec(await client.info('memory'))?.[1],
    close: async () => client.disconnect(),
  };
}

const READ_REDIS = `if redis.call('exists', KEYS[1]) == 0 then return nil end
local bytes = 0
for at = 2, #ARGV do bytes = bytes + redis.call('hstrlen', KEYS[1], ARGV[at]) end
if bytes > tonumber(ARGV[1]) then return {bytes} end
return {bytes, redis.call('hmget', KEYS[1],
  'data', 'progress', 'returnvalue', 'failedReason', 'processedOn', 'finishedOn')}`;

function fromRedis(read: unknown): Kept | undefined {
  if (!Array.isArray(read)) return undefined;
  const [bytes, all] = read as [number, (string | null)[] | undefined];
  const [data, progress, answer, failed, began, ended] = all ?? [];
  const [taken, finished] = [typeof began === 'string', typeof ended === 'string'];
  const [first, second, third] = [data, progress, answer].map((one) => parsedJson(one ?? ''));
  return { bytes, data: first, progress: second, answer: third, failed, taken, finished };
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

const BYTES = `octet_length(data::text) + coalesce(octet_length(progress::text), 0)
  + coalesce(octet_length(return_value::text), 0) + coalesce(octet_length(failed_reason), 0)
  + coalesce(octet_length(stacktrace::text), 0) as bytes`;
const WEIGH = `select ${BYTES} from job where queue = $1 and id = $2`;
const READ_POSTGRES = `select bytes, processed_at_ms is not null as taken,
    finished_at_ms is not null as finished, ${['data', 'progress', 'return_value', 'failed_reason']
      .map((one) => `case when bytes <= $3 then ${one} end as ${one}`)
      .join(', ')}
  from (select *, ${BYTES} from job where queue = $1 and id = $2) as kept`;
const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms';

interface Postgres extends Waits {
  readonly url: string;
  readonly schema: string;
  readonly heard: (error: Error) => void;
}

async function onPostgres(
  { Queue, Worker, PostgresConnection, PostgresQueueBackend }: BullMq,
  { url, schema, heard, signal, limit_ms = 0 }: Postgres,
): Promise<Engine> {
  await packageOf(() => import('pg'), 'pg', false);
  const limits = { connectionTimeoutMillis: limit_ms, query_timeout: limit_ms };
  const to = { connectionString: url, schema, migrate: true, max: 3, ...limits };
  const connected = async () => {
    // One for all queues: each of its own would soon use up what a server allows.
    const own = new PostgresConnection(to);
    own.on('error', heard);
    try {
      await own.waitUntilReady();
      return own;
    } catch (error) {
      heard(error as Error);
      await own.close().catch(() => undefined);
      throw error;
    }
  };
  const own = await patiently(connected, signal);
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
    read: async ({ name }, id, max) => {
      const found = await row(READ_POSTGRES, [name, id, max]);
      if (found === undefined) return undefined;
      const { bytes, data, progress, return_value: answer, failed_reason: failed, ...is } = found;
      const { taken, finished } = is as Pick<Kept, 'taken' | 'finished'>;
      return { bytes: Number(bytes), data, progress, answer, failed, taken, finished };
    },
    now: async () => Number((await row(NOW, []))['now_ms']),
    close: () => own.close(),
  };
}
