/**
 * How little the command loads: the bytes of its files and what each verb asks for, as constants, so
 * that whoever makes it heavier sees it here. Times are the bench's; this runs the built command.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { familyOf } from '../../src/cli/startup/verb-of-args.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

/** The files that a call reads after contracts.cjs, by what they are for. */
const KIB_MAX: Readonly<Record<string, number>> = {
  contracts: 4,
  help: 67,
  names: 107,
  list: 30,
  moves: 16,
  new: 64,
  show: 44,
  hook: 49,
  // The hook loads it for a call of a shell.
  shell: 37,
  step: 74,
  // Commands that start programs load it, too.
  trust: 50,
  // All but help, hook and names load it, too.
  core: 397,
  common: 297,
  // `contracts` alone at a terminal; no other call loads it.
  board: 132,
  all: 541,
  // The first starts of a verb load it.
  'keep-code': 2,
};

/** What the entry asks for; all but vm, a small one, Node has loaded when it starts. */
const ENTRY = ['node:fs', 'node:vm'];
const NODE = [...ENTRY, 'node:path'];
/** What commander asks for. */
const COMMANDER = ['node:events', 'node:process'];
/** What is most of step and of all. */
const COMMON = ['common.cjs', 'core.cjs'];
/** After a change the ledger shows it. */
const LEDGER = ['all.cjs', 'common.cjs', 'node:crypto'];
const LOADS: readonly (readonly [string, readonly string[]])[] = [
  ['--version', ENTRY],
  ['--help', ENTRY],
  ['help', ['help.cjs', ...NODE, ...COMMANDER]],
  // Before there are tasks: with nothing to do.
  ['step --trust', ['step.cjs', ...COMMON, 'trust.cjs', ...NODE, 'node:crypto']],
  [
    'new --id hello --adapter human Hello',
    ['new.cjs', 'core.cjs', ...NODE, 'handlebars-runtime-js.cjs', 'templates.cjs', ...LEDGER],
  ],
  ['list', ['list.cjs', 'core.cjs', ...NODE]],
  ['list --ids', ['names.cjs', ...NODE]],
  ['show hello', ['show.cjs', 'core.cjs', ...NODE]],
  ['-C . show hello', ['show.cjs', 'core.cjs', ...NODE]],
  ['--dir . list --ids', ['names.cjs', ...NODE]],
  ['confirm hello', ['moves.cjs', 'core.cjs', ...NODE, ...LEDGER]],
  ['hook pre-tool-use --client claude', ['hook.cjs', ...NODE]],
  // A verb below hook that a capability brings: silent without a workspace.
  ['hook session-end --client claude', ['all.cjs', ...COMMON, ...NODE]],
  ['help states', ['all.cjs', ...COMMON, ...NODE]],
];

const hook = fileURLToPath(new URL('../support/loads.cjs', import.meta.url));
let room = '';
let home: string | undefined;
beforeAll(() => {
  room = sealedFolder('start');
  expect(run('init').status).toBe(0);
});

function run(...argv: string[]) {
  const env = { ...sealedEnv(), HOME: home, CONTRACTS_LOADS: join(room, 'loads.json') };
  const all = ['--require', hook, BINARY, ...argv];
  return spawnSync(process.execPath, all, { cwd: room, env, encoding: 'utf8' });
}

function loads() {
  const text = readFileSync(join(room, 'loads.json'), 'utf8');
  return JSON.parse(text) as { readonly asked: string[]; readonly cached: string[] };
}

test.each(Object.entries(KIB_MAX))('%s.cjs has at most %s KiB', (name, kib) => {
  const { size } = statSync(join(dirname(BINARY), `${name}.cjs`));
  expect(size / 1024).toBeLessThan(kib);
});

const isOurs = (name: string): boolean => name.endsWith('.cjs');
const bytesOf = (names: readonly string[]): number =>
  ['contracts.cjs', ...names.filter(isOurs)]
    .map((name) => statSync(join(dirname(BINARY), name)).size)
    .reduce((sum, size) => sum + size, 0);

test.each(LOADS)('%s loads what it needs and no more', (line, wanted) => {
  const starts = [undefined, 'own', 'own', 'own', 'own'].map((name, i) => {
    home = name && join(room, line);
    if (home !== undefined) mkdirSync(home, { recursive: true });
    const { status, stderr } = run(...line.replace(/\bhello\b/, `hello${i}`).split(' '));
    expect([0, 1], stderr).toContain(status);
    const { asked, cached } = loads();
    return { asked: asked.toSorted(), cached: cached.toSorted() };
  });
  const ours = wanted.filter(isOurs).toSorted();
  const [homeless, first, last] = [starts[0], starts[1], starts.at(-1)];
  expect(homeless).toEqual({ asked: wanted.toSorted(), cached: [] });
  expect(last).toEqual({ asked: wanted.toSorted(), cached: ours });
  const keeps = ours.length === 0 ? wanted : [...wanted, 'keep-code.cjs', 'node:path'];
  expect(first).toEqual({ asked: [...new Set(keeps)].toSorted(), cached: [] });
  expect(bytesOf(first?.asked ?? [])).toBeLessThan(1.25 * bytesOf(wanted));
});

test('the help that is written down is the one that is made', () => {
  expect(run('--help').stdout).toBe(run('help').stdout);
  expect(run('-h').stdout).toBe(run('help').stdout);
  const env = { ...sealedEnv(), COLUMNS: '60' };
  const narrow = spawnSync(process.execPath, [BINARY, '--help'], { env, encoding: 'utf8' }).stdout;
  expect(narrow.split('\n').length).toBeGreaterThan(run('help').stdout.split('\n').length);
});

test('all of it is ASCII, as which it is read', () => {
  const files = readdirSync(dirname(BINARY)).filter((name) => name.endsWith('.cjs'));
  expect(files.length).toBeGreaterThan(Object.keys(KIB_MAX).length);
  for (const name of files) {
    const text = readFileSync(join(dirname(BINARY), name), 'utf8');
    expect(/^\p{ASCII}+$/u.test(text), name).toBe(true);
  }
});

test('every verb is found by its file, whatever stands around its name', () => {
  const found = (...argv: string[]) => familyOf(argv, new Map([['show', 'show']]));
  expect(found('show', 'x')).toBe('show');
  expect(found('-C', 'list', '--json', 'show')).toBe('show');
  expect(found('--dir', 'x', 'help', 'show')).toBe('show');
  expect(found('show', 'list')).toBe('show');
  expect(found('shwo')).toBe('all');
  expect(found('doctor', 'show')).toBe('all');
  expect(found()).toBe('all');
  expect(found('help')).toBe('help');
  expect(found('help', '--all')).toBe('help');
  expect(found('-C', 'show')).toBe('all');
  expect(found('-C', 'show', '--help')).toBe('help');
  for (const line of ['--ids', '--all --ids', '--dir x --ids --all']) {
    expect(found('list', ...line.split(' ')), line).toBe('names');
  }
  for (const line of ['', '--by', '--ids --json', '--ids x', '--ids --state ready', '--by age']) {
    expect(found('list', ...line.split(' ')), line).toBe('all');
  }
  expect(found('-C', 'x', 'list', '--ids')).toBe('names');
  expect(found('list', '-C', 'x', '--ids')).toBe('names');
  expect(found('-C', 'list', '--ids')).toBe('all');
  expect(found('show', '--ids')).toBe('show');
  expect(found('show', 'x', '--brief')).toBe('all');
});
