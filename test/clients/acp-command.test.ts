/**
 * Agents that speak ACP, through the built command and real processes: what they may write, what they
 * ask, how they end. The agent is scripted, and made with the official SDK.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acpWorld, TASK, type AcpWorld } from '../support/acp-world.ts';
import { until } from '../support/until.ts';

test('writes are allowed and refused by the permissions, each at its own request', async () => {
  const world = acpWorld('writes', { head: 'write: [out.txt]\n' });
  mkdirSync(join(world.root, 'elsewhere'));
  symlinkSync('elsewhere', join(world.root, 'link'));
  const { stdout } = await world.run('run', '--json');
  expect(world.read('out.txt'), stdout).toBe('mine\n');
  expect(world.read('secret/key.txt')).toBeUndefined();
  expect(existsSync(join(world.root, 'elsewhere/out.txt'))).toBe(false);
  expect(world.diary().filter((line) => line.startsWith('selected'))).toEqual([
    `selected x-yes ${join(world.root, 'out.txt')}`,
    `selected x-no ${join(world.root, 'secret/key.txt')}`,
    `selected x-no ${join(world.root, 'link/out.txt')}`,
    expect.stringMatching(/^selected x-yes .*\/result\.md$/),
  ]);
  expect(world.state()).toBe('done');
  expect(stdout).toMatch(/"event":"progress",.*"text":"I write two files\."/);
  expect(world.outcome()).toMatch(/^session: session-\d+$/m);
  expect(world.outcome()).toMatch(/^input_tokens: 12\noutput_tokens: 3\ncost_usd: 0.25$/m);
  expect(world.log()).toMatch(/^\{"kind":"denied","tool":"edit","why":"create secret\/key\.txt: /m);
  // What it prints on stderr is its own affair, also where it looks like an event.
  expect(world.log()).toContain('| {"kind":"session","id":"forged"}');
});

test('a file that the client writes is confined: to the permissions, and to no link', async () => {
  const world = acpWorld('client-writes', { head: 'write: ["deep/**"]\n' });
  mkdirSync(join(world.root, 'elsewhere'));
  symlinkSync('elsewhere', join(world.root, 'link'));
  const { stdout } = await world.run('run');
  expect(world.state(), stdout + world.log()).toBe('done');
  expect(world.read('deep/er/out.txt')).toBe('mine\n');
  expect(world.read('secret/key.txt')).toBeUndefined();
  expect(existsSync(join(world.root, 'elsewhere/out.txt'))).toBe(false);
  expect(existsSync('/etc/contracts-was-here')).toBe(false);
  const [, allowed, ...refused] = world.diary();
  expect(allowed).toBe(`written ${join(world.root, 'deep/er/out.txt')}`);
  expect(refused.slice(0, 3).join('\n')).toMatch(
    /refused .*secret\/key\.txt: .*lets it write deep.*\nrefused .*link\/out\.txt: .*create elsewhere\/out\.txt.*\nrefused \/etc.*outside of the workspace/,
  );
});

test('a question of the agent becomes questions.md; answered, its session goes on', async () => {
  const world = acpWorld('asks');
  await world.run('run');
  expect(world.state()).toBe('questions');
  const questions = world.read(`active_tasks/questions/${TASK}/questions.md`);
  expect(questions).toContain('1. Where shall it listen? Port (a whole number; default 8080)');
  expect(questions).toContain('2. Where shall it listen? host (one of: local, any; optional)');
  expect((await world.run('answer', TASK, '8443', '--question', '1')).stderr).toBe('');
  expect((await world.run('answer', TASK, 'local', '--question', '2')).stderr).toBe('');
  const { stdout } = await world.run('run');
  expect(world.state(), stdout + world.log(2)).toBe('done');
  const [made, answer, loaded] = world.diary();
  expect([made?.slice(4), answer]).toEqual([loaded?.slice(5), 'answer cancel']);
  expect(world.log(2)).not.toContain('said long ago');
});

test('a session that cannot be loaded is said, and a new one is begun', async () => {
  const world = acpWorld('asks');
  await world.run('run');
  const sessions = join(world.root, '../state/sessions');
  expect(readFileSync(sessions, 'utf8')).toMatch(/^session-\d+\n$/);
  world.write('../state/sessions', '');
  await world.run('answer', TASK, '8443', '--question', '1');
  await world.run('answer', TASK, 'local', '--question', '2');
  await world.run('run');
  expect(world.state()).toBe('done');
  expect(world.log(2)).toMatch(/session session-\d+ cannot be loaded \(.*\): a new one/);
});

const FAILURES: readonly (readonly [scene: string, reason: RegExp])[] = [
  [
    'garbage',
    /node failed: it does not speak ACP: it printed \\*"Welcome to the shell of yesterday\\*" and ended with exit 3/,
  ],
  ['silent-end', /node failed: it ended with exit 4 before it answered; does it speak ACP\?/],
  ['crashes', /node failed: it ended with exit 7 while it worked/],
  ['version', /node failed: it speaks version 7 of ACP, and we speak version 1/],
  ['limit', /node stopped at a limit of its own: no tokens are left in this turn/],
];

test.each(FAILURES)('%s is said in words, and nothing is left running', async (scene, reason) => {
  const world = acpWorld(scene);
  const { stdout } = await world.run('run');
  expect(world.state()).toBe('blocked');
  expect(stdout).toMatch(reason);
  expect(world.log()).toContain('{"kind":"end","ok":false,');
  expect(world.outcome()).not.toContain('left_behind');
});

test('a limit of the model is said in words and counts for nothing: the task waits', async () => {
  const world = acpWorld('model-error');
  const { stdout } = await world.run('step');
  expect(world.state()).toBe('ready');
  expect(stdout).toContain('the model is not available: Internal error: 429 no money left');
  expect((await world.run('list')).stdout).toMatch(/waits until/);
});

test('a login that is missing is nobody’s failure: the task waits, and it is said how', async () => {
  const world = acpWorld('login');
  const { stdout, stderr } = await world.run('run');
  expect(world.state()).toBe('ready');
  expect(stdout + stderr).toMatch(
    /you are not logged in to node: .* \(it offers: a key of the house\)/,
  );
});

test('a banner before the protocol does no harm', async () => {
  const world = acpWorld('banner');
  await world.run('run');
  expect(world.state()).toBe('done');
  expect(world.log()).toContain('printed outside the protocol: a banner before the protocol');
});

test('a program that only echoes does not speak ACP', async () => {
  const world = acpWorld('', { run: ['cat'] });
  await world.run('run');
  expect(world.log()).toMatch(/does not speak ACP: initialize was answered with .*[Mm]ethod/);
});

test('model and mode are set as the agent offers them', async () => {
  const world = acpWorld('settings', { adapter: '    model: LARGE\n    mode: workspace-write\n' });
  await world.run('run');
  expect(world.state()).toBe('done');
  expect(world.diary().at(-1)).toMatch(
    /^works as \{"model":"large","mode":"workspace-write"\} in session-/,
  );
});

test('a mode that is not offered ends the talk before anything is asked of the model', async () => {
  const world = acpWorld('settings', { adapter: '    mode: yolo\n' });
  await world.run('run');
  expect(world.state()).toBe('blocked');
  expect(world.log()).toContain(
    'mode yolo is not offered by this agent; it has ask, workspace-write',
  );
  expect(world.diary().filter((line) => line.startsWith('works'))).toEqual([]);
});

/** Once the agent has its session. */
async function atWork(world: AcpWorld): Promise<void> {
  await until(() => world.diary().some((line) => line.startsWith('new ')));
}

test('Ctrl-C cancels the turn: the agent hears of it and ends by itself', async () => {
  const world = acpWorld('hangs');
  const run = world.start('run');
  await atWork(world);
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(world.diary()).toContain('cancel');
  expect(world.outcome()).toContain('outcome: interrupted');
});

test('an agent that hears nothing is ended at its deadline', async () => {
  const world = acpWorld('deaf', { head: 'timeout: 2s\n' });
  await world.run('run');
  expect(world.state()).toBe('blocked');
  expect(world.outcome()).toContain('outcome: timed_out');
  const pid = /"id":"session-(\d+)"/.exec(world.log())?.[1];
  expect(existsSync(`/proc/${pid ?? 'nobody'}`)).toBe(false);
});
