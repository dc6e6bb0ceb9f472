// Two workers on one machine: a Redis of its own, an owner with four tasks, and two workers in folders of their own.
// Each command is printed as a person would type it. What is missing is named with its install line, exit 1.
//
//   npm run demo:workers                 in a temporary folder, which is removed
//   npm run demo:workers -- FOLDER       in that folder, which stays
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { watch, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const command = join(project, 'dist/bin/contracts.cjs');
const PAGES = ['welcome', 'prices', 'hours', 'contact'];

/** An agent that needs no model: it writes the page that its contract asks for, and says what it did. */
const AGENT = `const { readFileSync, writeFileSync, mkdirSync } = require('node:fs');
const task = process.env.CONTRACTS_TASK;
const desk = process.env.CONTRACTS_OUT;
console.log('writes pages/' + task + '.md');
mkdirSync('pages', { recursive: true });
writeFileSync('pages/' + task + '.md', '# ' + task + '\\n\\nWritten on another machine.\\n');
const form = readFileSync(desk + '/result.md', 'utf8');
writeFileSync(desk + '/result.md', form.replace(/^(- )?status:.*$/im, '$1Status: COMPLETE').replaceAll('- [ ]', '- [x]'));
`;

const contractOf = (page) => `---
v: 1
id: ${page}
title: Write the page ${page}
write: [pages/${page}.md]
deliverables: [pages/${page}.md]
verify: ["file_exists: pages/${page}.md"]
---

## Objective

Write pages/${page}.md.

## Success Criteria

- [ ] The page is there.
`;

const lacks = whatIsMissing();
if (lacks.length > 0) {
  console.error(`demo:workers lacks ${lacks.join('; ')}`);
  process.exit(1);
}
const kept = process.argv[2];
const room = kept === undefined ? mkdtempSync(join(tmpdir(), 'contracts-workers-')) : resolve(kept);
const started = [];
try {
  await play();
} finally {
  for (const one of started) one.kill('SIGTERM');
  await Promise.all(started.map((one) => one.exitCode ?? one.signalCode ?? once(one, 'exit')));
  if (kept === undefined) rmSync(room, { recursive: true, force: true });
}

function whatIsMissing() {
  const isThere = (path) => dirname(path) !== '.' && existsSync(path);
  const found = (name) =>
    (process.env.PATH ?? '').split(':').some((folder) => isThere(join(folder, name)));
  const programs = { 'redis-server': 'apt install redis-server', git: 'apt install git' };
  const packages = ['bullmq', 'ioredis'];
  const { resolve: find } = createRequire(command);
  const canLoad = (name) => {
    try {
      return find(name) !== '';
    } catch {
      return false;
    }
  };
  return [
    ...Object.entries(programs).flatMap(([name, how]) => (found(name) ? [] : `${name} (${how})`)),
    ...packages.flatMap((name) => (canLoad(name) ? [] : `${name} (npm install ${name})`)),
    ...(existsSync(command) ? [] : ['dist/ (npm run build)']),
  ];
}

async function play() {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const [owner, ...workers] = ['owner', 'one', 'two'].map((name) => join(room, name));
  makeOwner(owner, url);
  mkdirSync(join(room, 'redis'), { recursive: true });
  say(room, `redis-server --port ${port} --appendonly yes`);
  const redis = start(
    'redis-server',
    ['--port', port, '--bind', '127.0.0.1'].concat([
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--dir',
      join(room, 'redis'),
    ]),
    { cwd: room },
  );
  await line(redis.stdout, /Ready to accept connections/);
  say(owner, 'contracts run');
  const run = start(process.execPath, [command, 'run'], { cwd: owner, stdio: 'inherit' });
  const ended = once(run, 'exit');
  await fileIn(join(owner, '.contracts/keys'), (name) => name.endsWith('.pub'));
  for (const folder of workers) await startWorker(folder, owner, url);
  const [code] = await ended;
  for (const verb of [
    ['show', PAGES[0]],
    ['merge', '--yes'],
  ]) {
    say(owner, `contracts ${verb.join(' ')}`);
    const out = execFileSync(process.execPath, [command, ...verb], { cwd: owner, env: env() });
    const lines = out.toString().split('\n');
    console.log(
      (verb[0] === 'doctor' ? lines.filter((one) => /queue|worker/i.test(one)) : lines).join('\n'),
    );
  }
  const pages = join(owner, 'pages');
  const made = existsSync(pages) ? readdirSync(pages).length : 0;
  console.log(`${made} of ${PAGES.length} pages were written by two workers.`);
  if (code !== 0 || made !== PAGES.length) process.exitCode = 1;
}

function makeOwner(owner, url) {
  mkdirSync(join(owner, '.contracts'), { recursive: true });
  const put = (path, text) => writeFileSync(join(owner, path), text);
  put('README.md', '# A small shop\n');
  put('.gitignore', '.contracts/cache/\nactive_tasks/.desk/\nLEDGER.md\n');
  put(
    '.contracts/config.yaml',
    `adapter: far\nadapters:\n  far: { type: queue, url: '${url}', agent: builder }\n`,
  );
  const git = (...args) => execFileSync('git', args, { cwd: owner, stdio: 'ignore' });
  git('init');
  git('add', '-A');
  git('-c', 'user.name=demo', '-c', 'user.email=demo@localhost', 'commit', '-m', 'a shop');
  for (const page of PAGES) {
    mkdirSync(join(owner, 'active_tasks/ready', page), { recursive: true });
    put(`active_tasks/ready/${page}/contract.md`, contractOf(page));
  }
}

async function startWorker(folder, owner, url) {
  mkdirSync(join(folder, '.contracts'), { recursive: true });
  const agent = join(folder, 'agent.cjs');
  writeFileSync(agent, AGENT);
  const call = JSON.stringify([process.execPath, agent]);
  writeFileSync(
    join(folder, '.contracts/config.yaml'),
    `adapters:\n  pages: { type: command, run: ${call} }\nagents:\n  builder: { adapter: pages }\n`,
  );
  const keys = join(owner, '.contracts/keys');
  const pem = readdirSync(keys).map((name) => readFileSync(join(keys, name), 'utf8'));
  writeFileSync(join(folder, 'owners.pem'), pem.join(''));
  const args = ['worker', '--queue', url, '--key', 'owners.pem', '--agent', 'builder'];
  say(folder, `contracts ${args.join(' ')}`);
  const worker = start(process.execPath, [command, ...args], { cwd: folder });
  worker.stdout.on('data', (data) => process.stdout.write(`${data}`.replaceAll(/^/gm, '  ')));
  await line(worker.stdout, /waits/);
}

/** Everything in this room was written a moment ago by this script. */
function env() {
  return {
    ...process.env,
    CONTRACTS_TRUST: '1',
    XDG_CACHE_HOME: join(room, 'cache'),
    XDG_STATE_HOME: join(room, 'state'),
  };
}

function start(program, args, options) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const child = spawn(program, args.map(String), { stdio, env: env(), ...options });
  started.push(child);
  return child;
}

function say(folder, words) {
  console.log(`\n${folder.replace(room, '').slice(1) || '.'}$ ${words}`);
}

/** Resolves at the first output that has it. */
function line(stream, pattern) {
  let text = '';
  return new Promise((found) => {
    stream.on('data', (data) => {
      text += data;
      if (pattern.test(text)) found();
    });
  });
}

/** Resolves once the folder has such a file. */
function fileIn(folder, isIt) {
  mkdirSync(folder, { recursive: true });
  return new Promise((found) => {
    const look = () => {
      if (!readdirSync(folder).some(isIt)) return;
      watcher.close();
      found();
    };
    const watcher = watch(folder, look);
    look();
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
