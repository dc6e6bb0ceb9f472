/**
 * Ways around the question whether a workspace is trusted: settings that clients obey and we might not
 * see, records that others wrote, worktrees that only say whose they are, and what is noted of agents.
 * The built command, from outside, as in a shell of a person.
 */
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellContract } from './house.ts';
import {
  asRoot,
  base,
  CONFIG,
  git,
  home,
  isAsked,
  ownClone,
  root,
  said,
  write,
} from './trust-room.ts';

function recordOf(): string {
  const folder = join(home, '.local/state/contracts/trust');
  return join(folder, fs.readdirSync(folder)[0] ?? '', 'trusted.md');
}

const SERVER = '{"mcpServers":{"x":{"command":"evil"}}}';

describe('settings that clients obey', () => {
  const MORE: readonly (readonly [string, string, string])[] = [
    ['a comment that a lone CR ends', 'opencode.json', '{"model":"a" // c\r , "mcp":{"x":{}}\n}'],
    [
      'a table on the line of a model',
      '.codex/config.toml',
      'model_providers = { e = { auth = { command = "evil" } } }\n',
    ],
    ['rules of codex', '.codex/rules/x.rules', 'prefix_rule(pattern=["sh"], decision="allow")\n'],
    ['variables of gemini', '.gemini/.env', 'NODE_OPTIONS=--require=./evil.js\n'],
  ];
  test.each(MORE)('%s', (_name, path, text) => {
    ownClone();
    write(path, text);
    expect(isAsked()).toBe(true);
    said(['trust']);
    expect(isAsked()).toBe(false);
  });

  test.each(['.mcp.json', 'opencode.json', '.codex/config.toml', '.opencode/plugin/x.js'])(
    'in a folder above the workspace: %s',
    (path) => {
      const inner = join(root, 'packages/one');
      fs.mkdirSync(inner, { recursive: true });
      said(['init'], {}, inner);
      expect(isAsked(inner)).toBe(false);
      write(path, SERVER);
      expect(isAsked(inner)).toBe(true);
    },
  );

  test('in the home they are the person’s own', () => {
    ownClone();
    write('.mcp.json', SERVER, home);
    write('.mcp.json', SERVER, base);
    expect(isAsked()).toBe(false);
  });

  test.each([
    ['large', '.opencode/plugin/a.js', (words: string) => words.padEnd(2_000_000)],
    ['deep', '.gemini/extensions/a/b/c/d/e/f.js', (words: string) => words],
  ])('what is %s is asked about again when it changes', (_name, path, text) => {
    ownClone();
    write(path, text('one'));
    said(['trust']);
    expect(isAsked()).toBe(false);
    write(path, text('two'));
    expect(isAsked()).toBe(true);
  });

  test('behind a link too', () => {
    ownClone();
    write('real.json', '{}');
    fs.symlinkSync('real.json', join(root, '.mcp.json'));
    said(['trust']);
    write('real.json', SERVER);
    expect(isAsked()).toBe(true);
  });

  test('many and long ones are trusted with one answer', () => {
    ownClone();
    for (let i = 0; i < 150; i++) write(`.opencode/plugin/p${i}.js`, `${i}\n`.repeat(1000));
    for (let i = 0; i < 700; i++) write(`.gemini/extensions/e/f${i}.js`, `${i}`);
    said(['trust']);
    expect(isAsked()).toBe(false);
  });
});

test.each(['push', 'pull_request'])('an agent that may %s gets the keys when allowed', (one) => {
  ownClone();
  write('.contracts/agents/sender.md', `---\ndescription: x\ngit: [${one}]\n---\nSend.\n`);
  write('active_tasks/ready/a/contract.md', shellContract('a', { head: 'agent: sender' }));
  expect(said(['run']).text).toContain(`sender may ${one}`);
  expect(fs.existsSync(join(root, 'active_tasks/ready/a'))).toBe(true);
});

describe('whose word it is', () => {
  test('not that of a bare repository beside it', () => {
    ownClone();
    const up = join(base, 'up');
    write('.contracts/config.yaml', CONFIG, up);
    git(up, 'init', '-q');
    git(up, 'add', '-A');
    git(up, 'commit', '-qm', 'x');
    git(root, 'clone', '-q', '--bare', up, join(root, 'evil.git'));
    git(join(root, 'evil.git'), 'worktree', 'add', '-q', join(home, 'linked'));
    expect(isAsked(join(home, 'linked'))).toBe(true);
  });

  test('not that of an archive that was unpacked in it', () => {
    ownClone();
    const evil = join(root, 'evil');
    write('worktrees/y/commondir', '../..\n', evil);
    write('worktrees/y/gitdir', './.git\n', evil);
    write('wt/.git', 'gitdir: ../worktrees/y\n', evil);
    write('wt/.contracts/config.yaml', CONFIG, evil);
    expect(isAsked(join(evil, 'wt'))).toBe(true);
  });

  test('worktrees that git links by relative paths are as trusted', () => {
    ownClone();
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'x');
    const linked = join(home, 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    write('.git/worktrees/linked/gitdir', '../../../../linked/.git\n');
    write('.git', 'gitdir: ../clone/.git/worktrees/linked\n', linked);
    expect(isAsked(linked)).toBe(false);
  });

  test('not that of a state folder in the tree', () => {
    ownClone();
    const state = join(root, '.state/contracts/trust');
    const key = dirname(recordOf()).split('/').at(-1) ?? '';
    write(`${key}/trusted.md`, fs.readFileSync(recordOf(), 'utf8'), state);
    expect(isAsked(root, { XDG_STATE_HOME: join(root, '.state') })).toBe(true);
  });

  test('not a record of another path', () => {
    ownClone();
    const text = fs.readFileSync(recordOf(), 'utf8');
    fs.writeFileSync(recordOf(), text.replace(/^root: .*$/m, 'root: /elsewhere'));
    expect(isAsked()).toBe(true);
  });

  asRoot('not a record of another user', () => {
    ownClone();
    fs.chownSync(recordOf(), 12_345, 12_345);
    expect(isAsked()).toBe(true);
  });

  test('no workspace above the home by whatever name of it', () => {
    write('.contracts/config.yaml', CONFIG, base);
    fs.symlinkSync(home, join(base, 'link'));
    for (const HOME of [join(base, 'link'), `${home}/`])
      expect(said(['list'], { HOME }).text).toContain('no workspace here');
  });
});

describe('what is noted of who had no right to it', () => {
  const ready = (text: string): void => write('active_tasks/ready/a/contract.md', text);

  test.each([
    '.claude/hooks/x.sh',
    '.claude/rules/x.md',
    '.claude/squads/s/SQUAD.yaml',
    '.opencode/squads/s/SQUAD.yaml',
  ])('an agent that makes %s', (path) => {
    ownClone();
    const sh = `mkdir -p ${dirname(path)}; echo x > ${path}; echo made > a.txt`;
    ready(shellContract('a', { sh }));
    said(['run']);
    expect(isAsked()).toBe(true);
  });

  test('the one behind two hundred others', () => {
    ownClone();
    const junk = 'for i in $(seq 250); do echo x > .claude/agents/a$i.md; done';
    const skill = 'mkdir -p .claude/agents .claude/skills/z; echo x > .claude/skills/z/SKILL.md';
    ready(shellContract('a', { sh: `${skill}; ${junk}; echo made > a.txt` }));
    said(['run']);
    fs.rmSync(join(root, '.claude/agents'), { recursive: true });
    expect(isAsked()).toBe(true);
    said(['trust']);
    expect(isAsked()).toBe(false);
  });

  test.each(['', 'isolation: worktree'])('a check that configures git %s', (head) => {
    ownClone();
    const text = shellContract('a', { head });
    const sh = "test -s a.txt && git config alias.x '!evil'";
    ready(text.replace('run: test -s a.txt', `run: ${sh}`));
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'x');
    said(['run']);
    expect(git(root, 'config', 'alias.x')).toContain('evil');
    expect(isAsked()).toBe(true);
  });
});
