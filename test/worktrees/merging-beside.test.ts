/**
 * Two that merge at once, and what else moves the checkout while something is merged: one of them says
 * who is at work, nothing is half done, and the next merge goes through. With the real git, MOCK agents.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realMachine } from '../../src/process/machine.ts';
import { ownGit, type RunGit } from '../../src/git/runner-git.ts';
import { mergeTask, planMerge } from '../../src/engine/merge/merge-task.ts';
import { done, makeGitWorld, type GitWorld } from '../support/git-world.ts';

const merge = (w: GitWorld) => w.contracts('merge', '--yes');

const LOCK = '.git/contracts-merge.lock';

test('another merge is at work: who, exit 2, nothing is touched; once it has died the next one goes on', async () => {
  const w = await done('a');
  const head = w.git('rev-parse HEAD');
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  const ended = new Promise((resolve) => other.once('exit', resolve));
  const { pid } = other;
  writeFileSync(join(w.root, LOCK), JSON.stringify(realMachine().identify(pid ?? 0)));
  const { code, text } = await merge(w);
  expect(code).toBe(2);
  expect(text).toContain(`another merge is at work here (process ${pid} on `);
  expect(text).toContain(`if there is none: rm ${LOCK}`);
  expect(w.git('rev-parse HEAD')).toBe(head);
  expect(existsSync(w.tree('a'))).toBe(true);
  other.kill('SIGKILL');
  await ended;
  expect(await merge(w)).toMatchObject({ code: 0 });
  expect(w.text('a.txt')).toBe('a\n');
  expect(existsSync(join(w.root, LOCK))).toBe(false);
});

test('an empty one of a writer that is long gone is taken over', async () => {
  const w = await done('a');
  writeFileSync(join(w.root, LOCK), '');
  utimesSync(join(w.root, LOCK), new Date(), new Date(Date.now() - 120_000));
  expect(await merge(w)).toMatchObject({ code: 0 });
  expect(w.text('a.txt')).toBe('a\n');
  expect(readdirSync(join(w.root, '.git')).filter((name) => name.includes('merge.lock'))).toEqual(
    [],
  );
});

test('one that was cut short while it was written, or is of another machine, is left to a person', async () => {
  const w = await done('a');
  const { pid, ...here } = realMachine().self();
  const far = { pid, ...here, host: 'far', machine: 'far', boot: 'far' };
  for (const text of ['', '{"pid":', JSON.stringify(far)]) {
    writeFileSync(join(w.root, LOCK), text);
    expect(await merge(w), text).toMatchObject({ code: 2 });
    expect(w.text(LOCK), text).toBe(text);
  }
});

/** As a power cut can leave it: the files empty, the index whole, and the branch where `at` says. */
function cutOff(w: GitWorld, boot: string, at: 'before' | 'behind'): void {
  const from = w.git('rev-parse HEAD').trim();
  w.git('merge -q --ff-only contracts/a');
  if (at === 'before') w.git(`update-ref HEAD ${from}`);
  for (const file of ['a.txt', 'base.txt']) writeFileSync(join(w.root, file), '');
  const locks = at === 'before' ? ['HEAD.lock', 'ORIG_HEAD.lock', 'refs/heads/main.lock'] : [];
  for (const lock of locks) writeFileSync(join(w.root, '.git', lock), '');
  writeFileSync(join(w.root, LOCK), JSON.stringify({ ...realMachine().identify(1), boot }));
}

/** Two commits, as an agent may make them. */
async function doneInTwo(): Promise<GitWorld> {
  const w = makeGitWorld();
  w.contract('a');
  await w.run((work) => {
    work.write('base.txt', 'changed\n');
    work.git('commit -q -a -m first');
    work.write('a.txt', 'a\n');
    return work.complete();
  });
  return w;
}

test.each(['before', 'behind'] as const)(
  'the power went %s the move of the branch: the next merge ends it, every file is whole',
  async (at) => {
    const w = await doneInTwo();
    cutOff(w, 'an earlier one', at);
    expect(await merge(w)).toMatchObject({ code: 0 });
    expect([w.text('a.txt'), w.text('base.txt')]).toEqual(['a\n', 'changed\n']);
    expect(w.git('status --porcelain -- a.txt base.txt')).toBe('');
    expect(existsSync(w.tree('a'))).toBe(false);
  },
);

test('what a person staged is not taken for a merge that was cut off, nor a lock of this boot for a dead one', async () => {
  const w = await doneInTwo();
  cutOff(w, realMachine().self().boot, 'before');
  rmSync(join(w.root, LOCK));
  const { code, text } = await merge(w);
  expect([code, text]).toEqual([3, expect.stringContaining("HEAD.lock': File exists")]);
  writeFileSync(join(w.root, 'a.txt'), 'mine\n');
  w.git('add a.txt');
  expect((await merge(w)).text).toContain('changes are staged: a.txt, base.txt');
  expect(w.text('a.txt')).toBe('mine\n');
});

/** The other one comes in between, right before the checkout is moved or right after. */
function moving(w: GitWorld, command: (w: GitWorld) => void, after = false): RunGit {
  const git = ownGit(process.env);
  return (place, args, call) => {
    const isMove = args[0] === 'merge';
    if (isMove && !after) command(w);
    const result = git(place, args, call);
    if (isMove && after) command(w);
    return result;
  };
}

test.each([
  [
    'commits',
    (w: GitWorld) => w.git('commit -q --allow-empty -m beside'),
    'main was moved just now',
  ],
  [
    'has git at work',
    (w: GitWorld) => writeFileSync(join(w.root, '.git/index.lock'), ''),
    'another git is at work in the main checkout (index.lock)',
  ],
])(
  'somebody %s in the checkout meanwhile: said, and nothing is changed',
  async (_says, command, why) => {
    const w = await done('a');
    const { ws } = w.open(() => 0, { ports: { git: moving(w, command) } });
    const plan = planMerge(ws, []);
    if (!plan.ok) throw new Error('no plan');
    const [task] = plan.value.tasks;
    if (task === undefined) throw new Error('no task');
    const merged = mergeTask(ws, plan.value.checkout, task);
    expect(merged).toMatchObject({ ok: false });
    expect(JSON.stringify(merged)).toContain(`a is not merged: ${why}`);
    expect(existsSync(join(w.root, 'a.txt'))).toBe(false);
    expect(existsSync(w.tree('a'))).toBe(true);
    expect(existsSync(join(w.root, LOCK))).toBe(false);
  },
);

test('merged by another meanwhile: said as that, and no fault', async () => {
  const w = await done('a', 'b');
  const { ws } = w.open(() => 0);
  const plan = planMerge(ws, []);
  expect((await merge(w)).code).toBe(0);
  if (!plan.ok) throw new Error('no plan');
  for (const task of plan.value.tasks) {
    const merged = mergeTask(ws, plan.value.checkout, task);
    expect(merged).toMatchObject({ ok: true, value: { how: 'already', removed: true } });
  }
});

test('somebody commits right after it: the hash is that of the merge', async () => {
  const w = await done('a');
  let mine = '';
  const beside = (): void => {
    mine = w.git('rev-parse HEAD').trim();
    w.git('commit -q --allow-empty -m beside');
  };
  const { ws } = w.open(() => 0, { ports: { git: moving(w, beside, true) } });
  const plan = planMerge(ws, []);
  const [task] = plan.ok ? plan.value.tasks : [];
  if (!plan.ok || task === undefined) throw new Error('no task');
  const merged = mergeTask(ws, plan.value.checkout, task);
  expect(merged).toMatchObject({ ok: true, value: { how: 'fast_forward', commit: mine } });
  expect(w.git('rev-parse HEAD').trim()).not.toBe(mine);
});

test('a lock that could not be removed at once goes away; one that stayed goes with the next merge', async () => {
  const w = await done('a');
  const { ws } = w.open(() => 0);
  let errors = 1;
  const remove = (path: string): void => {
    if (path.endsWith('merge.lock') && errors-- > 0) throw new Error('ENOSPC');
    ws.disk.remove(path);
  };
  const full = { ...ws, disk: { ...ws.disk, remove } };
  const plan = planMerge(full, []);
  const [task] = plan.ok ? plan.value.tasks : [];
  if (!plan.ok || task === undefined) throw new Error('no task');
  expect(mergeTask(full, plan.value.checkout, task)).toMatchObject({ ok: true });
  expect(existsSync(join(w.root, LOCK))).toBe(false);
  const dead = { ...realMachine().identify(1), pid: 999_999_999 };
  writeFileSync(join(w.root, LOCK), JSON.stringify(dead));
  expect((await merge(w)).text).toContain('All finished work is merged');
  expect(existsSync(join(w.root, LOCK))).toBe(false);
});
