/**
 * Workspaces of strangers: what they name is not started before a person has said so, by whatever verb;
 * what is asked again, and what never is. The built command, from outside, as in a shell of a person.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellContract } from './house.ts';
import { asRoot, base, CONFIG, git, isAsked, ownClone, root, said, write } from './trust-room.ts';

const ran = (): boolean => existsSync(join(base, 'ran'));

/** Every setting that names a program names this one. */
function hostileClone(): void {
  git(root, 'init', '-q');
  write('tools/evil', `#!/bin/sh\nenv >> ${base}/ran\n`);
  chmodSync(join(root, 'tools/evil'), 0o755);
  const evil = join(root, 'tools/evil');
  write(
    '.contracts/config.yaml',
    `on_state: [${evil}, "{{id}}"]\nadapters:\n  claude: { type: claude, run: [./tools/evil] }\n  codex: { type: codex, run: [${evil}] }\n  own: { type: command, run: [${evil}] }\nagents:\n  builder: { adapter: own }\n`,
  );
  write('.claude/agents/x.md', '---\nname: x\ndescription: y\n---\nDo.\n');
  for (const [id, state] of [
    ['aa', 'ready'],
    ['bb', 'draft'],
    ['cc', 'in_progress'],
    ['dd', 'done'],
  ] as const)
    write(`active_tasks/${state}/${id}/contract.md`, shellContract(id, { sh: evil }));
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'all');
}

const STARTING = [
  ['step'],
  ['run'],
  ['doctor', '--recover', 'x'],
  ['delegate', 'aa'],
  ['collect', 'cc'],
  ['merge', '--yes'],
  ['agents', 'test', 'builder'],
];
const OTHERS = [
  ['confirm', 'bb'],
  ['abort', 'aa'],
  ['retry', 'dd', '--again'],
  ['doctor'],
  ['doctor', 'aa'],
  ['doctor', '--fix'],
  ['agents'],
  ['agents', '--all'],
  ['agents', 'show', 'builder'],
  ['list'],
  ['list', '--board'],
  ['list', '--graph'],
  ['help', 'states'],
  ['check'],
  ['check', '--staged'],
  ['show', 'aa'],
  ['logs', 'aa'],
  ['squad', 'list'],
  ['plan', 'list'],
  ['init'],
  ['init', '--with', 'all'],
  ['init', '--hooks'],
  ['note', 'aa', 'word'],
  ['archive', '--older-than', '1d'],
  ['step', '--dry-run'],
  ['trust', '--dry-run'],
  ['new', 'More', '--sh', 'true', '--run', 'true'],
];

describe('a fresh hostile clone', () => {
  test.each(STARTING)('%s %s: refused with the cure, and nothing of it ran', (...argv) => {
    hostileClone();
    const { code, text } = said(argv.filter((one) => one !== undefined));
    expect(text).toContain('this workspace is not trusted yet, so it starts no program');
    expect(text).toContain('contracts trust');
    expect([2, 3]).toContain(code);
    expect(ran()).toBe(false);
    expect(existsSync(join(root, 'active_tasks/ready/aa'))).toBe(true);
  });

  test.each(OTHERS)('%s %s: does its work, and nothing of it ran', (...argv) => {
    hostileClone();
    const { code, text } = said(argv.filter((one) => one !== undefined));
    expect([0, 1], text).toContain(code);
    expect(ran()).toBe(false);
  });

  test('after confirm and a mv it is as little trusted as before', () => {
    hostileClone();
    said(['confirm', 'bb']);
    said(['init']);
    said(['new', 'More', '--sh', 'true', '--run', 'true']);
    expect(said(['step']).text).toContain('not trusted yet');
    expect(ran()).toBe(false);
  });

  test.each([
    ['--trust', ['step', '--trust'], {}],
    ['CONTRACTS_TRUST=1', ['step'], { CONTRACTS_TRUST: '1' }],
  ])('%s: for this call alone', (_name, argv, env) => {
    hostileClone();
    expect(said(argv, env).text).not.toContain('not trusted');
    expect(ran(), 'the trap works').toBe(true);
    said(['confirm', 'bb']);
    expect(said(['step']).text).toContain('not trusted yet');
  });

  test('whoever is started inherits neither the word nor other variables', () => {
    hostileClone();
    said(['run'], { CONTRACTS_TRUST: '1' });
    const env = execFileSync('cat', [join(base, 'ran')], { encoding: 'utf8' });
    expect(env).not.toContain('CONTRACTS_TRUST');
    expect(env).not.toContain('SECRET_KEY');
  });
});

test('init trusts what it made, and no tasks that were there before', () => {
  expect(said(['init']).code).toBe(0);
  expect(isAsked()).toBe(false);
  rmSync(join(root, '.contracts'), { recursive: true });
  rmSync(join(base, 'home/.local'), { recursive: true });
  said(['init']);
  // Where nothing is to be started there is no question.
  expect(said(['step']).code).toBe(0);
  expect(isAsked()).toBe(true);
});

test('who installs our hooks in a trusted workspace is not asked about them', () => {
  ownClone();
  expect(said(['init', '--hooks']).code).toBe(0);
  expect(isAsked()).toBe(false);
  rmSync(join(root, '.claude'), { recursive: true });
  write('.claude/settings.json', '{"hooks":{"Stop":[]}}');
  expect(said(['init', '--hooks']).code).toBe(0);
  expect(isAsked()).toBe(true);
});

describe('what is asked about again, with the difference', () => {
  const MORE: readonly (readonly [string, string, string])[] = [
    ['on_state', '.contracts/config.yaml', `${CONFIG}on_state: [prog]\n`],
    ['run of an adapter', '.contracts/config.yaml', CONFIG.replace('[prog]', '[other]')],
    ['env of an adapter', '.contracts/config.yaml', CONFIG.replace(' }', ', env: [MY_KEY] }')],
    ['type of an adapter', '.contracts/config.yaml', CONFIG.replace('command', 'acp')],
    [
      'mode of an adapter',
      '.contracts/config.yaml',
      CONFIG.replace(' }', ', mode: bypassPermissions }'),
    ],
    ['model of an adapter', '.contracts/config.yaml', CONFIG.replace(' }', ', model: another }')],
    ['a new adapter', '.contracts/config.yaml', `${CONFIG}  more: { type: gemini }\n`],
    ['sandbox: none', '.contracts/config.yaml', `${CONFIG}sandbox: none\n`],
    ['hooks of claude', '.claude/settings.json', '{"hooks":{"Stop":[]}}'],
    ['the local ones', '.claude/settings.local.json', '{"apiKeyHelper":"evil"}'],
    ['MCP servers', '.mcp.json', '{"mcpServers":{"x":{"command":"evil"}}}'],
    ['codex', '.codex/config.toml', 'notify = ["evil"]\n'],
    ['hooks of codex', '.codex/hooks.json', '{"hooks":{}}'],
    ['gemini', '.gemini/settings.json', '{"mcpServers":{"x":{"command":"evil"}}}'],
    ['opencode', 'opencode.json', '{"mcp":{"x":{"command":["evil"]}}}'],
    ['a plugin of opencode', '.opencode/plugin/x.js', 'evil()'],
    ['what is no JSON', '.mcp.json', '{"mcpServers":'],
  ];
  test.each(MORE)('%s', (_name, path, text) => {
    ownClone();
    expect(isAsked()).toBe(false);
    write(path, text);
    expect(isAsked()).toBe(true);
    expect(said(['trust', '--dry-run']).text).toContain('This is not allowed yet, or has changed');
    said(['trust']);
    expect(isAsked()).toBe(false);
  });

  test('all of it is shown, however long, and of a change the line that is other', () => {
    ownClone();
    const hooks = (last: string) =>
      JSON.stringify({
        hooks: { Stop: [...Array.from({ length: 400 }, (_, i) => `hook ${i}`), last] },
      });
    write('.claude/settings.json', hooks('EVIL'));
    expect(said(['trust']).text).toContain('"EVIL"');
    write('.claude/settings.json', hooks('WORSE'));
    const { text } = said(['trust', '--dry-run']);
    expect(text).toMatch(/-\s+"EVIL"\n\s+\+\s+"WORSE"/);
    expect(text.split('\n').length).toBeLessThan(8);
  });

  test('the words of both are shown', () => {
    ownClone();
    write('.contracts/config.yaml', CONFIG.replace('[prog]', '[sh, evil.sh]'));
    expect(said(['trust']).text).toContain(
      '    adapters.own.run:\n    -["prog"]\n    +["sh","evil.sh"]\n',
    );
  });

  test('an agent that may push is called only then; others go on', () => {
    ownClone();
    write('.contracts/agents/sender.md', '---\ndescription: x\ngit: [push]\n---\nSend.\n');
    write('active_tasks/ready/a/contract.md', shellContract('a', { head: 'agent: sender' }));
    write('active_tasks/ready/b/contract.md', shellContract('b'));
    const { text } = said(['run']);
    expect(text).toContain('sender may push');
    expect(existsSync(join(root, 'active_tasks/done/b'))).toBe(true);
    expect(existsSync(join(root, 'active_tasks/ready/a'))).toBe(true);
    expect(said(['trust']).text).toContain('sender may push');
    said(['run']);
    expect(existsSync(join(root, 'active_tasks/done/a'))).toBe(true);
  });

  test.each([
    ['agents', '.contracts/agents/x.md', '---\ndescription: x\n---\nDo.\n'],
    ['agents of clients', '.claude/agents/x.md', '---\nname: x\ndescription: y\n---\nDo.\n'],
    ['skills', '.contracts/skills/x/SKILL.md', '---\nname: x\ndescription: y\n---\nDo.\n'],
    ['squads', '.contracts/squads/x/SQUAD.yaml', 'name: x\n'],
    ['templates', '.contracts/templates/brief.hbs', 'Do.\n'],
    ['contracts', 'active_tasks/draft/x/contract.md', shellContract('x')],
    ['limits', '.contracts/config.yaml', `${CONFIG}parallel: 3\ntimeout: 20m\n`],
    ['a stricter sandbox', '.contracts/config.yaml', `${CONFIG}sandbox: bwrap\n`],
    ['an adapter less', '.contracts/config.yaml', 'parallel: 2\n'],
    ['answers to claude', '.claude/settings.local.json', '{"permissions":{"allow":["Bash(ls)"]}}'],
    ['looks', '.claude/settings.json', '{"model":"opus","outputStyle":"x"}'],
  ])('nothing is asked about %s', (_name, path, text) => {
    ownClone();
    write(path, text);
    expect(isAsked()).toBe(false);
  });
});

test('a week of a team asks twice: at the clone, and when on_state came', () => {
  ownClone();
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'begin');
  const mine = join(base, 'home', 'mine');
  git(base, 'clone', '-q', root, mine);
  let asked = 0;
  const day = (change: () => void): void => {
    change();
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'day', '--allow-empty');
    git(mine, 'pull', '-q');
    if (!isAsked(mine)) return;
    asked += 1;
    expect(said(['trust'], {}, mine).code).toBe(0);
    expect(isAsked(mine)).toBe(false);
  };
  day(() => undefined);
  day(() => write('.contracts/squads/new/SQUAD.yaml', 'name: new\n'));
  day(() => write('.contracts/agents/writer.md', '---\ndescription: x\n---\nWrite.\n'));
  day(() => write('active_tasks/ready/t/contract.md', shellContract('t')));
  day(() => write('.contracts/config.yaml', `${CONFIG}parallel: 4\non_state: [prog]\n`));
  day(() => write('.contracts/plans/p/plan.md', '# P\n\n## Wave 1\n\n- [ ] **One**\n'));
  day(() => write('.contracts/config.yaml', `${CONFIG}parallel: 6\non_state: [prog]\n`));
  day(() => write('.claude/settings.json', '{"permissions":{"allow":["Bash(npm test)"]}}'));
  day(() => write('.contracts/config.yaml', `${CONFIG}v: 1\n`));
  git(mine, 'checkout', '-q', '-b', 'other', 'HEAD~4');
  expect(isAsked(mine)).toBe(false);
  expect(asked).toBe(2);
});

describe('for which path it counts', () => {
  test('its linked worktrees, and no folder that only says so', () => {
    ownClone();
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'x');
    const linked = join(base, 'home', 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    expect(isAsked(linked)).toBe(false);
    const liar = join(base, 'home', 'liar');
    cpSync(linked, liar, { recursive: true });
    expect(isAsked(liar)).toBe(true);
  });

  test('not a copy, and not the folder above the home', () => {
    ownClone();
    cpSync(root, join(base, 'home', 'copy'), { recursive: true });
    expect(isAsked(join(base, 'home', 'copy'))).toBe(true);
    cpSync(join(root, '.contracts'), join(base, '.contracts'), { recursive: true });
    mkdirSync(join(base, 'home', 'sub'));
    expect(said(['list'], {}, join(base, 'home', 'sub')).text).toContain('no workspace here');
  });

  test('of what can be narrowed only the last answer counts', () => {
    const now = (settings: string): void => write('.contracts/config.yaml', `${CONFIG}${settings}`);
    ownClone();
    now('network: none\nhide: [a.txt]\n');
    expect(isAsked()).toBe(true);
    expect(said(['trust']).text).toContain('Trusted.');
    now('hide: [a.txt]\n');
    expect(said(['trust', '--dry-run']).text).toContain('network');
    now('network: none\n');
    expect(said(['trust', '--dry-run']).text).toContain('hide');
    now('network: agents\nhide: [a.txt]\n');
    expect(isAsked()).toBe(true);
    now('network: none\nhide: [a.txt]\n');
    expect(isAsked()).toBe(false);
  });

  test('a network that was closed since needs no answer, and its answer is kept', () => {
    ownClone();
    write('.contracts/config.yaml', `${CONFIG}network: none\n`);
    expect(said(['trust']).text).toContain('nothing has changed since');
    write('.contracts/config.yaml', CONFIG);
    expect(isAsked()).toBe(true);
  });

  test('the folder is lost: one question, no task', () => {
    ownClone();
    write('active_tasks/ready/a/contract.md', shellContract('a'));
    rmSync(join(base, 'home/.local'), { recursive: true });
    expect(isAsked()).toBe(true);
    said(['trust']);
    said(['run']);
    expect(existsSync(join(root, 'active_tasks/done/a'))).toBe(true);
  });
});

asRoot('a contract of another user in a folder that all may write: not called', () => {
  ownClone();
  write('active_tasks/ready/evil/contract.md', shellContract('evil'));
  chownSync(join(root, 'active_tasks/ready/evil/contract.md'), 12_345, 12_345);
  expect(said(['run']).text).toContain('this contract belongs to another user');
  expect(existsSync(join(root, 'active_tasks/ready/evil'))).toBe(true);
});

test('git and bwrap of the workspace are not taken, wherever PATH leads', () => {
  hostileClone();
  for (const name of ['git', 'bwrap']) {
    cpSync(join(root, 'tools/evil'), join(root, 'node_modules/.bin', name));
  }
  const PATH = `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`;
  for (const argv of [['doctor'], ['check', '--staged'], ['list'], ['step', '--dry-run']])
    said(argv, { PATH, CONTRACTS_SANDBOX: '' });
  expect(ran()).toBe(false);
});

asRoot.each(['.contracts', '.contracts/config.yaml', '.git', 'active_tasks'])(
  '%s of another user: refused by every verb, unless git is told or sudo asks for them',
  (name) => {
    ownClone();
    chownSync(join(root, name), 12_345, 12_345);
    for (const argv of [['list'], ['step'], ['doctor'], ['trust']]) {
      const { code, text } = said(argv, { CONTRACTS_TRUST: '1' });
      expect(text).toContain('belongs to another user (12345)');
      expect(code).toBe(2);
    }
    expect(said(['list'], { SUDO_UID: '12345' }).code).toBe(0);
    git(root, 'config', '--file', '.git/config', 'safe.directory', '*');
    expect(said(['list']).code, 'its own word does not count').toBe(2);
    git(base, 'config', '--global', 'safe.directory', root);
    expect(said(['list']).code).toBe(0);
  },
);

describe('the person’s own settings', () => {
  const mine = (text: string): void => write('.config/contracts/config.yaml', text, dirname(root));

  test('make the sandbox stricter, withhold variables, ring a bell', () => {
    ownClone();
    write(
      '.contracts/config.yaml',
      'adapters:\n  own: { type: command, run: [sh, -c, "env > env.txt; true"], env: [MY_KEY] }\n',
    );
    said(['trust']);
    mine(`withhold: [MY_KEY]\nnotify: [sh, -c, "echo rang >> ${base}/rang"]\n`);
    write('active_tasks/ready/a/contract.md', shellContract('a', { head: 'adapter: own' }));
    said(['step'], { MY_KEY: 'my-key-value' });
    const env = execFileSync('cat', [join(root, 'env.txt')], { encoding: 'utf8' });
    expect(env).not.toContain('MY_KEY');
    for (let tries = 0; !existsSync(join(base, 'rang')) && tries < 100; tries++)
      spawnSync('sleep', ['0.05']);
    expect(existsSync(join(base, 'rang'))).toBe(true);
    mine('sandbox: bwrap\n');
    write('.contracts/config.yaml', `${CONFIG}sandbox: none\n`);
    write('active_tasks/ready/b/contract.md', shellContract('b'));
    const strict = said(['step', '--trust'], {
      PATH: noBwrap(),
    });
    expect(strict.text).toContain('sandbox: bwrap needs bubblewrap');
  });

  test('loosen nothing: sandbox: none, run, trust are refused with the file', () => {
    ownClone();
    for (const text of ['sandbox: none\n', 'adapters: {}\n', 'trust: true\n', 'on_state: [x]\n']) {
      mine(text);
      const { code, text: words } = said(['list']);
      expect(words).toContain('.config/contracts/config.yaml:1:');
      expect(code).toBe(2);
    }
  });
});

/** A PATH with sh and node alone. */
function noBwrap(): string {
  const bin = join(base, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['sh', 'env', 'date', 'sync', 'mv'])
    execFileSync('sh', ['-c', `ln -sf "$(command -v ${name})" ${bin}/${name}`]);
  return bin;
}
