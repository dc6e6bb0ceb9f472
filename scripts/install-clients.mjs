// The real agent clients that tests drive, in the versions of clients.json, each in a folder of its
// own outside the tree: ~/.cache/contracts-clients/<name>-<version>/bin/<name>, or below
// CONTRACTS_CLIENTS. Those of bridges.json speak a protocol for one of them, and come only by name. They come from whatever registry npm is set to, without scripts of theirs; the
// native programs are optional packages. Safe to run twice, also at once; a folder that is there is
// whole, because it gets its name last. `node scripts/install-clients.mjs [name…]`; exit 1 with words
// when one could not be had.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isAlive, locked } from './lock.mjs';

const TRIES = 3;
/** Before the second try; twice as long before the third. */
const PAUSE_MS = Number(process.env.CONTRACTS_CLIENTS_PAUSE_MS || 5_000);
const NPM_TIMEOUT_MS = 300_000;
const VERSION_TIMEOUT_MS = 60_000;
export const UNFINISHED = '.unfinished-';

const pinned = (file) =>
  JSON.parse(fs.readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8'));
const CLIENTS = pinned('clients.json');
const BRIDGES = pinned('bridges.json');
const ALL = { ...CLIENTS, ...BRIDGES };
export const cache = process.env.CONTRACTS_CLIENTS || join(home(), '.cache', 'contracts-clients');

/** A user that the machine does not know has none. */
function home() {
  try {
    return homedir();
  } catch {
    return '/tmp';
  }
}

/** Where the program may be, the likeliest first; the first that prints its version is taken. */
function candidates(name, modules) {
  if (Object.hasOwn(BRIDGES, name)) return [join(modules, '.bin', name)];
  if (name === 'codex') return [join(modules, '@openai/codex/bin/codex.js')];
  if (name === 'gemini') return [join(modules, '@google/gemini-cli/bundle/gemini.js')];
  const [scope, start, program] =
    name === 'claude'
      ? ['@anthropic-ai', 'claude-code-', 'claude']
      : ['.', 'opencode-', 'bin/opencode'];
  return fs
    .readdirSync(join(modules, scope))
    .filter((one) => one.startsWith(start) && one !== 'opencode-ai')
    .toSorted((a, b) => a.length - b.length)
    .map((one) => join(modules, scope, one, program))
    .filter((path) => fs.existsSync(path));
}

function folderOf(name) {
  return join(cache, `${name}-${ALL[name].version}`);
}

/** Of this process alone, so that whoever has the lock wrongly still hurts nobody. */
function unfinishedOf(name) {
  return `${folderOf(name)}${UNFINISHED}${process.pid}`;
}

/** What installers that were killed left. */
function sweep() {
  for (const entry of fs.readdirSync(cache)) {
    const [, pid] = entry.split(UNFINISHED);
    if (pid === undefined || isAlive(Number(pid))) continue;
    fs.rmSync(join(cache, entry), { recursive: true, force: true });
  }
}

function isThere(name) {
  return fs.existsSync(join(folderOf(name), 'bin', name));
}

/** The version that the program prints, in its own home; empty where it cannot run. */
function versionOf(program) {
  const home = fs.mkdtempSync(join(tmpdir(), 'contracts-client-home-'));
  try {
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, npm_config_offline: 'true' };
    const ran = spawnSync(program, ['--version'], {
      cwd: home,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: VERSION_TIMEOUT_MS,
    });
    return ran.status === 0 ? ran.stdout.trim() : '';
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function npmInstall(folder, wanted) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save'];
  const level = ['--loglevel=error', '--no-progress', '--no-update-notifier'];
  const ran = spawnSync('npm', ['install', ...flags, ...level, '--engine-strict=false', wanted], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: NPM_TIMEOUT_MS,
  });
  if (ran.status === 0) return undefined;
  return (
    `${ran.error?.message ?? ''}\n${ran.stderr ?? ''}`.trim() || `npm ended with ${ran.status}`
  );
}

/** One try; words when it failed. */
function tryInstall(name) {
  const { package: from, version } = ALL[name];
  const folder = folderOf(name);
  const unfinished = unfinishedOf(name);
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(join(unfinished, 'bin'), { recursive: true });
  fs.writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n');
  const failed = npmInstall(unfinished, `${from}@${version}`);
  if (failed !== undefined) return failed;
  const modules = join(unfinished, 'node_modules');
  const says = (program) => versionOf(program).includes(version);
  const found = candidates(name, modules).find(Object.hasOwn(BRIDGES, name) ? fs.existsSync : says);
  if (found === undefined) return `no program in it is version ${version}`;
  fs.symlinkSync(join('..', found.slice(unfinished.length + 1)), join(unfinished, 'bin', name));
  // A folder without its program is of an older hand; nothing uses it.
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(unfinished, folder);
  return undefined;
}

async function install(name) {
  const { package: from, version } = ALL[name];
  for (let tries = 1; tries <= TRIES; tries++) {
    const from_ms = Date.now();
    const failed = tryInstall(name);
    if (failed === undefined) {
      console.log(
        `${name} ${version}: installed in ${Math.round((Date.now() - from_ms) / 1000)} s`,
      );
      return true;
    }
    console.error(`${from}@${version}, try ${tries} of ${TRIES}: ${failed}`);
    if (tries < TRIES) await pause(PAUSE_MS * tries);
  }
  fs.rmSync(unfinishedOf(name), { recursive: true, force: true });
  return false;
}

async function main(names) {
  const unknown = names.filter((name) => !Object.hasOwn(ALL, name));
  if (unknown.length > 0) {
    console.error(`not a client: ${unknown.join(', ')}; known: ${Object.keys(ALL).join(', ')}`);
    return 2;
  }
  const wanted = names.length > 0 ? names : Object.keys(CLIENTS);
  const missing = wanted.filter((name) => !isThere(name));
  let failed = 0;
  if (missing.length > 0) {
    await locked(join(cache, 'lock'), 'installs', async () => {
      sweep();
      // Another installer may have brought them while this one waited.
      for (const name of missing.filter((one) => !isThere(one))) {
        if (!(await install(name))) failed += 1;
      }
    });
  }
  for (const name of wanted.filter(isThere)) console.log(join(folderOf(name), 'bin', name));
  return failed > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
