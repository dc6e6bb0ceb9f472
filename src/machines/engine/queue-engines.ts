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
const TAKES = { autorun: false, maxStalledCount: 0, lockDuration: LOCK_MS, skipLockRenewal: true };

/** A job as it is kept; without its texts where they are larger than was asked. */
export interface Kept {
  /** Size of all that others wrote into it. */
  readonly bytes: number;
  readonly data: unknown;
  readonly progress: unknown;
  readonly answer: unknown;
  /** Reason of a worker that refused it. */
  readonly failed: string | null;
  /** True if a worker has or had it; whether that ever reports is another matter. */
  readonly taken: boolean;
  /** True if a worker has answered. */
  readonly finished: boolean;
}

export interface Engine {
  open(name: string): Queue;
  take(name: string): Worker;
  /** Weighs and reads at once, for it may grow between. */
  read(queue: string, id: string, max: number): Promise<Kept | undefined>;
  /** Policy of a Redis for when it is full. */
  policy?(): Promise<string | undefined>;
  /** ms since the epoch, by the server's clock. */
  now(): Promise<number>;
  close(): Promise<void>;
}

export interface Waits {
  /** How long a PostgreSQL is waited for each time; without it, as long as it takes. */
  readonly limit_ms?: number;
  /** A server that is away is waited for until this is aborted; without it, not at all. */
  readonly signal?: AbortSignal;
}

interface Address extends Waits {
  readonly url: string;
  /** Beginning of all keys in Redis; the schema in PostgreSQL. */
  readonly prefix: string;
  readonly heard: (error: Error) => void;
}

export async function packageOf<T>(load: () => Promise<T>, name: string, all: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new Fault('program', `a queue needs the package ${name}, which is not installed`, {
      fix: `npm install -g ${all}, or beside contracts in the project: npm install ${all}`,
      cause: error,
    });
  }
}

/** Errors of a connection come as events; without a listener they would end the process. */
function opens(
  { Queue, Worker }: typeof Bull,
  options: QueueOptions,
  heard: Address['heard'],
  backend?: BackendFactory,
): Pick<Engine, 'open' | 'take'> {
  // The types of BullMQ name no backend but that of Redis.
  const own = backend as undefined;
  return {
    open: (name) => new Queue(name, options, own).on('error', heard),
    take: (name) => new Worker(name, null, { ...options, ...TAKES }, own).on('error', heard),
  };
}

export async function onRedis(bullmq: typeof Bull, address: Address): Promise<Engine> {
  const { url, prefix, heard } = address;
  const { Redis } = await packageOf(() => import('ioredis'), 'ioredis', 'bullmq ioredis');
  const client = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: false });
  client.on('error', heard);
  const connection = client as QueueOptions['connection'];
  return {
    // Its check would print a warning for each queue; `doctor` reports what is wrong with a Redis.
    ...opens(bullmq, { connection, prefix, skipVersionCheck: true }, heard),
    read: async (queue, id, max) =>
      fromRedis(await client.eval(READ_REDIS, 1, `${prefix}:${queue}:${id}`, max)),
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
for _, field in ipairs({'data', 'progress', 'returnvalue', 'failedReason', 'stacktrace'}) do
  bytes = bytes + redis.call('hstrlen', KEYS[1], field)
end
if bytes > tonumber(ARGV[1]) then return {bytes, {}} end
return {bytes, redis.call('hmget', KEYS[1],
  'failedReason', 'processedOn', 'finishedOn', 'data', 'progress', 'returnvalue')}`;

function fromRedis(read: unknown): Kept | undefined {
  if (!Array.isArray(read)) return undefined;
  const [bytes, [why, began, ended, ...texts]] = read as [number, (string | null)[]];
  const [data, progress, answer] = texts.map((one) => parsedJson(one ?? ''));
  const failed = why || null;
  const [taken, finished] = [typeof began === 'string', typeof ended === 'string' && !failed];
  return { bytes, data, progress, answer, failed, taken, finished };
}

const READ_POSTGRES = `select bytes,
  case when bytes <= $3 then data end as data,
  case when bytes <= $3 then progress end as progress,
  case when bytes <= $3 then return_value end as answer,
  case when bytes <= $3 then nullif(failed_reason, '') end as failed, processed_at_ms is not null as taken,
  finished_at_ms is not null and coalesce(failed_reason, '') = '' as finished
from (select *, octet_length(data::text) + coalesce(octet_length(progress::text), 0)
  + coalesce(octet_length(return_value::text), 0) + coalesce(octet_length(failed_reason), 0)
  + coalesce(octet_length(stacktrace::text), 0) as bytes
  from job where queue = $1 and id = $2) as kept`;
const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms';

export async function onPostgres(bullmq: typeof Bull, address: Address): Promise<Engine> {
  const { PostgresConnection, PostgresQueueBackend } = bullmq;
  const { url, prefix: schema, heard, signal, limit_ms = 0 } = address;
  await packageOf(() => import('pg'), 'pg', 'bullmq pg');
  const limits = { connectionTimeoutMillis: limit_ms, query_timeout: limit_ms };
  const connected = async () => {
    // One for all queues: each of its own would soon use up what a server allows.
    const to = { connectionString: url, schema, migrate: true, max: 3, ...limits };
    const own = new PostgresConnection(to);
    own.on('error', heard);
    try {
      await own.waitUntilReady();
      return own;
    } catch (error) {
      await own.close().catch(() => undefined);
      throw error;
    }
  };
  const own = await patiently(connected, signal, heard);
  const backend = (name: string, given: object) =>
    new PostgresQueueBackend(own, name, given as never, false);
  const options = { connection: {} } as unknown as QueueOptions;
  return {
    ...opens(bullmq, options, heard, backend as unknown as BackendFactory),
    read: async (...asked) => (await own.pool.query<Kept>(READ_POSTGRES, asked)).rows[0],
    now: async () => (await own.pool.query<{ now_ms: number }>(NOW)).rows[0]?.now_ms ?? 0,
    close: () => own.close(),
  };
}
