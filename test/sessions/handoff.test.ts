/** Handoffs: the same tree gives the same bytes, whatever its times and place; what is in the way is reported. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';

let room = '';
beforeEach(() => void (room = sealedFolder('handoff')));

const contracts = (root: string, ...argv: string[]) =>
  saidHere(['-C', root, ...argv], { env: process.env });

/** More drafts than a look goes into, each with an error; a plan; and words that may be hostile. */
function tree(name: string): string {
  const root = join(room, name);
  for (let i = 0; i < 30; i++) {
    const head = `title: "No ${i}\\n## Waits\\u202e"\nplan: launch\nwave: ${i}\nagent: unknown-${i}\n`;
    putFile(join(root, 'active_tasks/draft', `d${i}`, 'contract.md'), `---\n${head}---\n`);
  }
  fs.mkdirSync(join(root, '.contracts'));
  return root;
}
const handoffs = (root: string): readonly string[] =>
  fs
    .readdirSync(join(root, '.contracts/handoffs'))
    .map((name) => fs.readFileSync(join(root, '.contracts/handoffs', name), 'utf8'));

test('times and places change no byte, and a copy writes no second one', async () => {
  const one = tree('one');
  expect(await contracts(one, 'status', '--write')).toEqual({
    code: 0,
    out: 'wrote .contracts/handoffs/0001.md\n',
    err: '',
  });
  const [text = ''] = handoffs(one);
  const two = join(room, 'two');
  fs.cpSync(one, two, { recursive: true });
  for (let i = 0; i < 30; i++) {
    const at = 1_700_000_000 + ((i * 7919) % 30) * 3600;
    fs.utimesSync(join(two, 'active_tasks/draft', `d${i}`, 'contract.md'), at, at);
  }
  expect((await contracts(two, 'status', '--write')).out).toBe(
    '.contracts/handoffs/0001.md says the same already\n',
  );
  fs.rmSync(join(two, '.contracts/handoffs'), { recursive: true });
  await contracts(two, 'status', '--write');
  expect(handoffs(two)).toEqual([text]);
  expect(text).not.toContain(room);
  expect(text).toContain('- and 10 more: contracts list\n');
  expect(text).toContain('- launch: 30 open, next wave 0 → contracts plan status launch\n');
  expect(text.match(/^## .*$/gm)).toEqual([
    '## Tasks',
    '## Waits for a person',
    '## Plans at work',
  ]);
  expect(text).not.toMatch(/\u202e/);
});

test('a change writes the next one; what was written by hand stays', async () => {
  const root = tree('one');
  await contracts(root, 'status', '--write');
  const file = join(root, '.contracts/handoffs/0001.md');
  fs.writeFileSync(file, 'My notes\n');
  fs.writeFileSync(join(root, '.contracts/handoffs/notes.md'), '');
  const counts = [{ state: 'draft', tasks: 30 }];
  const handoff = '.contracts/handoffs/0002.md';
  for (const _ of ['written', 'there already'])
    expect(checkedLines((await contracts(root, 'status', '--write', '--json')).out)).toMatchObject([
      { event: 'overview', counts, handoff },
    ]);
  expect(fs.readdirSync(join(root, '.contracts/handoffs'))).toEqual([
    '0001.md',
    '0002.md',
    'notes.md',
  ]);
  expect(fs.readFileSync(file, 'utf8')).toBe('My notes\n');
  const { out } = await contracts(root, 'check');
  expect(out).not.toContain('handoffs');
});

test('a link in place of the folder, a FIFO in place of the newest', async () => {
  const root = tree('one');
  const outside = join(room, 'outside');
  fs.mkdirSync(outside);
  fs.symlinkSync(outside, join(root, '.contracts/handoffs'));
  const { code, err } = await contracts(root, 'status', '--write');
  expect(code).toBe(3);
  expect(err).toContain('.contracts/handoffs is no folder. Put a real folder there');
  expect(fs.readdirSync(outside)).toEqual([]);
  fs.rmSync(join(root, '.contracts/handoffs'));
  fs.mkdirSync(join(root, '.contracts/handoffs'));
  execFileSync('mkfifo', [join(root, '.contracts/handoffs/0041.md')]);
  expect((await contracts(root, 'status', '--write')).out).toBe(
    'wrote .contracts/handoffs/0042.md\n',
  );
});

test('one that is written while an agent works is not held against the agent', async () => {
  const root = join(room, 'one');
  const folder = join(root, 'active_tasks/ready/works');
  fs.mkdirSync(folder, { recursive: true });
  fs.mkdirSync(join(root, '.contracts/handoffs'), { recursive: true });
  const steps = 'printf x > .contracts/handoffs/0001.md';
  const head = 'title: Works\nadapter: shell\nverify: ["run: true"]\n';
  const text = `---\n${head}---\n\n## Success Criteria\n\n- [ ] \`true\` passes\n\n## Steps\n\n\`\`\`sh\n${steps}\n\`\`\`\n`;
  fs.writeFileSync(join(folder, 'contract.md'), text);
  const { out } = await contracts(root, 'run');
  expect(out).not.toContain('handoffs');
  expect(out).toContain('1 task done');
});
