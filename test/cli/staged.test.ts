/** `check --staged` over a real git repository: what would be committed, and not what lies there. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BINARY, inShell, makeHouse, shellContract, type House } from '../hostile/house.ts';
import { GIT_ENV, gitOf } from '../support/git.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

let house: House;
let git: ReturnType<typeof gitOf>;

beforeEach(() => {
  house = makeHouse();
  git = gitOf(house.root);
  git('init -q -b main');
  git('add -A');
  git('commit -q -m start');
});

async function staged(): Promise<{ code: number; lines: string[] }> {
  const { code, out, err } = await house.run('check', '--staged');
  expect(err).toBe('');
  return { code, lines: out.trimEnd().split('\n') };
}

const bad = (id: string): string => shellContract(id).replace('title:', 'priority: urgent\ntitle:');

test('nothing staged, and a good task staged: fine', async () => {
  expect(await staged()).toEqual({ code: 0, lines: ['0 errors, 0 warnings in 1 live task.'] });
  house.task('fresh', shellContract('fresh'));
  git('add -A');
  expect(await staged()).toEqual({ code: 0, lines: ['0 errors, 0 warnings in 2 live tasks.'] });
});

test('the index counts: bad there and good in the folder, and the other way round', async () => {
  house.task('one', bad('one'));
  git('add -A');
  house.task('one', shellContract('one'));
  const { code, lines } = await staged();
  expect(code).toBe(1);
  expect(lines[0]).toMatch(/^active_tasks\/ready\/one\/contract\.md:\d+:\d+: error: priority /);
  git('add -A');
  house.task('one', bad('one'));
  expect((await staged()).code).toBe(0);
  expect((await house.run('check')).code).toBe(1);
});

test('what the commit does not touch does not stop it', async () => {
  house.task('old', bad('old'));
  git('add -A');
  git('commit -q -m bad');
  house.task('fresh', shellContract('fresh'));
  git('add -A');
  expect(await staged()).toMatchObject({ code: 0 });
  house.write('active_tasks/ready/old/questions.md', '## Questions\n\n1. What?\n');
  git('add -A');
  expect((await staged()).code).toBe(1);
});

test('the same id in two states, where only one of them is new', async () => {
  house.task('good', shellContract('good'), 'done');
  git('add -A');
  rmSync(house.path('active_tasks/done'), { recursive: true });
  const { code, lines } = await staged();
  expect(code).toBe(1);
  expect(lines.filter((line) => line.includes('is in ready and in done'))).toHaveLength(1);
});

test('marks of a merge are named with their line, in done and in the settings too', async () => {
  const marks = '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n';
  house.write('active_tasks/done/over/contract.md', shellContract('over'));
  house.write('active_tasks/done/over/result.md', `# Result\n\n${marks}`);
  house.write('active_tasks/ready/good/notes/n.md', `text\n${marks}`);
  house.write('.contracts/agents/builder.md', `---\ndescription: b\n---\n${marks}`);
  house.write('elsewhere.md', marks);
  git('add -A');
  const { code, lines } = await staged();
  expect(code).toBe(1);
  expect(lines.filter((line) => line.includes('a merge left both sides here'))).toEqual([
    expect.stringMatching(/^\.contracts\/agents\/builder\.md:4:1: error: .*found ours and theirs/),
    expect.stringMatching(/^active_tasks\/done\/over\/result\.md:3:1: error: /),
    expect.stringMatching(/^active_tasks\/ready\/good\/notes\/n\.md:2:1: error: /),
  ]);
});

test('check without --staged names marks in live tasks; a text about merges is none', async () => {
  house.write(
    'active_tasks/ready/good/notes/n.md',
    'The mark `<<<<<<<` opens it.\n\n<<<<<<< only\n\nan end is missing\n',
  );
  expect((await house.run('check')).code).toBe(0);
  const marked = shellContract('good').replace(
    'title:',
    '<<<<<<< HEAD\ntags: [a]\n=======\ntags: [b]\n>>>>>>> topic\ntitle:',
  );
  house.write('active_tasks/ready/good/contract.md', marked);
  const { code, out } = await house.run('check');
  expect(code).toBe(1);
  expect(out).toMatch(
    /contract\.md:\d+:1: error: a merge left both sides here \(found HEAD and topic\)/,
  );
});

test('a merge that is not settled is named', async () => {
  for (const [branch, words] of [
    ['topic', 'theirs'],
    ['main', 'ours'],
  ] as const) {
    git(branch === 'topic' ? 'checkout -q -b topic' : 'checkout -q main');
    house.write('active_tasks/ready/good/notes/n.md', `${words}\n`);
    git('add -A');
    git(`commit -q -m ${words}`);
  }
  expect(() => git('merge topic')).toThrow();
  const { code, lines } = await staged();
  expect(code).toBe(1);
  expect(lines[0]).toMatch(
    /^active_tasks\/ready\/good\/notes\/n\.md:1:1: error: a merge of this file/,
  );
});

test('a workspace below the top of the repository; active_tasks elsewhere', async () => {
  house.write('deep/.contracts/config.yaml', 'active_tasks: plans/tasks\n');
  house.write('deep/plans/tasks/ready/one/contract.md', bad('one'));
  git('add -A');
  rmSync(house.path('deep/plans'), { recursive: true });
  const { code, out } = await house.run('-C', house.path('deep'), 'check', '--staged');
  expect(code).toBe(1);
  expect(out).toMatch(/^plans\/tasks\/ready\/one\/contract\.md:\d+:\d+: error: /);
});

test('settings that cannot be read stop the commit; a link is refused as in the folder', async () => {
  house.write('.contracts/config.yaml', 'timeout: soon\n');
  git('add -A');
  expect((await staged()).lines[0]).toMatch(/^\.contracts\/config\.yaml:1:\d+: error: timeout/);
});

test('outside of git, and where no workspace is: usage, with words', async () => {
  const room = sealedFolder('nogit');
  expect((await house.run('-C', room, 'check', '--staged')).code).toBe(2);
  mkdirSync(join(room, 'active_tasks'));
  const { code, err } = await house.run('-C', room, 'check', '--staged');
  expect(code).toBe(2);
  expect(err).toContain('this is not a git repository, or git is not installed');
});

test('as a hook of git: a bad commit is stopped, also one of named files alone', () => {
  const hook = house.path('.git/hooks/pre-commit');
  writeFileSync(hook, `#!/bin/sh\nexec ${process.execPath} ${BINARY} check --staged\n`);
  chmodSync(hook, 0o755);
  const commit = (...args: string[]) =>
    spawnSync('git', ['commit', '-q', '-m', 'x', ...args], {
      cwd: house.root,
      encoding: 'utf8',
      env: { ...process.env, ...GIT_ENV },
    });
  house.task('one', bad('one'));
  git('add -A');
  const stopped = commit();
  expect(stopped.status).toBe(1);
  expect(stopped.stdout + stopped.stderr).toContain('active_tasks/ready/one/contract.md');
  // Only of this file: git makes an index of its own for it, and tells the hook by the environment.
  house.write('other.txt', 'x');
  git('add other.txt');
  expect(commit('other.txt').status).toBe(0);
  house.task('one', shellContract('one'));
  git('add -A');
  expect(commit().status).toBe(0);
});

test('a secret is refused in tasks, settings and anywhere its value is known; elsewhere a warning', () => {
  const token = ['npm', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fRxyz1'].join('_');
  const key = 'hunter2 of some length';
  house.write(
    '.contracts/config.yaml',
    `adapters: { own: { type: command, run: [own], env: [MY_KEY] } }\n# ${token}\n`,
  );
  const folder = house.task('one', `${shellContract('one')}\n${token}\n`);
  house.write(`${folder}/notes.txt`, `one\ntwo ${key}\n`);
  house.write(
    'a name\twith\n all.txt',
    `the key is\n${Buffer.from(`x${key}`).toString('base64')}\n`,
  );
  house.write('code.js', `const token = '${token}';\n`);
  house.write('picture', Buffer.from(`\0${token}`));
  house.write('not-staged.md', token);
  git('add -A');
  git('rm -q --cached not-staged.md');
  const { code, out, err } = inShell(house, '$BIN check --staged', { ...GIT_ENV, MY_KEY: key });
  expect(out + err).not.toMatch(/aB3dE6|hunter2/);
  expect({ code, lines: out.split('\n').filter((line) => /looks like/.test(line)) }).toEqual({
    code: 1,
    lines: [
      '.contracts/config.yaml:2:1: error: this looks like an npm token',
      'a name\\twith\\n all.txt:2:1: error: this looks like the value of a variable that agents are given',
      `${folder}/contract.md:26:1: error: this looks like an npm token`,
      `${folder}/notes.txt:2:1: error: this looks like the value of a variable that agents are given`,
      'code.js:1:1: warning: this looks like an npm token',
    ].map(
      (line) =>
        `${line}. Take it out and git add the file; once it was shared, replace the secret itself`,
    ),
  });
});
