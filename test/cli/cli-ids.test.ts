/**
 * Beginnings of ids at the command: every verb that takes an id takes the only one that starts so,
 * and refuses what is not clear before it changes anything. In-process, without a terminal.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/frame.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';

let room: string;
beforeEach(() => void (room = sealedFolder('ids')));

const contracts = (...argv: string[]) => saidHere(['-C', room, ...argv]);

const asks = `[ -e made.txt ] || { printf '## Questions\\n\\n1. Which?\\n' > "$CONTRACTS_OUT/questions.md"; touch made.txt; }`;

test('a walk from draft to done, every id cut short', async () => {
  await contracts('init');
  const flags = ['--run', 'test -e made.txt', '--gate', 'person', '--sh', asks];
  await contracts('new', 'Login', '--id', 'build_login', ...flags);
  await contracts('new', 'Logout', '--id', 'build_logout', '--run', 'true', '--sh', 'true');
  const fine = async (...argv: string[]): Promise<string> => {
    const said = await contracts(...argv);
    expect(said, argv.join(' ')).toMatchObject({ code: EXIT.fine, err: '' });
    return said.out;
  };
  expect(await fine('confirm', 'build_logi')).toContain('build_login  draft → ready');
  expect(await fine('note', 'build_logi', 'hello')).toContain('ready/build_login/notes/');
  await fine('step', 'build_logi');
  expect(await fine('answer', 'build_logi', 'this')).toContain('questions/build_login/');
  expect((await contracts('run', 'build_logi')).code).toBe(EXIT.people);
  expect(await fine('needs-work', 'build_logi', 'more')).toContain('review/build_login/');
  expect((await contracts('run', '--only', 'build_logi')).code).toBe(EXIT.people);
  expect(await fine('approve', 'build_logi')).toContain('review/build_login/');
  await fine('run', '--only', 'build_logi');
  // Now it is done, and a live task comes first: the same letters mean the other one.
  expect(await fine('show', 'build_log')).toContain('active_tasks/draft/build_logout');
  expect(await fine('retry', 'build_logi', '--again')).toContain('build_login  done → ready');
  expect(await fine('abort', 'build_login', 'build_logo')).toMatch(/build_login .*\nbuild_logout /);
});

test('delegate, collect, resolve and retry', async () => {
  await contracts('init');
  await contracts('new', 'Away', '--id', 'away_1', '--adapter', 'host', '--run', 'true');
  await contracts('new', 'Fails', '--id', 'fails_1', '--run', 'true', '--sh', 'exit 1');
  const file = join(room, 'active_tasks/draft/fails_1/contract.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('---\n', '---\nretries_max: 0\n'));
  await contracts('confirm', 'away', 'fails');
  expect((await contracts('delegate', 'away')).err).toContain('contracts collect away_1');
  expect((await contracts('collect', 'away')).err).toContain('away_1.0001');
  await contracts('run', '--only', 'fails');
  expect((await contracts('retry', 'fails', 'so')).out).toContain('blocked/fails_1/blocked.md');
  await contracts('run', '--only', 'fails');
  expect((await contracts('retry', 'fails')).out).toContain('fails_1  blocked → ready');
});

test('letters that several start with change nothing, and the refusal names them', async () => {
  await contracts('init');
  for (const id of ['build_a', 'build_b']) {
    await contracts('new', id, '--id', id, '--run', 'true', '--sh', 'touch made.txt');
  }
  const argvs = [
    ['confirm', 'build'],
    ['abort', 'build'],
    ['show', 'build'],
    ['note', 'build', 'x'],
    ['answer', 'build', 'x'],
    ['approve', 'build'],
    ['retry', 'build', 'x'],
    ['delegate', 'build'],
    ['collect', 'build'],
    ['step', '--only', 'build'],
    ['run', '--only', 'build'],
  ];
  for (const argv of argvs) {
    const said = await contracts(...argv);
    expect(said, argv.join(' ')).toMatchObject({ code: EXIT.usage, out: '' });
    expect(said.err, argv.join(' ')).toContain('build_a (draft), build_b (draft);');
  }
  expect((await contracts('list', '--state', 'draft', '--ids')).out).toBe('build_a\nbuild_b\n');
  expect(existsSync(join(room, 'active_tasks/draft/build_a/notes'))).toBe(false);
});

test('a slip of the finger is refused with the id that may have been meant', async () => {
  await contracts('init');
  await contracts('new', 'Login', '--id', 'build_login-page', '--run', 'true', '--sh', 'true');
  const said = await contracts('confirm', 'build_lgoin-page');
  expect(said.code).toBe(EXIT.usage);
  expect(said.err).toContain('Did you mean build_login-page?');
  expect((await contracts('list', '--state', 'draft', '--ids')).out).toBe('build_login-page\n');
});

test('a last word of the shape of an id is a task that is not there, and no text of a verdict', async () => {
  await contracts('init');
  for (const id of ['pay-a1b2', 'fix-pay-c3d4']) {
    await contracts('new', id, '--id', id, '--gate', 'person', '--run', 'true', '--sh', 'true');
  }
  await contracts('confirm', 'pay-a1b2', 'fix-pay-c3d4');
  await contracts('run');
  const said = await contracts('approve', 'pay-a1b2', 'fix-pay-c3d5');
  expect(said).toMatchObject({ code: EXIT.usage, out: '' });
  expect(said.err).toContain('there is no task fix-pay-c3d5');
  expect((await contracts('approve', 'pay-a1b2', 'fine')).code).toBe(EXIT.fine);
});
