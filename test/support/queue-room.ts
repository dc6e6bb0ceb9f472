/**
 * A queue of BullMQ on a server of the test's own, with a worker that takes jobs by hand: the same for Redis and
 * PostgreSQL. All of it is gone when the test ends.
 */
import { readFileSync } from 'node:fs';
import { createPostgresBackend, Queue, Worker, type Job, type QueueBase } from 'bullmq';
import { onTestFinished } from 'vitest';
import type { Server } from './queue-servers.ts';

export const PREFIX = 'contracts';
const NAME = 'jobs';
export const isPostgres = ({ url }: Server): boolean => url.startsWith('postgres');

export interface Room {
  readonly server: Server;
  readonly queue: Queue;
  readonly worker: (options?: { readonly lock_ms: number }) => Promise<Worker>;
  readonly add: (jobId: string, data?: object) => Promise<Job>;
  /** The only worker's next job, with the token `mine`. */
  readonly take: () => Promise<Job>;
  readonly again: (jobId: string) => Promise<Job>;
}

export async function queueRoom(start: () => Promise<Server>): Promise<Room> {
  const server = await start();
  onTestFinished(server.stop);
  const queue = isPostgres(server)
    ? (new Queue(NAME, { connection: poolOf(server) }, createPostgresBackend) as unknown as Queue)
    : new Queue(NAME, { connection: redisOf(server), prefix: PREFIX });
  closedAtEnd(queue);
  const worker: Room['worker'] = async ({ lock_ms } = { lock_ms: 600_000 }) => {
    const options = { autorun: false, maxStalledCount: 0, stalledInterval: 5 };
    const all = { ...options, lockDuration: lock_ms };
    const made = isPostgres(server)
      ? (new Worker(
          NAME,
          null,
          { ...all, connection: poolOf(server) },
          createPostgresBackend,
        ) as unknown as Worker)
      : new Worker(NAME, null, { ...all, connection: redisOf(server), prefix: PREFIX });
    closedAtEnd(made);
    await made.waitUntilReady();
    return made;
  };
  await queue.waitUntilReady();
  const only = await worker();
  return {
    server,
    queue,
    worker,
    add: (jobId, data = {}) =>
      queue.add('run', data, { jobId, attempts: 1, removeOnComplete: false, removeOnFail: false }),
    take: async () => given(await only.getNextJob('mine', { block: false })),
    again: async (jobId) => given(await queue.getJob(jobId)),
  };
}

const poolOf = ({ url }: Server) => ({
  connectionString: url,
  schema: PREFIX,
  migrate: true,
  max: 3,
});

function redisOf({ url, ca }: Server) {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
    ...(ca === undefined ? {} : { tls: { ca: readFileSync(ca, 'utf8') } }),
  };
}

/** Errors of a connection come to it too, and end the process where nobody hears them. */
function closedAtEnd(one: QueueBase): void {
  one.on('error', () => undefined);
  onTestFinished(() => one.close());
}

export function given<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('no job');
  return one;
}

/** What a promise is rejected with, in words. */
export const whatIsWrong = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error: Error) => error.message,
  );
