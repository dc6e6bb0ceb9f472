/**
 * Where worktrees are: outside every checkout, found again wherever another setting put
 * them, and with a clear cure where there is no such place. The real git, MOCK agents.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { placeIfMade } from '../../src/worktrees/engine/place.ts';
import { makeGitWorld, type Agent, type GitWorld } from '../support/git-world.ts';

function world(): GitWorld {
  const made = makeGitWorld();
  made.contract('a');
  return made;
}

async function contracts(w: GitWorld, ...argv: string[]): Promise<string> {
  const { words, code } = await w.contracts(...argv);
  return `${words} exit ${code}`;
}

const worker: Agent = (work) => {
  work.write('a.txt', 'a\n');
  return work.complete();
};

test('a worktree is outside the checkout, show names it, and nothing is left inside', async () => {
  const w = world();
  await w.run(worker);
  expect(fs.readFileSync(w.tree('a/a.txt'), 'utf8')).toBe('a\n');
  expect(w.tree('a').startsWith(w.root)).toBe(false);
  expect(fs.existsSync(join(w.root, '.contracts/worktrees'))).toBe(false);
  expect(await contracts(w, 'show', 'a')).toContain(`worktree ${w.tree('a')}`);
  expect(await contracts(w, 'show', 'a', '--json')).toContain(`"worktree":"${w.tree('a')}"`);
});

test('the folder of worktrees is gone: what is done is merged all the same', async () => {
  const w = world();
  await w.run(worker);
  fs.rmSync(w.tree(''), { recursive: true });
  expect(await contracts(w, 'merge', '--yes')).toContain('contracts/a → main');
  expect(w.text('a.txt')).toBe('a\n');
  expect(w.git('branch --list contracts/*')).toBe('');
});

test('the folder of worktrees is gone between two attempts: the next one goes on from its commits', async () => {
  const w = world();
  await w.run((work) => {
    if (work.attempt === 1) {
      work.write('first.txt', 'first\n');
      fs.rmSync(w.tree('a/base.txt'));
      return 1;
    }
    return worker(work);
  });
  fs.rmSync(w.tree(''), { recursive: true });
  w.contract('b', ['depends_on: [a]']);
  await w.run((work) => {
    expect(work.read('a.txt')).toBe('a\n');
    return work.complete();
  });
  expect(fs.existsSync(join(w.root, 'active_tasks/done/b'))).toBe(true);
});

/** Of this user, in /var/tmp: what a test made there goes, and nothing else. */
const IN_VAR = `/var/tmp/contracts-${process.getuid?.()}`;

test.each([
  ['no variable names a folder', { HOME: undefined, XDG_STATE_HOME: undefined }],
  ['they are relative', { HOME: 'home', XDG_STATE_HOME: 'state' }],
])('%s: worktrees are in /var/tmp', async (_, env) => {
  const w = world();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await worksIn(w, IN_VAR);
});

test.each(['package.json', 'node_modules', '.git', 'tsconfig.json', 'pyproject.toml'])(
  'the home has %s: worktrees are in /var/tmp',
  async (name) => {
    const w = world();
    const above = `${w.root}-home`;
    fs.mkdirSync(join(above, name), { recursive: true });
    if (name === '.git') execFileSync('git', ['init', '-q', above]);
    vi.stubEnv('HOME', above);
    vi.stubEnv('XDG_STATE_HOME', undefined);
    try {
      await worksIn(w, IN_VAR);
      expect(fs.existsSync(join(above, '.local/state/contracts/worktrees'))).toBe(false);
    } finally {
      fs.rmSync(above, { recursive: true });
    }
  },
);

test.each([
  ['an empty .git above', [], ''],
  ['a .git without HEAD above', ['objects', 'refs'], ''],
  ['a repository above a ceiling', ['objects', 'refs'], 'ref: refs/heads/main\n'],
])('%s is none, as git says, and worktrees are beside it', async (_, folders, head) => {
  const w = world();
  const above = `${w.root}-home`;
  for (const name of ['', ...folders]) fs.mkdirSync(join(above, '.git', name), { recursive: true });
  if (head) fs.writeFileSync(join(above, '.git/HEAD'), head);
  vi.stubEnv('XDG_STATE_HOME', join(above, 'state'));
  if (head) vi.stubEnv('GIT_CEILING_DIRECTORIES', above);
  try {
    await worksIn(w, join(above, 'state'));
  } finally {
    fs.rmSync(above, { recursive: true });
  }
});

test('MOCK disk: a folder in /var/tmp that another user shuts is not looked into', () => {
  const { layout } = world().open(worker).ws;
  const shut = (path: string) => {
    if (!path.startsWith('/var/tmp/')) return undefined;
    throw Object.assign(new Error('shut'), { code: 'EACCES' });
  };
  const known = { layout, env: { HOME: '/nowhere' }, disk: { ...realDisk, stat: shut } };
  expect(placeIfMade(known)).toBeUndefined();
});

async function worksIn(w: GitWorld, folder: string): Promise<void> {
  expect(dirname(dirname(dirname(w.tree('a'))))).toBe(join(folder, 'contracts'));
  try {
    await w.run((work) => {
      expect(work.call.spawn.cwd).toBe(w.tree('a'));
      return worker(work);
    });
    expect(await contracts(w, 'merge', '--yes')).toContain('worktree and branch removed');
    expect(fs.lstatSync(folder).mode & 0o777).toBe(0o700);
  } finally {
    fs.rmSync(w.tree(''), { recursive: true, force: true });
  }
}

test.runIf(process.getuid?.() === 0).each([
  [
    'a folder of another user',
    (path: string) => fs.mkdirSync(path) ?? fs.chownSync(path, 1001, 1001),
  ],
  ['a link', (path: string) => fs.symlinkSync('/var/tmp', path)],
])('%s has that name in /var/tmp: the task waits in ready, with the cure', async (_, make) => {
  const w = world();
  vi.stubEnv('HOME', undefined);
  vi.stubEnv('XDG_STATE_HOME', undefined);
  const aside = `${IN_VAR}-aside`;
  if (fs.existsSync(IN_VAR)) fs.renameSync(IN_VAR, aside);
  make(IN_VAR);
  try {
    const text = await contracts(w, 'list');
    expect(text).toContain(`${IN_VAR} belongs to another user`);
    expect(text).toContain('export XDG_STATE_HOME=');
    expect(await contracts(w, 'doctor')).toContain(`${IN_VAR} belongs to another user`);
    await contracts(w, 'step');
    expect(fs.existsSync(join(w.root, 'active_tasks/ready/a'))).toBe(true);
  } finally {
    fs.rmSync(IN_VAR, { recursive: true });
    if (fs.existsSync(aside)) fs.renameSync(aside, IN_VAR);
  }
});

test('a state folder inside the checkout, by a link too, is refused', async () => {
  const w = world();
  vi.stubEnv('XDG_STATE_HOME', join(w.root, 'state'));
  expect(await contracts(w, 'step')).toContain(`has ${join(w.root, '.git')} above it`);
});

test('a file where the folder of worktrees belongs: the fault says how to mend it', async () => {
  const w = world();
  fs.mkdirSync(dirname(w.tree('')), { recursive: true });
  fs.writeFileSync(w.tree('').replace(/\/$/, ''), '');
  const { ws } = w.open(worker);
  const { step } = await import('../../src/engine/step/step.ts');
  const { events } = await step(ws);
  const fault = events.find(({ event }) => event === 'fault');
  expect(JSON.stringify(fault)).toContain('the folder for worktrees cannot be created');
  expect(JSON.stringify(fault)).toContain('XDG_STATE_HOME');
  expect(fs.existsSync(join(w.root, 'active_tasks/ready/a'))).toBe(true);
});

test.each([
  ['a file', (path: string) => fs.writeFileSync(path, 'mine\n'), 'is not a folder'],
  [
    'a folder that is none',
    (path: string) => {
      fs.mkdirSync(path);
      fs.writeFileSync(join(path, 'mine.txt'), 'mine\n');
    },
    'is not a worktree of this repository',
  ],
])(
  '%s where a worktree belongs: the task is blocked, and goes on once it is gone',
  async (_, put, words) => {
    const w = world();
    fs.mkdirSync(w.tree(''), { recursive: true });
    put(w.tree('a'));
    const events = await w.run(worker);
    expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
    const blocked = w.text('active_tasks/blocked/a/blocked.md');
    expect(blocked).toContain(`${w.tree('a')} ${words}`);
    expect(blocked).toContain('move it away, or remove it');
    fs.rmSync(w.tree('a'), { recursive: true });
    await contracts(w, 'retry', 'a', 'moved away');
    await w.run(worker);
    expect(fs.existsSync(join(w.root, 'active_tasks/done/a'))).toBe(true);
  },
);

test('another XDG_STATE_HOME since: doctor and merge know the worktree by git', async () => {
  const w = world();
  await w.run(worker);
  const made = w.tree('a');
  vi.stubEnv('XDG_STATE_HOME', `${process.env['XDG_STATE_HOME']}-other`);
  expect(await contracts(w, 'doctor')).toContain(made);
  expect(await contracts(w, 'merge', '--yes')).toContain('worktree and branch removed');
  expect(fs.existsSync(made)).toBe(false);
});
