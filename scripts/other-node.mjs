// Runs golden cases, budgets of the start and the smoke test of the package with another Node: the major that
// the commit chooses, with half of the cases, those that are named, or --all.
//   node scripts/other-node.mjs [--all | 22 24 26]
// The programs come from whatever registry npm is set to, in the versions of nodes.json and with their sums, each
// into ~/.cache/contracts-clients/node-<version>/bin, or below CONTRACTS_CLIENTS. Where one cannot be had it is
// left out, with a message; with CONTRACTS_CLIENTS_REQUIRED=1 that is a failure.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chosenOf, halfOf } from './commit.mjs';
import { cache, UNFINISHED } from './install-clients.mjs';
import { isAlive, locked } from './lock.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const NODES = JSON.parse(fs.readFileSync(join(project, 'scripts/nodes.json'), 'utf8'));
const MAJORS = Object.keys(NODES);
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'default'];
const isAsked = process.argv.length > 2;
const looks = {
  'golden cases, start': [...VITEST, ...casesPlayed(), 'test/cli/start.test.ts'],
  package: ['scripts/check-package.mjs'],
};

/** All where a person or the night asks, else half of their folders, which the commit chooses. */
function casesPlayed() {
  if (isAsked) return ['test/cases'];
  const all = fs.readdirSync(join(project, 'test/cases'), { withFileTypes: true });
  const folders = all.filter((one) => one.isDirectory()).map(({ name }) => `test/cases/${name}/`);
  return ['test/cases/cases.test.ts', ...halfOf(project, folders.toSorted())];
}

/** The folder of its program, or what is wrong. */
async function install(major) {
  const pinned = process.platform === 'linux' ? NODES[major][process.arch] : undefined;
  if (pinned === undefined) return { wrong: `none for ${process.platform} ${process.arch}` };
  const name = `node-${pinned.version}`;
  const bin = join(cache, name, 'bin');
  const isThere = () => fs.existsSync(join(bin, 'node'));
  const wrong = isThere()
    ? undefined
    : await locked(join(cache, 'lock'), 'installs', () =>
        isThere() ? undefined : put(name, pinned),
      );
  return { bin, wrong };
}

/** It gets its name last. */
function put(name, { version, integrity }) {
  for (const entry of fs.readdirSync(cache)) {
    const [, pid] = entry.split(`node${UNFINISHED}`);
    if (pid !== undefined && !isAlive(Number(pid)))
      fs.rmSync(join(cache, entry), { recursive: true });
  }
  const unfinished = join(cache, `node${UNFINISHED}${process.pid}`);
  fs.mkdirSync(unfinished);
  try {
    const flags = ['--silent', '--ignore-scripts', '--pack-destination', unfinished];
    const packed = run('npm', ['pack', ...flags, `node-linux-${process.arch}@${version}`]);
    if (packed.status !== 0) return packed.stderr.trim() || `npm pack ended with ${packed.status}`;
    const tarball = join(unfinished, packed.stdout.trim().split('\n').at(-1));
    const sum = createHash('sha512').update(fs.readFileSync(tarball)).digest('base64');
    if (`sha512-${sum}` !== integrity) return `what came is not node ${version}: another sum`;
    const unpacked = run('tar', ['-xzf', tarball, '-C', unfinished, 'package/bin/node']);
    if (unpacked.status !== 0) return unpacked.stderr.trim();
    const says = run(join(unfinished, 'package/bin/node'), ['--version']);
    if (says.stdout?.trim() !== `v${version}`) return `it does not run here: ${says.stderr}`;
    fs.renameSync(join(unfinished, 'package'), join(cache, name));
    return undefined;
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

function run(program, args) {
  return spawnSync(program, args, { encoding: 'utf8' });
}

/** With it in front of all other programs, so that whoever asks for node gets it. */
function passes(major, bin) {
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, CONTRACTS_TEST_BUILD: 'theirs' };
  return Object.entries(looks).every(([what, args]) => {
    console.log(`node ${major}: ${what}`);
    const { status } = spawnSync(join(bin, 'node'), args, { cwd: project, env, stdio: 'inherit' });
    if (status !== 0) console.error(`node ${major}: ${what} failed`);
    return status === 0;
  });
}

const given = process.argv.slice(2);
const wanted = given.includes('--all')
  ? MAJORS
  : given.length > 0
    ? given
    : [chosenOf(project, MAJORS)];
const strange = wanted.filter((one) => !MAJORS.includes(one));
if (strange.length > 0) {
  console.error(`other-node: one of ${MAJORS.join(', ')}, or --all, not ${strange.join(', ')}`);
  process.exit(2);
}
for (const major of wanted) {
  const { bin, wrong } = await install(major);
  if (wrong === undefined) {
    if (!passes(major, bin)) process.exitCode = 1;
    continue;
  }
  console.error(`LEFT OUT: node ${major}, because ${wrong}`);
  if (process.env.CONTRACTS_CLIENTS_REQUIRED === '1') process.exitCode = 1;
}
