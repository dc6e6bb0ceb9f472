/** `wait` in a process of its own, while others move the tasks; and Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => {
  root = sealedFolder('wait');
  contracts('init');
});

const env = { ...sealedEnv(), CONTRACTS_TRUST: '1' };

function contracts(...argv: string[]): void {
  const { status, stderr } = contractsIn(root, argv, { env });
  expect([0, 1], stderr).toContain(status);
}

/** Once it has said that it waits. */
async function waiting(...argv: string[]) {
  const child = spawn(process.execPath, [BINARY, 'wait', ...argv], { cwd: root, env });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (said.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said.err += text.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...said }));
  while (!said.err.includes('Ctrl-C') && child.exitCode === null) {
    await Promise.race([once(child.stderr, 'data'), ended]);
  }
  return { child, ended };
}

test('the step of another process ends it', async () => {
  contracts('new', 'One', '--id', 'one', '--sh', 'echo 1 > one.txt', '--deliverable', 'one.txt');
  contracts('new', 'Two', '--id', 'two', '--adapter', 'human', '--depends-on', 'one');
  contracts('confirm', 'one', 'two');
  const { ended } = await waiting('one', 'two');
  contracts('run');
  const { code, out } = await ended;
  expect(code).toBe(1);
  expect(out).toContain('one  done: Its last attempt ended as approved');
  expect(out).toContain('two  in_progress: ');
});

test('a move of a person ends it, and a task that is removed', async () => {
  contracts('new', 'One', '--id', 'one', '--sh', 'true');
  contracts('new', 'Two', '--id', 'two', '--sh', 'true');
  contracts('confirm', 'one', 'two');
  const { ended } = await waiting('one', 'two', '--timeout', '5m');
  mkdirSync(join(root, 'active_tasks/done'), { recursive: true });
  renameSync(join(root, 'active_tasks/ready/one'), join(root, 'active_tasks/done/one'));
  rmSync(join(root, 'active_tasks/ready/two'), { recursive: true });
  const { code, out } = await ended;
  expect(code).toBe(1);
  expect(out).toBe(
    'one  done: a person moved it there\ntwo  not there any more: its folder is gone  → contracts show two\n',
  );
});

test('Ctrl-C ends it with what is there', async () => {
  contracts('new', 'One', '--id', 'one', '--sh', 'true');
  contracts('confirm', 'one');
  const { child, ended } = await waiting('one');
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(out).toContain('one  ready: next step');
});
