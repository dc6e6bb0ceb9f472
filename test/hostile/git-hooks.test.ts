/**
 * Hooks in the configuration of git (2.54 and newer), of every event and by every way that a
 * configuration is found: none of them runs while contracts works with git. The built command, the git
 * on PATH, and the same git by hand as the proof that the planted hooks would run.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gitOf } from '../support/git.ts';
import { share } from '../support/share.ts';
import { sealedEnv } from '../support/sealed-folder.ts';
import { inShell, makeHouse, shellContract, type House } from './house.ts';

const EVENTS = (
  'reference-transaction post-index-change post-checkout post-commit post-merge pre-commit ' +
  'pre-merge-commit commit-msg prepare-commit-msg post-rewrite pre-auto-gc pre-rebase ' +
  'fsmonitor-watchman update pre-push event-of-2030'
).split(' ');
const VERSION = /\d+\.\d+/.exec(spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout)?.[0];
const [MAJOR = 0, MINOR = 0] = (VERSION ?? '').split('.').map(Number);
const HAS_HOOKS = MAJOR > 2 || (MAJOR === 2 && MINOR >= 54);

/** What no git runs can be planted in any way: one way then shows that work goes on beside it. At night all do. */
const PLAYED = HAS_HOOKS ? 1 : 9;

const CONFIG = 'isolation: worktree\nparallel: 1\n';

/** A hook that notes each of its runs, for every event. */
function hook(house: House, name: string, more = ''): string {
  const events = EVENTS.map((event) => `\tevent = ${event}\n`).join('');
  const quoted = name.replace(/["\\]/g, '\\$&');
  return `[hook "${quoted}"]\n\tcommand = "echo ${name.length} >> '${house.path('ran')}'"\n${more}${events}`;
}

/** As an event's name would undo the line that switches off that event. */
const NAMED_AS_EVENTS = EVENTS.map((event) => `[hook "${event}"]\n\tparallel = true\n`).join('');

type Plant = (house: House, env: Record<string, string>) => void;

const append = (house: House, file: string, text: string): void =>
  writeFileSync(house.path(file), text, { flag: 'a' });

const PLANTS: Readonly<Record<string, Plant>> = {
  'of the repository': (house) => append(house, '.git/config', hook(house, 'x')),
  'switched on by name': (house) =>
    append(house, '.git/config', hook(house, 'x', '\tenabled = true\n')),
  'beside names of events': (house) =>
    append(house, '.git/config', hook(house, 'x') + NAMED_AS_EVENTS),
  'with an odd name': (house) =>
    append(house, '.git/config', hook(house, 'a=b.c "d" \\ é') + NAMED_AS_EVENTS),
  'of an included file': (house) => {
    house.write('.git/more', hook(house, 'x') + NAMED_AS_EVENTS);
    append(house, '.git/config', '[include]\n\tpath = more\n');
  },
  'of the worktree': (house) => {
    append(house, '.git/config', '[extensions]\n\tworktreeConfig = true\n');
    house.write('.git/config.worktree', hook(house, 'x') + NAMED_AS_EVENTS);
  },
  'of the person': (house, env) => {
    house.write('.git/home/.gitconfig', hook(house, 'x') + NAMED_AS_EVENTS);
    env['HOME'] = house.path('.git/home');
  },
  'of the system': (house, env) => {
    house.write('.git/system', hook(house, 'x') + NAMED_AS_EVENTS);
    // The seal shuts that of this machine out.
    env['GIT_CONFIG_SYSTEM'] = house.path('.git/system');
    env['GIT_CONFIG_NOSYSTEM'] = '0';
  },
  'of the environment': (house, env) => {
    const command = `echo 1 >> '${house.path('ran')}'`;
    const pairs = [
      ['hook.x.command', command],
      ['hook.x.enabled', 'true'],
      ...EVENTS.flatMap((event) => [
        ['hook.x.event', event],
        [`hook.${event}.parallel`, 'true'],
      ]),
    ];
    env['GIT_CONFIG_COUNT'] = String(pairs.length);
    for (const [i, [key = '', value = '']] of pairs.entries()) {
      Object.assign(env, { [`GIT_CONFIG_KEY_${i}`]: key, [`GIT_CONFIG_VALUE_${i}`]: value });
    }
  },
};

const VERBS = (
  'list, check, doctor, step, step, show one, merge --yes, check --staged, step --only two, ' +
  'abort two, doctor, init --with all --hooks'
).split(', ');

describe(`git ${VERSION}, ${HAS_HOOKS ? 'which has' : 'too old to have'} hooks in its configuration`, () => {
  test.each(share(Object.entries(PLANTS), PLAYED))('%s: none runs', (_name, plant) => {
    const house = makeHouse({ config: CONFIG, neighbour: false });
    const git = gitOf(house.root);
    git('init -q -b main');
    for (const id of ['one', 'two']) house.task(id, shellContract(id));
    git('add -A');
    git('commit -q -m start');
    const env = { XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '', CONTRACTS_TRUST: '1' };
    plant(house, env);

    spawnSync('git', ['update-ref', 'refs/heads/tried', 'HEAD'], {
      cwd: house.root,
      env: { ...sealedEnv(), ...env },
    });
    expect(house.exists('ran')).toBe(HAS_HOOKS);
    rmSync(house.path('ran'), { force: true });

    const said = VERBS.map((verb) => inShell(house, `$BIN ${verb}`, env));
    expect(house.exists('ran') ? readFileSync(house.path('ran'), 'utf8') : '').toBe('');
    expect(said.map(({ err }) => err).join('')).not.toMatch(/fatal/);
    expect(house.where('one')).toEqual(['done']);
    expect(house.exists('one.txt')).toBe(true);
  });
});
