/**
 * stdout on a full disk: one line on stderr, exit code 3, no stack, and the work is done all the same. The
 * device /dev/full refuses each write as a full disk does.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { processesOf } from '../support/sandbox-runs.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

function folder(): string {
  const root = sealedFolder('full');
  return root;
}

async function onFullDisk(
  root: string,
  args: readonly string[],
  stdout = '/dev/full',
): Promise<{ code: number | null; stderr: string }> {
  const fd = openSync(stdout, 'w');
  const child = spawn(process.execPath, [BINARY, ...args], {
    stdio: ['ignore', fd, 'pipe'],
    cwd: root,
  });
  closeSync(fd);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stderr };
}

const LINE =
  'fault: stdout cannot be written (ENOSPC). The command continues without output. Free space on the disk below, then call it again\n';

test.runIf(existsSync('/dev/full'))('each verb ends with 3 and one line', async () => {
  const root = folder();
  expect(await onFullDisk(root, ['init'])).toEqual({ code: 3, stderr: LINE });
  expect(existsSync(join(root, 'active_tasks/ready'))).toBe(true);
  for (const words of ['doctor', 'check', 'help states', 'help', 'list --board', 'list']) {
    expect(await onFullDisk(root, words.split(' ')), words).toEqual({ code: 3, stderr: LINE });
  }
});

test.runIf(existsSync('/dev/full'))('run does its work, and leaves no agent behind', async () => {
  const root = folder();
  await onFullDisk(root, ['init'], '/dev/null');
  const words = ['--run', 'test -s hello.txt', '--sh', 'sleep 1; echo hello > hello.txt'];
  await onFullDisk(root, ['new', 'Say hello', '--id', 'hello', ...words], '/dev/null');
  await onFullDisk(root, ['confirm', 'hello'], '/dev/null');
  expect(await onFullDisk(root, ['run'])).toEqual({ code: 3, stderr: LINE });
  expect(existsSync(join(root, 'active_tasks/done/hello'))).toBe(true);
  expect(processesOf(root)).toEqual([]);
  expect(await onFullDisk(root, ['list', '--json', '--all'])).toEqual({ code: 3, stderr: LINE });
});
