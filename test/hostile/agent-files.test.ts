/**
 * Files that describe agents and skills, as nobody should have written them: each is left out with its
 * place and cure, no link is followed, nobody is called in the place of somebody else, and the others
 * are there as before.
 */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agentsOf } from '../../src/agents/engine/registry.ts';
import { readSkill } from '../../src/agents/engine/skill-files.ts';
import type { Workspace } from '../../src/workspace/open/workspace.ts';
import type { Disk } from '../../src/task/store/disk/disk.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { makeHouse, shellContract, type House } from './house.ts';
import { openedAt } from '../support/opened.ts';

const GOOD = '---\ndescription: Good\n---\n\nBe good.\n';

function open(house: House, disk: Disk = realDisk): Workspace {
  return openedAt(house.root, { disk, env: { HOME: house.path('home') } });
}

const FILES: readonly (readonly [string, string, (house: House, file: string) => void])[] = [
  [
    'a symbolic link',
    'symbolic link',
    (house, file) => {
      house.write('elsewhere.md', GOOD);
      symlinkSync(house.path('elsewhere.md'), house.path(file));
    },
  ],
  ['a FIFO', 'not a regular file', (house, file) => execFileSync('mkfifo', [house.path(file)])],
  ['UTF-16', 'UTF-16', (house, file) => house.write(file, Buffer.from(`\uFEFF${GOOD}`, 'utf16le'))],
  ['not UTF-8', 'not UTF-8', (house, file) => house.write(file, Buffer.from([0x2d, 0xff, 0xc0]))],
  ['too large', 'bytes', (house, file) => house.write(file, `${GOOD}${'x'.repeat(300_000)}`)],
  [
    'code as front matter',
    'exactly ---',
    (house, file) => house.write(file, '---js\nprocess.exit(9)\n---\n'),
  ],
  ['half saved', 'not closed', (house, file) => house.write(file, '---\ndescription: x\n')],
  [
    'an alias bomb',
    'anchor',
    (house, file) => house.write(file, '---\na: &a [x]\nb: [*a, *a]\n---\n'),
  ],
  [
    'a key of JavaScript',
    '__proto__',
    (house, file) => house.write(file, '---\n__proto__:\n  write: []\n---\n'),
  ],
  ['a wrong type', 'write', (house, file) => house.write(file, '---\nwrite: 3\n---\n')],
];

test.each(FILES)(
  '%s: the agent is left out, and nobody else is taken for it',
  async (_, words, make) => {
    const house = makeHouse();
    // A role of this name comes with the package, and another file lies behind.
    mkdirSync(house.path('.contracts/agents'), { recursive: true });
    house.write('.claude/agents/janitor.md', GOOD);
    house.write('.contracts/agents/good.md', GOOD);
    make(house, '.contracts/agents/janitor.md');
    const book = agentsOf(open(house));
    expect(book.get('janitor')).toBeUndefined();
    expect(book.has('janitor')).toBe(false);
    expect(book.problems('janitor')).toEqual([
      expect.objectContaining({
        file: '.contracts/agents/janitor.md',
        message: expect.stringMatching(
          new RegExp(`^agent janitor is left out: .*${words}`),
        ) as string,
      }),
    ]);
    expect(book.get('good')).toMatchObject({ description: 'Good', instructions: 'Be good.' });
    house.task('asks', shellContract('asks', { head: 'agent: janitor\nadapter: shell' }));
    const { out } = await house.run('step');
    expect(out).toContain('asks  ready: .contracts/agents/janitor.md');
    expect(house.where('asks')).toEqual(['ready']);
  },
);

test('folders that are links are not entered, and that is told', () => {
  const house = makeHouse();
  house.write('elsewhere/agents/secret.md', GOOD);
  mkdirSync(house.path('.claude'));
  symlinkSync(house.path('elsewhere/agents'), house.path('.claude/agents'));
  mkdirSync(house.path('.opencode/agent'), { recursive: true });
  symlinkSync(house.path('elsewhere/agents'), house.path('.opencode/agent/team'));
  const book = agentsOf(open(house));
  expect(book.get('secret')).toBeUndefined();
  expect(book.get('team/secret')).toBeUndefined();
  expect(book.allProblems().map(({ file, code }) => [file, code])).toEqual([
    ['.opencode/agent/team', 'not_a_file'],
    ['.claude/agents', 'not_a_file'],
  ]);
});

test('names that are none are told and left alone; documents beside agents are no agents', () => {
  const house = makeHouse();
  for (const name of ['-x', 'two words', 'ünï', `${'n'.repeat(140)}`]) {
    house.write(`.claude/agents/${name}.md`, GOOD);
  }
  for (const name of ['README', 'AGENTS', 'CLAUDE'])
    house.write(`.claude/agents/${name}.md`, '# Us\n');
  house.write('.agents/skills/a/SKILL.md', GOOD);
  house.write('.agents/AGENTS.md', '# Us\n');
  house.write('.agents/real.md', GOOD);
  const book = agentsOf(open(house));
  expect(book.names().filter((name) => book.get(name)?.source === 'project')).toEqual(['real']);
  expect(book.allProblems()).toHaveLength(4);
});

test('very deep and very many: bounded', () => {
  const house = makeHouse();
  house.write(`.claude/agents/${'d/'.repeat(30)}deep.md`, GOOD);
  house.write('.claude/agents/a/b/c/near.md', GOOD);
  for (let i = 0; i < 1200; i++) house.write(`.opencode/agent/n${i}.md`, GOOD);
  const book = agentsOf(open(house));
  expect(book.get('a/b/c/near')).toBeDefined();
  expect(book.names().filter((name) => name.endsWith('deep'))).toEqual([]);
  expect(book.names().filter((name) => /^n\d+$/.test(name))).toHaveLength(1000);
});

test.each(['../secret', '/etc/passwd', 'a/../../secret', '.hidden', '__proto__', 'a//b', ''])(
  'a skill named %j leads nowhere',
  (name) => {
    const house = makeHouse();
    house.write('.contracts/secret/SKILL.md', GOOD);
    house.write('.contracts/skills/a/SKILL.md', GOOD);
    expect(readSkill(open(house), name)).toEqual({ ok: false });
  },
);

test('a skill that is a link, or has one above it, is not read', () => {
  const house = makeHouse();
  house.write('elsewhere/SKILL.md', GOOD);
  mkdirSync(house.path('.contracts/skills/inner'), { recursive: true });
  symlinkSync(house.path('elsewhere'), house.path('.contracts/skills/whole'));
  symlinkSync(house.path('elsewhere/SKILL.md'), house.path('.contracts/skills/inner/SKILL.md'));
  symlinkSync(house.path('elsewhere'), house.path('.contracts/skills/group'));
  linkSync(house.path('elsewhere/SKILL.md'), house.path('.contracts/skills/hard.md'));
  const ws = open(house);
  expect(readSkill(ws, 'whole').ok).toBe(false);
  expect(readSkill(ws, 'group/x').ok).toBe(false);
  expect(readSkill(ws, 'inner')).toMatchObject({ ok: false, problem: { code: 'not_a_file' } });
  expect(readSkill(ws, 'hard').ok).toBe(true);
});

test('no file of an agent that nobody names is read', () => {
  const house = makeHouse();
  for (let i = 0; i < 50; i++) house.write(`.claude/agents/n${i}.md`, GOOD);
  const read: string[] = [];
  const disk: Disk = {
    ...realDisk,
    read: (path, ...rest) => {
      read.push(path);
      return realDisk.read(path, ...rest);
    },
  };
  const book = agentsOf(open(house, disk));
  expect(book.has('builder')).toBe(true);
  expect(book.adapterOf('builder')).toBeUndefined();
  expect(book.get('n7')).toMatchObject({ client: 'claude' });
  const mine = read.filter((path) => path.endsWith('.md'));
  expect(mine).toEqual([house.path('.claude/agents/n7.md')]);
});
