/**
 * Redis and PostgreSQL as Debian packages them, for tests of what goes past one machine: each in a throw-away folder, on
 * loopback, as an ordinary user, with what BullMQ asks for. Whoever starts one stops it: `onTestFinished(server.stop)`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { otherUser } from './as-user.ts';
import { folderOfFile, sealedFolder } from './sealed-folder.ts';
import { freePort, serverProcess, type ServerProcess } from './server-process.ts';

export interface Server {
  /** With the password, as a person gives it to `--queue`. */
  readonly url: string;
  /** What a process needs to trust its certificate: empty without TLS. */
  readonly env: Readonly<Record<string, string>>;
  /** The certificate of its authority, for a client in this process. */
  readonly ca: string | undefined;
  /** Killed as when its machine goes, with what was on the disk; `start` brings it back on the same port. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Both. */
  readonly restart: () => Promise<void>;
  /** Ends it, frozen or not. Does nothing the second time. */
  readonly stop: () => Promise<void>;
  /** All of its processes stand still: connections stay open, and nothing answers. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => void;
  /** All that is queued is gone, as after FLUSHALL. */
  readonly flush: () => Promise<void>;
}

interface Wanted {
  readonly tls?: boolean;
  readonly password?: string;
  readonly port?: number;
  /** The address that it listens on: another than loopback for workers in a network namespace. */
  readonly host?: string;
}

export interface RedisWanted extends Wanted {
  /** A user who sees the keys with this prefix only, and is the one of `url`. */
  readonly acl?: { readonly user: string; readonly password: string; readonly prefix: string };
}

/**
 * All that BullMQ needs of Redis. INFO tells it the version and whether keys may be evicted. SCAN and RANDOMKEY
 * give names of keys that the user may not read.
 */
export const aclRules = (prefix: string): string =>
  `resetkeys ~${prefix}:* resetchannels &${prefix}:* +@all -@dangerous -scan -randomkey +info`;

const NAME = 'contracts';
const NOBODY = 65_534;
/** Where Debian keeps PostgreSQL's programs, off PATH; the newest of them. */
const POSTGRES = newestOf('/usr/lib/postgresql');

function newestOf(folder: string): string {
  if (!existsSync(folder)) return '';
  const versions = readdirSync(folder).toSorted((a, b) => Number(a) - Number(b));
  return join(folder, versions.at(-1) ?? '', 'bin');
}

/** Why tests with real servers are left out, or undefined. */
export function queueServersMissing(): string | undefined {
  const lacks = ['redis-server', 'openssl', 'setpriv'].filter(
    (name) => spawnSync(name, ['--version']).error !== undefined,
  );
  if (!existsSync(join(POSTGRES, 'initdb'))) lacks.push('postgresql');
  if (lacks.length > 0) return `${lacks.join(', ')} is not installed`;
  return hasName() ? undefined : 'the user who runs them has no name, which initdb asks for';
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

export async function startRedis(wanted: RedisWanted = {}): Promise<Server> {
  const { acl, password = '', host = '127.0.0.1', tls = false } = wanted;
  const port = wanted.port ?? (await freePort(host));
  const folder = ownFolder('redis');
  const ca = tls ? certificates(folder, host) : undefined;
  // With an ACL user, the default one is the administrator's.
  const secret = acl === undefined ? password : newPassword();
  put(
    join(folder, 'redis.conf'),
    `bind ${host}
protected-mode no
${tls ? `port 0\ntls-port ${port}\ntls-auth-clients no` : `port ${port}`}
${tls ? 'tls-cert-file server.pem\ntls-key-file server.key\ntls-ca-cert-file ca.pem' : ''}
user default on ${secret === '' ? 'nopass' : JSON.stringify(`>${secret}`)} ~* &* +@all
${acl === undefined ? '' : `user ${acl.user} on ${JSON.stringify(`>${acl.password}`)} ${aclRules(acl.prefix)}`}
appendonly yes
maxmemory-policy noeviction
save ""
`,
  );
  const own = serverProcess({
    argv: ['redis-server', 'redis.conf'],
    folder: given(folder),
    ready: /Ready to accept connections/,
  });
  await own.start();
  const [user, word] = acl === undefined ? ['', password] : [acl.user, acl.password];
  const url = new URL(`${tls ? 'rediss' : 'redis'}://${host}:${port}`);
  Object.assign(url, { username: user, password: word });
  const flush = async (): Promise<void> => {
    const admin = new Redis({
      host,
      port,
      password: secret,
      ...(tls ? { tls: trusting(ca) } : {}),
    });
    await admin.flushall();
    await admin.quit();
  };
  return { url: url.href, env: envOf(ca), ca, ...turns(own), flush };
}

export async function startPostgres(wanted: Wanted = {}): Promise<Server> {
  const { password = newPassword(), host = '127.0.0.1', tls = false } = wanted;
  const port = wanted.port ?? (await freePort(host));
  const folder = ownFolder('postgres');
  const ca = tls ? certificates(folder, host) : undefined;
  const { secret, data: first } = (freshData ??= newData());
  const data = join(folder, 'data');
  cpSync(first, data, { recursive: true });
  // Without TLS nobody comes in where it is asked for, as with `ssl` in a firm's own server.
  put(join(data, 'pg_hba.conf'), `${tls ? 'hostssl' : 'host'} all all all scram-sha-256\n`);
  put(
    join(data, 'postgresql.auto.conf'),
    `listen_addresses = '${host}'
port = ${port}
unix_socket_directories = ''
fsync = on
max_connections = 200
${tls ? "ssl = on\nssl_cert_file = '../server.pem'\nssl_key_file = '../server.key'" : ''}
`,
  );
  const own = serverProcess({
    argv: [join(POSTGRES, 'postgres'), '-D', 'data'],
    folder: given(folder),
    ready: /database system is ready to accept connections/,
  });
  await own.start();
  const asAdmin = (database: string, ...commands: readonly string[]) =>
    queries({ host, port, user: 'postgres', password: secret, database }, ca, commands);
  await asAdmin(
    'postgres',
    `CREATE ROLE ${NAME} LOGIN PASSWORD ${pg.escapeLiteral(password)}`,
    `CREATE DATABASE ${NAME} OWNER ${NAME}`,
  );
  const url = new URL(`postgres://${NAME}@${host}:${port}/${NAME}`);
  url.password = password;
  if (ca !== undefined) url.search = new URLSearchParams({ sslmode: 'verify-full' }).toString();
  if (ca !== undefined) url.searchParams.set('sslrootcert', ca);
  const flush = async (): Promise<void> => asAdmin(NAME, EMPTIED);
  return { url: url.href, env: envOf(ca), ca, ...turns(own), flush };
}

/** All tables of BullMQ but the one that says which of its migrations ran. */
const EMPTIED = `DO $$ DECLARE names text; BEGIN
  SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') INTO names FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'migration';
  IF names IS NOT NULL THEN EXECUTE 'TRUNCATE ' || names || ' CASCADE'; END IF;
END $$`;

async function queries(
  where: pg.ClientConfig,
  ca: string | undefined,
  commands: readonly string[],
): Promise<void> {
  const client = new pg.Client({ ...where, ...(ca === undefined ? {} : { ssl: trusting(ca) }) });
  await client.connect();
  try {
    for (const command of commands) await client.query(command);
  } finally {
    await client.end();
  }
}

function turns(own: ServerProcess) {
  const restart = async (): Promise<void> => {
    await own.kill();
    await own.start();
  };
  return { ...own, restart };
}

const newPassword = (): string => randomBytes(12).toString('hex');
const trusting = (ca: string | undefined) => ({ ca: readFileSync(ca ?? '', 'utf8') });
const envOf = (ca: string | undefined): Record<string, string> =>
  ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: ca };
const put = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o600 });

/** A folder that the tests may read, because a client is told of the authority's certificate in it. */
function ownFolder(name: string): string {
  const folder = sealedFolder(name);
  execFileSync('chmod', ['755', folder]);
  return folder;
}

/** The folder, with all in it the ordinary user's. */
function given(folder: string): string {
  otherUser().own(folder);
  return folder;
}

interface FreshData {
  /** Of its user postgres. */
  readonly secret: string;
  readonly data: string;
}

/** What initdb made once in this process, which each server has a copy of: initdb takes seconds of a processor. */
let freshData: FreshData | undefined;

/** initdb wants a user who has a name. */
function newData(): FreshData {
  const folder = folderOfFile('postgres-data');
  const secret = newPassword();
  put(join(folder, 'secret'), secret);
  const nobody = otherUser(NOBODY);
  nobody.own(folder);
  const auth = ['--username=postgres', '--pwfile=secret', '--auth=scram-sha-256'];
  const args = ['--pgdata=data', '--encoding=UTF8', '--locale=C', '--no-sync', ...auth];
  const [program = '', ...rest] = [...nobody.before, join(POSTGRES, 'initdb'), ...args];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LC_ALL: 'C' };
  execFileSync(program, rest, { cwd: folder, env, stdio: 'pipe' });
  return { secret, data: join(folder, 'data') };
}

/** An authority of its own and a server's certificate by it, made by openssl; gives the authority's path. */
function certificates(folder: string, host: string): string {
  const make = (name: string, subject: string, ...more: readonly string[]): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const out = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '3650'];
    const args = ['req', '-x509', ...key, ...out, '-subj', `/CN=${subject}`, ...more];
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  make('ca', 'authority of the tests');
  const names = `subjectAltName=DNS:localhost,IP:127.0.0.1${host === '127.0.0.1' ? '' : `,IP:${host}`}`;
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'basicConstraints=critical,CA:FALSE'];
  make('server', 'localhost', '-addext', names, ...by);
  return join(folder, 'ca.pem');
}
