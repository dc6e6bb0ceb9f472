/**
 * The engines of a queue: BullMQ on Redis and on PostgreSQL, and what each must be asked beside it, because a job is
 * weighed before it is read.
 */
import type * as Bull from 'bullmq';
import type { BackendFactory, Queue, QueueOptions, Worker } from 'bullmq';
import { Fault } from '../../task/core/model/problem.ts';
import { parsedJson } from '../../task/core/base/json.ts';
import { patiently } from './patiently.ts';

/** No lock of the queue ends a job: the owner looks at the beats of its worker. */
const LOCK_MS = 7 * 24 * 3600_000;

/** A queue of either engine. */
export type AnyQueue = Pick<
  Queue,
  | ('name' | 'add' | 'getJob' | 'getJobs' | 'getJobCounts' | 'clean' | 'remove')
  | ('close' | 'waitUntilReady')
>;
export type AnyWorker = Pick<Worker, 'getNextJob' | 'close' | 'waitUntilReady'>;

export interface Kept {
  readonly bytes: number;
  readonly data: unknown;
  readonly progress: unknown;
  readonly answer: unknown;
  readonly failed: unknown;
  readonly taken: boolean;
  readonly finished: boolean;
}

export interface Engine {
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

export interface Waits {
  /** How long a PostgreSQL is waited for each time; without it, as long as it takes. */
  readonly limit_ms?: number;
  /** A server that is away is waited for until this is aborted; without it, not at all. */
  readonly signal?: AbortSignal;
}

type BullMq = typeof Bull;

export async function packageOf<T>(
  load: () => Promise<T>,
  name: string,
  isRedis: boolean,
): Promise<T> {
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

export async function onRedis(
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

export async function onPostgres(
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
