/** `logs`: what an attempt printed, whole, its last lines, as it grows, and never as commands. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startContracts, type Started } from '../support/binary.ts';
import { checkedLines } from '../support/json-lines.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { until } from '../support/until.ts';
import { saidHere } from '../support/command-room.ts';

let room: string;
const running: Started[] = [];
beforeEach(async () => {
  room = sealedFolder('logs');
  await contracts('init');
});
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
});

const contracts = (...argv: string[]) => saidHere(['-C', room, ...argv]);

async function ready(script: string): Promise<void> {
  const args = ['--id', 'a', '--deliverable', 'made.txt', '--sh', script];
  expect((await contracts('new', 'A task', ...args)).code).toBe(0);
  expect((await contracts('confirm', 'a')).code).toBe(0);
}

test('all of it, its last lines, as JSON, and a task or an attempt that is not there', async () => {
  await ready('printf "one\\ntwo\\nthree"; echo x > made.txt');
  expect(await contracts('logs', 'a')).toMatchObject({ code: 0, out: '' });
  expect((await contracts('logs', 'a')).err).toContain('a has printed nothing');
  await contracts('run');
  expect((await contracts('logs', 'a')).out).toBe('== step 1 of 1\none\ntwo\nthree\n');
  expect((await contracts('logs', 'a', '-n', '1')).out).toBe('three\n');
  const json = await contracts('logs', 'a', '--json', '--attempt', '1');
  expect(checkedLines(json.out)[1]).toEqual({
    v: 1,
    event: 'output',
    task: 'a',
    attempt: 1,
    text: 'one',
  });
  const none = await contracts('logs', 'a', '--attempt', '7');
  expect(none).toMatchObject({ code: 2, out: '' });
  expect(none.err).toContain('there is no such attempt');
  expect((await contracts('logs', 'nope')).code).toBe(2);
});

test('colours are left out, a line that was written over is its last state, the rest is escaped', async () => {
  await ready(
    String.raw`printf '\033[31mred\033[0m\n10%%\r100%%\r\n\033]0;title\007x\n'; echo x > made.txt`,
  );
  await contracts('run');
  expect((await contracts('logs', 'a')).out).toBe(
    '== step 1 of 1\nred\n100%\n\\x1b]0;title\\x07x\n',
  );
});

test('-f goes on as it grows, into the next attempt, and ends with the task', async () => {
  await ready(
    'echo "try"; while [ ! -e go ]; do sleep 0.05; done; echo went; if [ -e again ]; then echo x > made.txt; else touch again; exit 1; fi',
  );
  const run = startContracts(room, ['run']);
  const follow = startContracts(room, ['logs', 'a', '-f']);
  running.push(run, follow);
  await until(() => follow.stdout().includes('try'));
  expect(follow.stdout()).not.toContain('went');
  writeFileSync(join(room, 'go'), '');
  const ended = await follow.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toBe('== step 1 of 1\ntry\nwent\n'.repeat(2));
  expect(ended.stderr).toMatch(
    /^==> attempt 1 of \d, work[^\n]*\n==> attempt 2 of \d, work[^\n]*\n$/,
  );
  expect((await run.ended).code).toBe(0);
});

test('the attempt of the agent comes first, with a head, and then what its checks printed', async () => {
  const script = 'echo worked; if [ ! -e made ]; then touch made; exit 1; fi; echo x > made';
  const check = 'test -s made && echo checked';
  await contracts('new', 'A task', '--id', 'a', '--run', check, '--sh', script);
  await contracts('confirm', 'a');
  await contracts('run');
  // Without a client the check proves the criterion of a script at its end, too.
  expect(await contracts('logs', 'a')).toMatchObject({
    out: '== step 1 of 1\nworked\nchecked\nchecked\n',
    err: '==> attempt 2 of 3, work by builder <==\n==> attempt 3 of 3, verification <==\n',
  });
  expect(await contracts('logs', 'a', '-n', '1')).toMatchObject({ out: 'checked\nchecked\n' });
  expect(await contracts('logs', 'a', '--attempt', '3')).toMatchObject({
    out: 'checked\n',
    err: '==> attempt 3 of 3, verification <==\n',
  });
  const lines = checkedLines((await contracts('logs', 'a', '--json')).out);
  expect(lines.map((line) => 'attempt' in line && line.attempt)).toEqual([2, 2, 2, 3]);
});

test('where a person is the gate the agent comes first, too', async () => {
  const args = ['--id', 'a', '--run', 'echo checked', '--gate', 'person', '--sh', 'echo worked'];
  await contracts('new', 'A task', ...args);
  await contracts('confirm', 'a');
  await contracts('run');
  const { out, err } = await contracts('logs', 'a');
  expect(out).toContain('worked');
  expect(err).toBe(
    '==> attempt 1 of 2, work by builder <==\n==> attempt 2 of 2, verification <==\n',
  );
});

test('Ctrl-C ends a follow with 130, as it ends tail', async () => {
  await ready('echo on; while [ ! -e go ]; do sleep 0.05; done; echo x > made.txt');
  const run = startContracts(room, ['run']);
  const follow = startContracts(room, ['logs', 'a', '-f']);
  running.push(run, follow);
  await until(() => follow.stdout().includes('on\n'));
  follow.child.kill('SIGINT');
  expect((await follow.ended).code).toBe(130);
  appendFileSync(join(room, 'go'), '');
  expect((await run.ended).code).toBe(0);
  expect(existsSync(join(room, 'made.txt'))).toBe(true);
});

test('a review that asked nobody has printed nothing: the log is that of the work', async () => {
  const args = ['--id', 'a', '--run', 'true', '--sh', 'echo hi there'];
  await contracts('new', 'A task', ...args);
  await contracts('confirm', 'a');
  await contracts('run');
  expect(existsSync(join(room, 'active_tasks/done/a/attempts/0002/output.log'))).toBe(true);
  expect((await contracts('logs', 'a')).out).toBe('== step 1 of 1\nhi there\n');
});
