/**
 * `doctor` on the queues of a workspace: nothing hangs, each problem names what comes next, and of a queue that answers
 * it reports what waits there and who works.
 */
import { cpSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jobsQueue } from '../../src/machines/core/job.ts';
import { openQueue } from '../../src/machines/engine/queue.ts';
import { BINARY, contracts } from '../support/binary.ts';
import { checkJsonIn } from '../support/json-lines.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const TRUSTED = { CONTRACTS_TRUST: '1' };

/** `doctor` where these adapters are, as lines; `env` beside the sealed one. */
async function doctor(
  adapters: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = TRUSTED,
  binary = BINARY,
) {
  const root = sealedFolder('far');
  const lines = Object.entries(adapters).map(
    ([name, more]) => `  ${name}: { type: queue, ${more} }`,
  );
  putFile(join(root, '.contracts/config.yaml'), `adapters:\n${lines.join('\n')}\n`);
  const all = { ...sealedEnv(), ...env };
  const { stdout } = await contracts(root, ['doctor', '--json'], [], all, binary);
  checkJsonIn(stdout);
  const said = stdout.trimEnd().split('\n');
  return said.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
type Lines = Awaited<ReturnType<typeof doctor>>;

/** What it reports about queues: a text for each problem and each ability. */
const wordsOf = (lines: Lines): readonly string[] =>
  lines.flatMap(({ event, problem, name, holds, means }) => {
    const { message = '', fix = '' } = (problem ?? {}) as { message?: string; fix?: string };
    if (event === 'problem' && message.startsWith('adapter ')) return [`${message}. ${fix}`];
    return name === 'worker' || name === 'far'
      ? [`${holds === true ? 'yes' : 'no'}: ${String(means)}`]
      : [];
  });

/** A server that takes connections and never answers. */
async function silent() {
  let connections = 0;
  const server = createServer(() => void (connections += 1)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { at: `ann:secret@127.0.0.1:${port}`, connections: () => connections };
}

test.each(['redis', 'postgres'])(
  'a server that never answers holds nothing up: %s',
  async (how) => {
    const { at, connections } = await silent();
    const lines = await doctor({ far: `url: "${how}://${at}", agent: builder` });
    expect(connections()).toBeGreaterThan(0);
    const [problem = ''] = wordsOf(lines);
    expect(problem).toMatch(/^adapter far: \S+ does not answer: .+\. Start it, or mend its url/);
    expect(JSON.stringify(lines)).not.toContain('secret');
  },
);

test('no server is asked for a workspace that nobody trusts', async () => {
  const { at, connections } = await silent();
  const lines = await doctor({ far: `url: "redis://${at}", agent: builder` }, {});
  expect(wordsOf(lines)).toEqual(['no: not asked: nobody trusts this workspace yet']);
  expect(connections()).toBe(0);
});

test('a package that is missing is named with its install line', async () => {
  const alone = sealedFolder('alone');
  const dist = dirname(dirname(BINARY));
  for (const part of ['dist', 'templates', 'package.json'])
    cpSync(join(dist, '..', part), join(alone, part), { recursive: true });
  const binary = join(alone, BINARY.slice(dirname(dist).length));
  const far = 'url: "redis://127.0.0.1:1", agent: builder';
  const [problem] = wordsOf(await doctor({ far }, TRUSTED, binary));
  expect(problem).toMatch(
    /^adapter far: a queue needs the package bullmq.*npm install -g bullmq ioredis/,
  );
});

test('a password with a slash, which ends an address early, is not shown', async () => {
  const lines = await doctor({ far: 'url: "redis://:of/SECRET@127.0.0.1:1", agent: builder' });
  expect(JSON.stringify(lines)).toContain('does not answer');
  expect(JSON.stringify(lines)).not.toContain('SECRET');
});

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: doctor on real servers, because ${missing}`);
const ENGINES = { Redis: () => startRedis({ password: 'p' }), PostgreSQL: () => startPostgres() };

describe.runIf(missing === undefined).each(Object.entries(ENGINES))('a queue on %s', (_, start) => {
  test('what waits, and who is alive with which labels and slots', async () => {
    const { url, stop } = await start();
    onTestFinished(stop);
    const queue = await openQueue(url);
    onTestFinished(() => queue.close());
    const name = jobsQueue('builder', ['gpu']);
    for (const id of ['a', 'b']) await queue.announce(name, id, { text: '', signature: '' });
    const far = `url: "${url}", agent: builder, labels: [gpu]`;
    const before = await doctor({ far });
    const { password } = new URL(url);
    const place = `'${url.replace(`:${password}@`, ':${QUEUE_PASSWORD}@')}'`;
    expect(wordsOf(before)).toEqual([
      `adapter far: no worker for builder on gpu is alive. Start one on another machine: contracts worker --queue ${place} --key owners.pem --agent builder --labels gpu`,
      expect.stringMatching(
        /^yes: \S+ answers: 2 jobs waiting, the oldest for \d+ s; 0 being done$/,
      ),
    ]);
    const big = { v: 1, name: 'big', agents: ['builder', 'tester'], labels: ['gpu', 'linux'] };
    await queue.show('one', { ...big, slots: 2, busy: 1 });
    const after = await doctor({ far });
    expect(wordsOf(after)).toEqual([
      expect.stringMatching(/^yes: \S+ answers: 2/),
      expect.stringMatching(
        /^yes: big: builder, tester on gpu, linux; 1 of 2 slots busy, seen \d+ s ago$/,
      ),
    ]);
    expect(after.map(({ facts }) => facts)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ agent: 'builder', labels: ['gpu'], waiting: 2, active: 0 }),
        expect.objectContaining({ name: 'big', slots: 2, busy: 1 }),
      ]),
    );
    expect(JSON.stringify([...before, ...after])).not.toContain(`:${password}@`);
  });
});

test.runIf(missing === undefined).each(['redis', 'postgres'])(
  'a login that is refused is no server that is down: %s',
  async (how) => {
    const start = how === 'redis' ? startRedis : startPostgres;
    const { url, stop, env } = await start({ tls: true, password: 'right' });
    onTestFinished(stop);
    const far = `url: "${url.replace('right', '${QUEUE_PASSWORD}')}", agent: builder`;
    const [problem] = wordsOf(
      await doctor({ far }, { ...TRUSTED, ...env, QUEUE_PASSWORD: 'wrong' }),
    );
    expect(problem).toMatch(
      /^adapter far: the queue refuses the login: .+[^.]\. Give the password of its server: export QUEUE_PASSWORD=…$/,
    );
  },
);

test.runIf(missing === undefined)('a job whose worker is gone is not being done', async () => {
  const { url, stop } = await startRedis();
  onTestFinished(stop);
  const queue = await openQueue(url);
  onTestFinished(() => queue.close());
  const name = jobsQueue('builder', []);
  for (const id of ['a', 'b']) await queue.announce(name, id, { text: '', signature: '' });
  for (const token of ['gone', 'one']) await queue.take(name, token);
  const alive = { v: 1, name: 'big', agents: ['builder'], labels: [], slots: 2, busy: 1 };
  await queue.show('one', alive);
  const [means] = wordsOf(await doctor({ far: `url: "${url}", agent: builder` }));
  expect(means).toMatch(/; 1 being done, and 1 of a worker that is gone$/);
});

test.runIf(missing === undefined)(
  'a Redis that may drop jobs is a warning; a worker long gone is not alive',
  async () => {
    const { url, stop } = await startRedis();
    onTestFinished(stop);
    const admin = new Redis(url, { maxRetriesPerRequest: null });
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const workers = new Queue('workers', {
      connection: admin as never,
      prefix: 'contracts',
      skipVersionCheck: true,
    });
    workers.on('error', () => undefined);
    const gone = {
      v: 1,
      name: 'gone',
      agents: ['builder'],
      labels: [],
      slots: 1,
      busy: 0,
      seen_ms: 1,
    };
    await workers.add('worker', gone);
    await workers.add('worker', { v: 1, name: 'liar' });
    await workers.close();
    await admin.quit();
    expect(wordsOf(await doctor({ far: `url: "${url}", agent: builder` }))).toEqual([
      expect.stringContaining('no worker for builder is alive'),
      expect.stringMatching(
        /maxmemory-policy of its Redis is allkeys-lru, so jobs can be lost\. Set it: redis-cli/,
      ),
      expect.stringMatching(/^yes: \S+ answers: 0 jobs waiting; 0 being done$/),
    ]);
  },
);
