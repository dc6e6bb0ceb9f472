/**
 * What is wrong before any work begins: a queue that is not there, a password that does not fit, a variable that is not
 * set, a server that is full. A worker still ends by the first signal, and an owner does not try again and again.
 */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { orAborted } from '../../src/cli/terminal/interruptible.ts';
import { contracts, contractsIn, startContracts } from '../support/binary.ts';
import { machinesRoom, wrongs, type MachinesRoom } from '../support/machines-room.ts';
import { queueServersMissing, startPostgres, startRedis } from '../support/queue-servers.ts';
import { putFile } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: queues that are not there, because ${missing}`);
const NOTHING = 'redis://127.0.0.1:1';

const outcomes = (room: MachinesRoom): readonly string[] =>
  room.outcomes().map(({ outcome, reason }) => `${outcome}: ${reason}`);

test('who waits beside a signal for days leaves nothing at it', async () => {
  const all = new AbortController();
  for (const n of [1, 2, 3]) expect(await orAborted(Promise.resolve(n), all.signal)).toBe(n);
  await expect(orAborted(Promise.reject(new Error('no')), all.signal)).rejects.toThrow('no');
  expect(getEventListeners(all.signal, 'abort')).toEqual([]);
  const never = orAborted(new Promise(() => undefined), all.signal);
  all.abort();
  expect(await never).toBe(undefined);
});

describe.runIf(missing === undefined)('a queue that cannot be used', () => {
  test.each([
    ['is not there', async () => NOTHING],
    ['is no host', async () => 'redis://nowhere.invalid'],
    ['is PostgreSQL, and not there', async () => 'postgres://me@127.0.0.1:1/tasks'],
  ])('and %s lets its worker end by the first signal', async (_, address) => {
    const room = machinesRoom({ url: NOTHING, tasks: 0 });
    const at = join(room.base, 'idle');
    mkdirSync(join(at, '.contracts'), { recursive: true });
    putFile(
      join(at, '.contracts/config.yaml'),
      'adapters:\n  a: { type: command, run: [sh, -c, "true"] }\nagents:\n  builder: { adapter: a }\n',
    );
    const flags = ['--queue', await address(), '--key', room.keys, '--agent', 'builder'];
    const { child, ended, stdout } = startContracts(
      at,
      ['worker', ...flags],
      [],
      room.envOf('idle'),
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    await until('it to name what is wrong', () => stdout().includes(' queue '));
    expect(stdout()).toMatch(/ queue cannot be used: .+\. It is asked again until it can$/m);
    expect(stdout()).not.toContain('waits');
    child.kill('SIGTERM');
    const { code, signal } = await ended;
    expect(code === 0 || signal === 'SIGTERM').toBe(true);
  });

  test.each([
    ['Redis, and a wrong password', () => startRedis({ password: 'right' }), 'wrong'],
    ['Redis, and no password', () => startRedis({ password: 'right' }), ''],
    ['PostgreSQL', () => startPostgres({ tls: true, password: 'right' }), 'wrong'],
  ])('refuses the login of a worker, which ends: %s', async (_, start, password) => {
    const server = await start();
    onTestFinished(server.stop);
    const room = machinesRoom({ url: NOTHING, tasks: 0 });
    putFile(
      join(room.base, 'idle/.contracts/config.yaml'),
      'adapters:\n  a: { type: command, run: [sh, -c, "true"] }\nagents:\n  builder: { adapter: a }\n',
    );
    const url = server.url.replace(':right@', password === '' ? '@' : ':${QUEUE_PASSWORD}@');
    const flags = ['--queue', url.replace('//@', '//'), '--key', room.keys, '--agent', 'builder'];
    const env = { ...room.envOf('idle', server.env), QUEUE_PASSWORD: password };
    const { code, stdout, stderr } = await contracts(
      join(room.base, 'idle'),
      ['worker', ...flags],
      [],
      env,
    );
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      /^fault: the queue refuses the login: .+[^.]\. Give the password of its server: export QUEUE_PASSWORD=/,
    );
  });

  test('for lack of a key is no try of the task, and says what to do there', async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const room = machinesRoom({ url: server.url, tasks: 1, retries_max: 0 });
    const { publicKey } = generateKeyPairSync('ed25519');
    const keys = readFileSync(room.keys, 'utf8');
    putFile(room.keys, publicKey.export({ type: 'spki', format: 'pem' }));
    const worker = await room.worker('w1');
    const { code, stdout } = await room.run().started.ended;
    expect([code, Object.keys(room.states())]).toEqual([3, ['ready']]);
    expect(outcomes(room)).toEqual([
      expect.stringMatching(
        /^interrupted: "a worker cannot do it: \S+: its --key file has no key that signed this\. Add/,
      ),
    ]);
    expect(stdout).toContain(
      "Add the owner's .contracts/keys/*.pub to it, then start that worker again",
    );
    await worker.kill();
    putFile(room.keys, keys);
    await room.worker('w1');
    expect((await room.run().started.ended).code).toBe(0);
  });

  test('by its password costs one call, and the reason says so', async () => {
    const server = await startRedis({ password: 'right' });
    onTestFinished(server.stop);
    const room = machinesRoom({ url: server.url.replace('right', 'wrong'), tasks: 1 });
    const { code, stderr } = await room.run().started.ended;
    expect(outcomes(room)).toEqual([
      expect.stringMatching(/^interrupted: "the queue refuses the login: WRONGPASS/),
    ]);
    expect([code, stderr]).toEqual([3, expect.not.stringContaining('wrong@')]);
  });

  test('because a variable is not set costs one call, and names it', async () => {
    const room = machinesRoom({ url: 'redis://:${QUEUE_PASSWORD}@127.0.0.1:1', tasks: 1 });
    expect((await room.run().started.ended).code).toBe(3);
    expect(outcomes(room)).toEqual([expect.stringContaining('QUEUE_PASSWORD, which is not set')]);
  });

  test('because it is full is waited for', async () => {
    const server = await startRedis();
    onTestFinished(server.stop);
    const admin = new Redis(server.url);
    onTestFinished(() => admin.disconnect());
    const room = machinesRoom({ url: server.url, tasks: 2 });
    await room.worker('w1');
    await admin.config('SET', 'maxmemory', '1mb');
    const run = room.run();
    const log = () => room.outcomes().map((one) => one.log);
    await until('it to be full', () =>
      log().some((one) => one.includes('OOM command not allowed')),
    );
    await admin.config('SET', 'maxmemory', '0');
    await run.started.ended;
    expect(wrongs(room)).toEqual([]);
    expect(room.outcomes().filter(({ kind }) => kind === 'work')).toHaveLength(2);
  });
});

describe.runIf(missing === undefined)('an agent on the machine of a worker', () => {
  test('starts no worker of its own, whose agents would have other permissions', () => {
    const own = { CONTRACTS_TASK: 'x', CONTRACTS_ATTEMPT: '0001', CONTRACTS_OUT: '/tmp' };
    const flags = ['--queue', NOTHING, '--key', 'none.pem', '--agent', 'builder'];
    const env = { ...process.env, ...own };
    const { status, stderr } = contractsIn('/tmp', ['worker', ...flags], { env });
    expect([status, stderr]).toEqual([2, expect.stringContaining('reserved for people')]);
  });

  test('sees its own job and no other', async () => {
    if (spawnSync('bwrap', ['--version']).error !== undefined) {
      console.log('LEFT OUT: what an agent of a worker sees, because bwrap is not installed');
      return;
    }
    const server = await startRedis();
    onTestFinished(server.stop);
    const room = machinesRoom({ url: server.url, tasks: 2 });
    // Each looks while both are at work.
    putFile(
      join(room.base, 'agent.sh'),
      `ls -d "$XDG_CACHE_HOME"/contracts-worker/*/* >"$CONTRACTS_TASK.txt" 2>&1; sleep 1
ls -d "$XDG_CACHE_HOME"/contracts-worker/*/* >>"$CONTRACTS_TASK.txt" 2>&1
printf -- '---\\nstatus: COMPLETE\\n---\\n\\n## Success Criteria\\n\\n- [x] It was done\\n' >"$CONTRACTS_OUT/result.md"
`,
    );
    const env = { CONTRACTS_SANDBOX: 'auto' };
    await room.worker('w1', { env });
    await room.run().started.ended;
    for (const id of room.ids) {
      const seen = room.git(`show contracts/${id}:${id}.txt`);
      const names = [...seen.matchAll(/contracts-worker\/\d+\/[0-9a-f]{16}\.(\S+)\.1$/gm)];
      expect(new Set(names.map(([, name]) => name)), seen).toEqual(new Set([id]));
    }
    expect(existsSync(join(room.root, 'active_tasks/done', room.ids[0] ?? ''))).toBe(true);
    const outcome = join(
      room.root,
      'active_tasks/done',
      room.ids[0] ?? '',
      'attempts/0001/outcome.md',
    );
    expect(readFileSync(outcome, 'utf8')).toContain('- sandbox');
  });
});
