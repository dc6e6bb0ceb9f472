/**
 * What git does not take of an agent's work: a name that it keeps for itself, a file that nobody can
 * read, what is no file. That is the agent's doing and counted as such. With the real git and MOCK agents.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownGit, type GitResult } from '../../src/git/runner-git.ts';
import type { Event } from '../../src/task/core/lines/event.ts';
import { step } from '../../src/engine/step/step.ts';
import { listTasks } from '../../src/engine/queries/list.ts';
import { moveByVerb } from '../../src/engine/commands/moves.ts';
import { storyOf } from '../../src/engine/queries/show.ts';
import { makeGitWorld, type GitWorld, type Work } from '../support/git-world.ts';

test.each(['x/.GIT/config', '.git ', 'git~1/x'])(
  'a file called %j: beyond the permissions, counted, and nothing of it is in the way of the next',
  async (name) => {
    const w = makeGitWorld();
    w.contract('a');
    const faults = await w.run((work) => {
      if (work.attempt === 1) work.write(name, 'evil\n');
      else expect(existsSync(join(work.call.spawn.cwd, name))).toBe(false);
      work.write('a.txt', 'a\n');
      return work.complete();
    });
    expect(faults.filter(({ event }) => event === 'fault')).toEqual([]);
    const first = w.outcome('done/a');
    expect(first).toContain('outcome: violated');
    expect(first).toContain(
      `${JSON.stringify(name).replaceAll('"', '\\"')}: git reserves this name`,
    );
    expect(w.git('show refs/contracts/violated/a/0001:a.txt')).toBe('a\n');
    expect(w.outcome('done/a', '0002')).toContain('outcome: complete');
  },
);

function noFile(work: Work): number {
  const path = join(work.call.spawn.cwd, 'base.txt');
  rmSync(path);
  execFileSync('mkfifo', [path]);
  work.write('a.txt', 'a\n');
  return work.complete();
}

test('what is no file in the place of one: failed each time, with which and what to do, then blocked', async () => {
  const w = makeGitWorld();
  w.contract('a');
  const events = await w.run(noFile);
  expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
  for (const number of ['0001', '0002']) {
    const written = w.outcome('blocked/a', number);
    expect(written).toContain('outcome: failed');
    expect(written).toContain('git cannot take all that it left');
    expect(written).toMatch(/base\.txt.* is none of regular files/);
  }
  expect(w.git('show contracts/a:a.txt')).toBe('a\n');
  expect(w.git('show contracts/a:base.txt')).toBe('base\n');
});

test('what is no file is left for the next attempt, which may put it right', async () => {
  const w = makeGitWorld();
  w.contract('a');
  await w.run((work) => {
    if (work.attempt === 1) return noFile(work);
    rmSync(join(work.call.spawn.cwd, 'base.txt'));
    work.write('base.txt', 'put right\n');
    return work.complete();
  });
  expect(w.outcome('done/a', '0002')).toContain('outcome: complete');
  expect(w.git('show contracts/a:base.txt')).toBe('put right\n');
});

test.each(['nonsense-99', 'UTF-16', 'UTF-32'])(
  'an encoding %j in its .gitattributes: failed and counted, and the next attempt may put it right',
  async (encoding) => {
    const w = makeGitWorld();
    w.contract('a');
    const events = await w.run((work) => {
      const line = work.attempt === 1 ? `a.txt working-tree-encoding=${encoding}` : '* text';
      work.write('.gitattributes', `${line}\n`);
      work.write('a.txt', 'a\n');
      return work.complete();
    });
    expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
    const first = w.outcome('done/a').replaceAll('\\', '');
    expect(first).toContain('outcome: failed');
    expect(first).toContain('git cannot take all that it left: "a.txt" cannot be encoded');
    expect(w.git('show contracts/a:a.txt')).toBe('a\n');
  },
);

/** As git says it to who is not root. */
function saying(command: string, err: string, code = 1) {
  const git = ownGit(process.env);
  let said = false;
  const run: typeof git = (place, args, call): GitResult => {
    if (args[0] !== command || !place.git_dir.includes('worktrees')) return git(place, args, call);
    said = true;
    return { ...git(place, args, call), code, err };
  };
  return { git: run, wasAsked: () => said };
}

test.each([
  ['error: open("sec"): Permission denied\nerror: unable to index file \'sec\'\n', 1, '"sec"'],
  ["warning: could not open directory 'd/': Permission denied\n", 0, '"d/"'],
  ['fatal: CRLF would be replaced by LF in c.txt\n', 128, '"c.txt"'],
])('git says %j: failed, with the file', async (err, code, file) => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  const { git } = saying('add', err, code);
  await w.run((work) => work.complete(), { ports: { git } });
  expect(w.outcome('blocked/a')).toContain('outcome: failed');
  expect(w.text('active_tasks/blocked/a/blocked.md').replaceAll('\\', '')).toContain(file);
});

const FULL = "error: f: failed to insert into database\nerror: unable to index file 'f'\n";

describe('git itself fails, twice', () => {
  /** Blocked by it, with a file in the worktree. */
  async function blocked(command = 'add', agent = writes, ...more: string[]): Promise<GitWorld> {
    const w = makeGitWorld();
    w.contract('a', ['retries_max: 0', ...more]);
    const file = 'active_tasks/ready/a/contract.md';
    w.write(
      file,
      `${w.text(file).replace('it is there', '`true` passes')}\n## Steps\n\n\`\`\`sh\nwork\n\`\`\`\n`,
    );
    const { git } = saying(command, FULL);
    const events: Event[] = [];
    for (let steps = 0; steps < 3; steps++) {
      const { ws } = w.open(agent, { ports: { git } });
      events.push(...(await step(ws)).events);
    }
    expect(events.map(({ event }) => event)).not.toContain('recovered');
    return w;
  }
  const writes = (work: Work, has_result = true): number => {
    work.write('a.txt', `by ${work.attempt}\n`);
    return has_result ? work.complete() : 0;
  };
  const retry = (w: GitWorld): void =>
    void expect(moveByVerb(w.open(() => 0).ws, 'retry', 'a').ok).toBe(true);
  const attempts = (w: GitWorld, state: string): readonly string[] =>
    readdirSync(join(w.root, 'active_tasks', state, 'a/attempts')).sort();

  test.each(['add', 'write-tree', 'commit-tree'])(
    'git %s: blocked with the cause and the cure, by one attempt, and nothing counts against the agent',
    async (command) => {
      const w = await blocked(command);
      expect(attempts(w, 'blocked')).toEqual(['0001']);
      const words = w.outcome('blocked/a');
      expect(words).toContain('outcome: blocked');
      expect(words).toContain('code: not_settled');
      for (const text of [words, w.text('active_tasks/blocked/a/blocked.md')])
        expect(text).toMatch(/failed to insert into database.*still in its worktree.*then retry/s);
      expect(w.text(w.tree('a/a.txt'))).toBe('by 1\n');
    },
  );

  test('mended and retried: what is in the worktree is committed, and no agent is called', async () => {
    const w = await blocked();
    retry(w);
    const events = await w.run(() => expect.unreachable());
    expect(events.find(({ event }) => event === 'recovered')).toMatchObject({
      reason: 'try 1 was not finished: its files are to be committed',
    });
    expect(w.outcome('done/a', '0002')).toContain('adopted: 1');
    expect(w.git('show contracts/a:a.txt')).toBe('by 1\n');
  });

  test('not mended and retried: blocked again, each time by one attempt more', async () => {
    const w = await blocked();
    const { git } = saying('add', FULL);
    for (const number of ['0002', '0003']) {
      retry(w);
      const events = await w.run(() => expect.unreachable(), { ports: { git } });
      expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
      expect(attempts(w, 'blocked').at(-1)).toBe(number);
      expect(w.outcome('blocked/a', number)).toContain('code: not_settled');
    }
    retry(w);
    await w.run(() => expect.unreachable());
    expect(w.git('show contracts/a:a.txt')).toBe('by 1\n');
    expect(w.outcome('done/a', '0004')).toContain('outcome: complete');
  });

  test('the contract changed since: the work is stale, and its agent is called', async () => {
    const w = await blocked();
    const file = 'active_tasks/blocked/a/contract.md';
    w.write(file, `${w.text(file)}\nMore.\n`);
    retry(w);
    await w.run(writes);
    expect(w.outcome('done/a', '0002')).toContain('outcome: stale');
    expect(w.outcome('done/a', '0003')).toContain('outcome: complete');
  });

  test('its worktree was removed since: its agent is called', async () => {
    const w = await blocked();
    rmSync(w.tree('a'), { recursive: true });
    retry(w);
    await w.run(writes);
    expect(w.outcome('done/a', '0002')).not.toContain('adopted');
    expect(w.git('show contracts/a:a.txt')).toBe('by 2\n');
  });

  test('a script ends by its exit code, also when it is judged again', async () => {
    const w = await blocked('add', (work) => writes(work, false), 'adapter: shell');
    retry(w);
    await w.run(() => expect.unreachable());
    expect(w.outcome('done/a', '0002')).toContain('outcome: complete');
    expect(w.git('show contracts/a:a.txt')).toBe('by 1\n');
  });

  test('once aborted, nothing is said to come', async () => {
    const w = await blocked();
    const { ws } = w.open(() => 0);
    expect(moveByVerb(ws, 'abort', 'a').ok).toBe(true);
    const cut = { reason: 'is aborted', fix: 'contracts retry a --again' };
    expect(listTasks(ws, { states: new Set(['aborted']) }).tasks).toMatchObject([cut]);
    expect(await storyOf(ws, 'a')).toMatchObject({ value: cut });
  });
});

test('git fails once, as where another one holds a lock: the work is committed', async () => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  const real = ownGit(process.env);
  let failures = 1;
  const git: typeof real = (place, args, call) =>
    args[0] === 'add' && failures-- > 0
      ? { code: 128, out: '', err: FULL }
      : real(place, args, call);
  await w.run((work) => work.complete(), { ports: { git } });
  expect(w.outcome('done/a')).toContain('outcome: complete');
});

test.runIf(process.getuid?.() !== 0)('a folder that nobody may look into: failed', async () => {
  const w = makeGitWorld();
  w.contract('a', ['retries_max: 0']);
  let folder = '';
  await w.run((work) => {
    folder = join(work.call.spawn.cwd, 'd');
    work.write('d/x', 'x\n');
    chmodSync(folder, 0);
    return work.complete();
  });
  chmodSync(folder, 0o755);
  expect(w.outcome('blocked/a')).toContain('outcome: failed');
});

test('what cannot be taken away between two attempts: blocked, with what to do, and no fault', async () => {
  const w = makeGitWorld();
  w.contract('a', ['write: [src/**]']);
  const err = 'warning: failed to remove d/: Directory not empty\n';
  const { git, wasAsked } = saying('clean', err);
  const beyond = (work: Work): number => {
    work.write('beyond.txt', 'no\n');
    return work.complete();
  };
  const events = await w.run(beyond, { ports: { git } });
  expect(wasAsked()).toBe(true);
  expect(events.filter(({ event }) => event === 'fault')).toEqual([]);
  expect(w.text('active_tasks/blocked/a/blocked.md')).toContain('chmod -R u+rwX');
});
