/**
 * Where file systems are synced, by real processes: a `sync` of the test stands first in PATH and writes
 * down what it was asked for. The wrapper calls the one of the system: strace looks at that.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { GATE_SHELL, gateArguments } from '../../src/process/gate.ts';
import { ownGit } from '../../src/git/runner-git.ts';
import { step } from '../../src/engine/step/step.ts';
import { mergeTask, planMerge } from '../../src/engine/merge/merge-task.ts';
import { folder, room, spawnIn } from '../clients/rig.ts';
import { contract, result } from '../support/crash-words.ts';
import type { Turn } from '../support/crash-tree.ts';
import { makeGitWorld } from '../support/git-world.ts';
import { straceMissing } from '../support/strace.ts';
import { until } from '../support/until.ts';
import { makeWorld } from '../support/world.ts';

const path = process.env['PATH'] ?? '';
afterEach(() => {
  process.env['PATH'] = path;
});

/** What was synced so far, a line a call; whatever `also` finds at that moment stands behind it. */
function watchSyncs(also = ''): () => readonly string[] {
  const at = folder();
  const log = join(at, 'log');
  const program = `#!/bin/sh\nfound=$(${also === '' ? 'true' : also})\necho "$* $found" >>'${log.replaceAll("'", "'\\''")}'\n`;
  writeFileSync(join(at, 'sync'), program);
  chmodSync(join(at, 'sync'), 0o755);
  process.env['PATH'] = `${at}:${path}`;
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
}

const missing = straceMissing();
if (missing !== undefined)
  console.log(`LEFT OUT: the order of the wrapper's calls, because ${missing}`);

test.runIf(missing === undefined)(
  'the wrapper syncs desk and working folder before the record of the end is there',
  () => {
    const at = folder();
    mkdirSync(join(at, 'desk'));
    const exit = join(at, 'desk/exit.md');
    writeFileSync(join(at, 'go'), 'go\n');
    const gate = [GATE_SHELL, ...gateArguments(['true'], exit)];
    const trace = [
      '-f',
      '-y',
      '-e',
      'trace=syncfs,rename,renameat,renameat2',
      '-o',
      join(at, 'trace'),
    ];
    const shell = ['-c', 'exec "$@" 3<go', 'sh', 'strace', ...trace, ...gate];
    expect(spawnSync('sh', shell, { cwd: at, encoding: 'utf8' }).status).toBe(0);
    const lines = readFileSync(join(at, 'trace'), 'utf8').split('\n');
    const synced = lines.flatMap((line, i) => (/ syncfs\(/.test(line) ? [i] : []));
    const named = lines.findIndex((line) => /rename\w*\(.*exit\.md/.test(line));
    expect(synced).toHaveLength(2);
    expect(named).toBeGreaterThan(synced[1]!);
  },
);

test('what a stopped agent wrote is synced, and its log, before its end is told', async () => {
  const said = watchSyncs();
  const at = folder();
  const spawn = spawnIn(at, ['sh', '-c', 'echo begun; exec sleep 60'], {
    exit_file: join(at, 'exit.md'),
    timeout_ms: 300,
    grace_ms: 100,
  });
  const gated = room.start(spawn);
  gated.open();
  expect((await gated.done).reason).toBe('timed_out');
  expect(said()).toEqual([`-f ${at} ${at}`]);
});

test.runIf(missing === undefined)('the log of an agent is synced when it has ended', async () => {
  const at = folder();
  const spawn = spawnIn(at, ['true'], { exit_file: join(at, 'exit.md') });
  const trace = [
    '-e',
    'trace=fsync',
    '-y',
    '-o',
    join(at, 'trace'),
    '-p',
    String(process.pid),
    '-f',
  ];
  const strace = room.start(spawnIn(folder(), ['strace', ...trace]));
  strace.open();
  await until('strace has attached', () => existsSync(join(at, 'trace')) && isTraced());
  const gated = room.start(spawn);
  gated.open();
  await gated.done;
  strace.cancel('cancelled');
  await strace.done;
  expect(readFileSync(join(at, 'trace'), 'utf8')).toContain('output.log');
});

const isTraced = (): boolean => !/^TracerPid:\t0$/m.test(readFileSync('/proc/self/status', 'utf8'));

test('git of the runner syncs all that it writes, and does not warn about the key of its elders', () => {
  const w = makeGitWorld();
  const at = { git_dir: join(w.root, '.git'), common_dir: join(w.root, '.git'), work_tree: w.root };
  const git = ownGit(process.env);
  expect(git(at, ['config', '--get', 'core.fsync']).out).toBe('all\n');
  expect(git(at, ['config', '--get', 'core.fsyncObjectFiles']).out).toBe('true\n');
  expect(git(at, ['hash-object', '-w', '--stdin'], { input: 'x' }).err).toBe('');
});

test('MOCK person: what they handed in is synced before it is judged', async () => {
  const world = makeWorld();
  world.write('active_tasks/ready/one/contract.md', contract('one', ['adapter: human']));
  const { ws } = world.process({});
  await step(ws);
  const said = watchSyncs();
  const turn = { task: 'one', nth: 1, kind: 'work' } as Turn;
  world.write('active_tasks/in_progress/one/result.md', result(turn));
  await step(ws);
  expect(said()).toEqual([`-f ${join(world.root, 'active_tasks/in_progress/one')}`]);
});

test('MOCK agent: a worktree is synced while it is empty and once it is filled, a merge before the worktree goes', async () => {
  const w = makeGitWorld();
  w.contract('a');
  const said = watchSyncs('ls "$2" | tr "\\n" " "');
  await w.run((work) => {
    work.write('new.txt', 'new\n');
    return work.complete();
  });
  const [made = '', filled = '', ...more] = said();
  expect(made).toMatch(/\.git ?$/);
  expect(filled).toContain('base.txt');
  expect(more).toEqual([]);
  const { ws } = w.open(() => 0);
  const plan = planMerge(ws, ['a']);
  if (!plan.ok) throw new Error(JSON.stringify(plan.problems));
  const also = watchSyncs(`ls ${dirname(filled.split(' ')[1] ?? '')}`);
  mergeTask(ws, plan.value.checkout, plan.value.tasks[0]!);
  expect(also()).toEqual([`-f ${w.root} ${join(w.root, '.git')} a`]);
});
