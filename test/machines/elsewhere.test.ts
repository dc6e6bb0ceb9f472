/**
 * The commands of docs/examples/machines, as they stand there, against a Redis that Compose's own command started: each
 * worker comes up in a folder with what its file puts there, and ends by itself or by SIGTERM.
 */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { otherUser } from '../support/as-user.ts';
import { BINARY } from '../support/binary.ts';
import { queueServersMissing } from '../support/queue-servers.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { freePort, serverProcess } from '../support/server-process.ts';

const missing = queueServersMissing();
if (missing !== undefined)
  console.log(`LEFT OUT: workers as their files start them, because ${missing}`);

const FOLDER = fileURLToPath(new URL('../../docs/examples/machines/', import.meta.url));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const PASSWORD = 'a0b1';

interface Compose {
  readonly services: Record<
    'redis' | 'worker',
    { readonly command: readonly string[]; readonly environment: Record<string, string> }
  >;
}
const compose = parse(textOf('compose.yaml')) as Compose;
const filled = (text: string): string =>
  text.replaceAll('${REDIS_PASSWORD:?}', PASSWORD).replaceAll('$$', () => '$');

interface Start {
  readonly script: string;
  /** What the file itself sets, beside the secrets. */
  readonly set?: Readonly<Record<string, string | undefined>>;
  /** The file makes the settings and keys itself. */
  readonly makesFiles?: boolean;
  readonly isOnce?: boolean;
}

const [, deployment] = parseAllDocuments(textOf('kubernetes.yaml'));
const container = (deployment?.toJS() as Deployment | undefined)?.spec?.template.spec
  ?.containers[0];
const unit = (key: string): string =>
  new RegExp(`^${key}=(.*)$`, 'm').exec(textOf('contracts-worker.service'))?.[1] ?? '';
const github = parse(textOf('github-actions.yml')) as {
  jobs: { worker: { steps: readonly { run?: string; env?: Record<string, string> }[] } };
};
const steps = github.jobs.worker.steps.filter(({ env }) => env !== undefined);
const gitlab = (
  parse(textOf('gitlab-ci.yml')) as Record<
    string,
    Record<'before_script' | 'script', readonly string[]> & { variables: Record<string, string> }
  >
)['contracts-worker'];
const trustIn = (env: Readonly<Record<string, string>> | undefined) => ({
  CONTRACTS_TRUST: env?.['CONTRACTS_TRUST'],
});

const STARTS: Readonly<Record<string, Start>> = {
  'compose.yaml': {
    script: filled(compose.services.worker.command[2] ?? ''),
    set: trustIn(compose.services.worker.environment),
  },
  'kubernetes.yaml': {
    script: container?.args?.[0] ?? '',
    set: Object.fromEntries(container?.env?.map(({ name, value }) => [name, value]) ?? []),
  },
  'contracts-worker.service': {
    // systemd puts variables in itself, each as one word.
    script: `exec ${unit('ExecStart').replace('${CONTRACTS_QUEUE}', '"$CONTRACTS_QUEUE"')}`,
    set: Object.fromEntries([unit('Environment').split('=')]) as Record<string, string>,
  },
  'slurm.sh': { script: textOf('slurm.sh') },
  'github-actions.yml': {
    script: steps.map(({ run }) => run).join('\n'),
    set: trustIn(steps[1]?.env),
    makesFiles: true,
    isOnce: true,
  },
  'gitlab-ci.yml': {
    script: [...(gitlab?.before_script ?? []), ...(gitlab?.script ?? [])]
      .filter((line) => !/^(?:apt-get|npm) /.test(line))
      .join('\n'),
    set: trustIn(gitlab?.variables),
    makesFiles: true,
    isOnce: true,
  },
};

/** The queue's URL, of a Redis as Compose starts it. */
async function composeRedis(): Promise<string> {
  const folder = sealedFolder('redis');
  otherUser().own(folder);
  const port = await freePort('127.0.0.1');
  const argv = [...compose.services.redis.command.map(filled), '--port', String(port)];
  const server = serverProcess({ argv, folder, ready: /Ready to accept connections/ });
  await server.start();
  onTestFinished(server.stop);
  return filled(compose.services.worker.environment['CONTRACTS_QUEUE'] ?? '').replace(
    'redis:6379',
    `127.0.0.1:${port}`,
  );
}

describe.runIf(missing === undefined)('a worker', () => {
  test.each(Object.entries(STARTS))('as %s starts it', async (_, start) => {
    const url = await composeRedis();
    const folder = sealedFolder('worker');
    const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
    putFile(
      join(folder, 'bin/contracts'),
      `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
    );
    // A worker does not begin without the client of its agent, which is never called here.
    putFile(join(folder, 'bin/claude'), '#!/bin/sh\nexit 1\n');
    for (const name of ['contracts', 'claude']) chmodSync(join(folder, 'bin', name), 0o755);
    const keys = join(folder, start.makesFiles === true ? 'keys' : 'owners.pem');
    putFile(keys, String(pem));
    if (start.makesFiles !== true)
      putFile(join(folder, '.contracts/config.yaml'), textOf('config.yaml'));
    putFile(join(folder, 'environment'), `CONTRACTS_QUEUE=${url}\n`);
    const sealed = sealedEnv();
    // A variable of type File has its path, and a secret its text.
    const owners = start.script.includes('printenv') ? String(pem).trim() : keys;
    const child = spawn('bash', ['-euc', start.script], {
      cwd: folder,
      env: {
        ...sealed,
        PATH: `${join(folder, 'bin')}:${sealed.PATH}`,
        ...start.set,
        CONTRACTS_QUEUE: url,
        CONTRACTS_OWNERS: owners,
        SLURM_SUBMIT_DIR: folder,
        SLURM_JOB_ID: '7',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let isTold = start.isOnce === true;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (isTold || !said.includes('waits for jobs')) return;
        // Once: the second signal would end its agents, too.
        isTold = true;
        child.kill('SIGTERM');
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    expect(said).toContain('waits for jobs: builder on linux');
    expect(code, said).toBe(0);
  });
});
