// Takes capabilities out of a copy of this project, with those that build on them, and shows that the rest
// stands by itself.
//   node scripts/take-out.mjs delegation   without one: types, command, and the golden cases of the rest
//   node scripts/take-out.mjs --all        so without each, each alone with its own cases, and without any
//   node scripts/take-out.mjs --types      types without each
//   node scripts/take-out.mjs --ci         the same, and beside it its own cases alone with each that changed, or with
//                                          a few of them, chosen by the commit; and half of the cases without any
// The engine's own cases run where all are missing.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, chosenOf, halfOf } from './commit.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['src', 'templates', 'test', 'test/cases'];
/** What all capabilities join by: where it changed, each counts as changed. */
const POINTS = ['src/capabilities.ts', 'src/workspace/tasks/capability.ts', 'scripts/take-out.mjs'];
/** So many at most are looked at alone for one commit; the next ones and the night do the others. */
const FEW = 2;

/** Which capability builds on which (docs/architecture.md). The keys are all capabilities. */
export const BUILDS_ON = {
  squads: [],
  checkpoints: [],
  plans: ['squads', 'checkpoints'],
  delegation: ['squads'],
  commits: [],
  workflows: ['plans'],
  teams: ['plans'],
  router: ['workflows', 'teams'],
  mcp: [],
  machines: [],
  exchange: ['plans'],
  memory: [],
  assumptions: ['memory', 'plans'],
  sessions: [],
  stats: [],
  page: ['plans', 'stats'],
  demo: [],
  ledger: [],
};

const ALL = Object.keys(BUILDS_ON);

/** The given ones and all that build on them, in the order of BUILDS_ON. */
function withDependents(names) {
  const gone = new Set(names);
  for (const [name, below] of Object.entries(BUILDS_ON)) {
    if (below.some((one) => gone.has(one))) gone.add(name);
  }
  return ALL.filter((name) => gone.has(name));
}

/** All but the given one and those that it builds on. */
function othersOf(name) {
  const kept = new Set([name]);
  for (const one of kept) for (const below of BUILDS_ON[one]) kept.add(below);
  return ALL.filter((one) => !kept.has(one));
}

function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'contracts-without-'));
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  );
  for (const file of files.split('\0')) {
    if (file === '' || !existsSync(join(project, file))) continue;
    cpSync(join(project, file), join(copy, file), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The copy as it is without these, then as it was. True where all looks are. */
function without(copy, gone, what, looks) {
  const began = performance.now();
  const list = join(copy, 'src/capabilities.ts');
  const text = readFileSync(list, 'utf8');
  const folders = gone
    .flatMap((name) => FOLDERS.map((folder) => join(folder, name)))
    .filter((folder) => existsSync(join(copy, folder)));
  const aside = (folder) => join(copy, 'aside', folder);
  for (const folder of folders) {
    mkdirSync(dirname(aside(folder)), { recursive: true });
    renameSync(join(copy, folder), aside(folder));
  }
  writeFileSync(list, withoutLines(text, gone));
  const sentences = join(copy, 'test/cases/sentences.tsv');
  const rows = readFileSync(sentences, 'utf8');
  writeFileSync(sentences, ofCases(copy, rows));
  const stands = looks.every((look) => look(copy));
  writeFileSync(list, text);
  writeFileSync(sentences, rows);
  for (const folder of folders) renameSync(aside(folder), join(copy, folder));
  const seconds = Math.round((performance.now() - began) / 1000);
  const seen = looks.map(({ name }) => name).join(', ');
  process.stdout.write(`${what}: ${stands ? `${seen} pass, ${seconds} s` : 'failed'}\n`);
  return stands;
}

/** Rows of sentences whose case, named by its number, is there. */
function ofCases(copy, rows) {
  const files = readdirSync(join(copy, 'test/cases'), { recursive: true });
  const there = new Set(files.map((file) => /^\d*/.exec(basename(file))?.[0]));
  return rows.replace(/^(\d{3,4})\t.*\n/gm, (row, number) => (there.has(number) ? row : ''));
}

/** Its import, and its name in the list, wherever lines break. */
function withoutLines(text, gone) {
  const imported = text
    .split('\n')
    .filter((line) => !gone.some((one) => line.includes(`'./${one}/`)));
  const name = new RegExp(`(?<=[[,]\\s*)(?:${gone.join('|')})\\s*(?:,\\s*|(?=\\]))`, 'g');
  return imported.join('\n').replaceAll(name, '');
}

function run(copy, what, args) {
  const env = { ...process.env, NODE_OPTIONS: '', CONTRACTS_TEST_BUILD: 'theirs' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    env,
  });
  if (status === 0) return true;
  process.stdout.write(`${stdout}${stderr}`.split('\n').slice(-60).join('\n'));
  process.stdout.write(`\n${what} failed\n`);
  return false;
}

/** Incremental: what another look has seen and is as it was is not looked at again. */
function types(copy) {
  const args = [
    '--noEmit',
    '-p',
    'tsconfig.json',
    '--incremental',
    '--tsBuildInfoFile',
    'types.json',
  ];
  return run(copy, 'types', ['node_modules/typescript/bin/tsc', ...args]);
}

/** Without the types of the library. */
function command(copy) {
  const code = "await (await import('./scripts/bundle.mjs')).bundleCommand(process.cwd());";
  return run(copy, 'command', ['--input-type=module', '--eval', code]);
}

/** `folders`: of test/cases; all that are there by default. */
function casesOf(folders = ['']) {
  const paths = folders.map((name) => `test/cases/${name && `${name}/`}`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'default'];
  return function cases(copy) {
    const there = paths.filter((path) => existsSync(join(copy, path)));
    return there.length === 0 || run(copy, 'cases', [...args, ...there]);
  };
}

const named = (names) => `without ${names.join(', ')}`;

/** The cases of the others run, with the engine's own where `own` is true. */
function withoutOne(copy, name, own) {
  const gone = withDependents([name]);
  const left = own ? undefined : ALL.filter((one) => !gone.includes(one));
  return without(copy, gone, named(gone), [types, command, casesOf(left)]);
}

const withoutAny = (copy, folders) =>
  without(copy, ALL, 'without any', [types, command, casesOf(folders)]);
const alone = (copy, name) =>
  without(copy, othersOf(name), `${name} alone`, [types, command, casesOf([name])]);

/** Every second folder of the engine's own cases; the next commit may choose the others, and the night plays all. */
function halfOfEngine(copy) {
  const folders = readdirSync(join(copy, 'test/cases'), { withFileTypes: true })
    .filter((one) => one.isDirectory() && !ALL.includes(one.name))
    .map(({ name }) => name)
    .toSorted();
  return halfOf(project, folders);
}

/** Those that changed, or all where history does not say; a few of them where there are more. */
function changedOnes() {
  const changed = changedIn(changedFiles(project));
  if (changed.length <= FEW) return changed;
  const first = changed.indexOf(chosenOf(project, changed));
  return [...changed, ...changed].slice(first, first + FEW);
}

function changedIn(files) {
  if (files === undefined || POINTS.some((path) => files.includes(path))) return ALL;
  return ALL.filter((name) =>
    FOLDERS.some((folder) => files.some((file) => file.startsWith(`${folder}/${name}/`))),
  );
}

function looksOf(copy, given) {
  if (given.includes('--all')) {
    return [
      ...ALL.map((name) => () => withoutOne(copy, name, false)),
      ...ALL.map((name) => () => alone(copy, name)),
      () => withoutAny(copy),
    ];
  }
  if (given.includes('--types')) {
    return ALL.map((name) => () => {
      const gone = withDependents([name]);
      return without(copy, gone, named(gone), [types]);
    });
  }
  if (given.includes('--ci'))
    return [
      ...changedOnes().map((name) => () => alone(copy, name)),
      () => withoutAny(copy, halfOfEngine(copy)),
    ];
  return given.map((name) => () => withoutOne(copy, name, true));
}

/** The types in a process of their own, which needs one core and nothing of the rest. Gives whether they pass. */
function beside() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--types'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return once(child, 'close').then(([code]) => code === 0);
}

const given = process.argv.slice(2);
const strange = given.filter((one) => !['--all', '--types', '--ci', ...ALL].includes(one));
if (given.length === 0 || strange.length > 0) {
  process.stderr.write(
    `take-out: a capability, --all, --types or --ci, not: ${strange.join(' ')}\n`,
  );
  process.exit(2);
}
const also = given.includes('--ci') ? beside() : true;
const copy = copyProject();
try {
  const passed = looksOf(copy, given).map((look) => look());
  process.exitCode = passed.every(Boolean) && (await also) ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
