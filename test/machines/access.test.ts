/**
 * Who gets into a queue's server: a password, TLS by an authority of its own, and a Redis user who has one prefix. A
 * firm's servers are like that, and the tests of machines use them so.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PREFIX, whatIsWrong } from '../support/queue-room.ts';
import {
  queueServersMissing,
  startPostgres,
  startRedis,
  type Server,
} from '../support/queue-servers.ts';

const missing = queueServersMissing();
if (missing !== undefined) console.log(`LEFT OUT: who gets into a server, because ${missing}`);

describe.runIf(missing === undefined)('who may come in', () => {
  const from = fileURLToPath(new URL('../..', import.meta.url));
  const says = (script: string, { url, env }: Pick<Server, 'url' | 'env'>): string => {
    const args = ['--input-type=module', '-e', script, url];
    const options = {
      cwd: from,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, ...env },
    } as const;
    return execFileSync(process.execPath, args, options).trim();
  };
  const ASK = {
    redis: `import { Redis } from 'ioredis';
      const one = new Redis(process.argv[1], { retryStrategy: () => null, lazyConnect: true });
      const heard = [];
      one.on('error', (error) => heard.push(error.code ?? error.message));
      console.log(await one.connect().then(() => one.ping()).catch(() => heard[0]));
      one.disconnect();`,
    postgres: `import pg from 'pg';
      const one = new pg.Client(process.argv[1]);
      const asked = one.connect().then(() => one.query('SELECT 1'));
      console.log(await asked.then(() => 'PONG', (error) => error.code ?? error.message));
      await one.end();`,
  };

  test('a client with the password, and by TLS with the authority that the environment names', async () => {
    const [plain, redis] = [await startRedis({ password: 'a' }), await startRedis({ tls: true })];
    const postgres = await startPostgres({ tls: true });
    for (const { stop } of [plain, redis, postgres]) onTestFinished(stop);
    const other = (url: string): string => url.replace(/:[^:]*@/, ':another@');
    expect(says(ASK.redis, plain)).toBe('PONG');
    expect(says(ASK.redis, { url: other(plain.url), env: {} })).toMatch(/^WRONGPASS/);
    expect(says(ASK.redis, redis)).toBe('PONG');
    expect(says(ASK.redis, { ...redis, env: {} })).toBe('SELF_SIGNED_CERT_IN_CHAIN');
    expect(says(ASK.postgres, postgres)).toBe('PONG');
    expect(says(ASK.postgres, { url: other(postgres.url), env: {} })).toBe('28P01');
    // The environment's authority serves without `sslrootcert`; without either nobody is believed.
    const url = postgres.url.replace(/&sslrootcert=.*/, '');
    expect(says(ASK.postgres, { url, env: postgres.env })).toBe('PONG');
    expect(says(ASK.postgres, { url, env: {} })).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    const bare = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
    expect(await whatIsWrong(bare.connect())).toContain('no encryption');
  });

  test('a user with a prefix sees no other key, name or channel', async () => {
    const server = await startRedis({ acl: { user: 'ann', password: 'hers', prefix: PREFIX } });
    onTestFinished(server.stop);
    const own = new Redis(server.url);
    onTestFinished(() => own.disconnect());
    expect(await own.set(`${PREFIX}:mine`, 'yes')).toBe('OK');
    const refused = [
      own.get('other:key'),
      own.eval("return redis.call('GET', 'other:key')", 0),
      own.publish('other', 'hello'),
      ...['KEYS *', 'SCAN 0', 'RANDOMKEY', 'FLUSHALL', 'CONFIG GET dir', 'ACL LIST', 'MONITOR'].map(
        (line) => own.call(...(line.split(' ') as [string])),
      ),
    ];
    const words = await Promise.all(refused.map(whatIsWrong));
    expect(words.filter((one) => !/NOPERM|no permissions|can't access/i.test(one))).toEqual([]);
  });
});
