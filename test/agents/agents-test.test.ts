/** `agents test`: one tiny call of an agent, told in lines; nothing of the workspace is touched. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acpWorld } from '../support/acp-world.ts';
import { checkedLines } from '../support/json-lines.ts';

test('an agent that does as it is told: called, session, use, result', async () => {
  const world = acpWorld('writes');
  const before = readdirSync(world.root, { recursive: true }).toSorted();
  const { code, stdout } = await world.run('agents', 'test', 'scripted');
  expect(
    stdout.split('\n').map((line) => line.replace(/\d+(\.\d+)? s$|session-\d+$/, '…')),
  ).toEqual([
    'called   scripted by scripted',
    'session  …',
    'took     …',
    'tokens   12 in, 3 out',
    'cost     $0.25',
    'result   ok',
    '',
  ]);
  expect(code).toBe(0);
  expect(readdirSync(world.root, { recursive: true }).toSorted()).toEqual(before);
});

test('one that fails: why, in the adapter’s words', async () => {
  const world = acpWorld('login');
  const { code, stdout } = await world.run('agents', 'test', 'scripted', '--json');
  expect(code).toBe(1);
  const [line] = checkedLines(stdout);
  expect(line).toMatchObject({
    event: 'agent_tested',
    called: true,
    ok: false,
    why: expect.stringContaining('you are not logged in to node'),
  });
});

test('who is not installed, who has no program, and who is not known', async () => {
  const world = acpWorld('', { run: ['no-such-program-here', '--acp'] });
  const missing = await world.run('agents', 'test', 'scripted');
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain('called   no: scripted by scripted');
  expect(missing.stdout).toContain('result   no: no-such-program-here is not installed. Install');
  const person = await world.run('agents', 'test', 'human');
  expect([person.code, person.stderr]).toEqual([2, expect.stringContaining('no program to try')]);
  const nobody = await world.run('agents', 'test', 'nobody');
  expect([nobody.code, nobody.stderr]).toEqual([
    2,
    expect.stringContaining('this agent does not exist'),
  ]);
  expect((await world.run('agents', 'test', 'shell')).code).toBe(0);
});

test('a program of the project: its files are there, and to ask is to be called well', async () => {
  const page = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8');
  const [, agent = ''] = /<!-- file: agent\.mjs -->\n```js\n([^]*?)```/.exec(page) ?? [];
  const world = acpWorld('');
  world.write(
    '.contracts/config.yaml',
    'adapters: { scripted: { type: command, run: [node, agent.mjs] } }\n',
  );
  writeFileSync(join(world.root, 'agent.mjs'), agent);
  const { code, stdout } = await world.run('agents', 'test', 'scripted', '--json');
  expect(code).toBe(0);
  const [line] = checkedLines(stdout);
  expect(line).toMatchObject({ event: 'agent_tested', called: true, ok: true });
});
