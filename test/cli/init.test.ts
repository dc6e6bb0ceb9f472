/**
 * init and what it proposes: nothing unasked, everything that was agreed to, never over what is
 * there, and no more claimed than is true. With a real git and the schemas of the package.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Line } from '../../src/cli/schema/all-lines.ts';
import { shellContract } from '../hostile/house.ts';
import { GIT_ENV, gitOf } from '../support/git.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { saidHere } from '../support/command-room.ts';

let root: string;
let bin: string;
beforeEach(() => {
  root = sealedFolder('init (é)');
  bin = sealedFolder('bin');
});

const path = (...parts: string[]): string => join(root, ...parts);
const read = (file: string): string => fs.readFileSync(path(file), 'utf8');
/** The pattern by which the editor finds the problems of `check`. */
function checkLine(): string {
  const file = new URL('../../templates/init/tasks.json', import.meta.url);
  const { tasks } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    tasks: { problemMatcher: { pattern: { regexp: string } } }[];
  };
  return tasks[0]?.problemMatcher.pattern.regexp ?? '';
}
const write = (file: string, text: string): void => putFile(path(file), text);

function contracts(...argv: string[]) {
  // Only what the test puts there is found.
  const env = { ...sealedEnv(), PATH: bin };
  return saidHere(['-C', root, ...argv], { env });
}

type Initialised = Extract<Line, { event: 'initialised' }>;

async function init(...argv: string[]): Promise<Initialised> {
  const { code, out } = await contracts('init', ...argv, '--json');
  expect(code).toBe(0);
  const [line] = checkedLines(out);
  return line as Initialised;
}

/** Every file with its text. */
function tree(): Record<string, string> {
  return Object.fromEntries(
    fs
      .readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git/'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, fs.readFileSync(file, 'utf8')]),
  );
}

test('without a terminal and without --with: the folders, and one line that says what else', async () => {
  const { out } = await contracts('init');
  expect(out).toContain('made active_tasks/draft/');
  expect(out).toContain(
    '\nOptional, not created: contracts init --with gitignore,gitattributes,vscode,schemas,skills,instructions\n',
  );
  expect(fs.readdirSync(root).sort()).toEqual(['.contracts', 'active_tasks']);
  expect(read('active_tasks/.gitignore')).toContain('.desk/\noutput.log\n');
  const before = tree();
  expect((await contracts('init')).out).toContain('Everything that fits here is there already');
  expect(tree()).toEqual(before);
});

test('the server of tools: in the settings of installed clients alone, beside what stands there', async () => {
  for (const client of ['claude', 'codex', 'gemini', 'opencode'])
    fs.writeFileSync(join(bin, client), '#!/bin/sh\n', { mode: 0o755 });
  const here = async () => (await contracts('init', '--with', 'mcp')).out;
  expect(await here()).toContain('claude asks once');
  expect(JSON.parse(read('.mcp.json'))).toEqual({
    mcpServers: { contracts: { command: 'contracts', args: ['mcp'] } },
  });
  const own = { theme: 'x', mcpServers: { mine: { command: 'm' }, contracts: { command: 'own' } } };
  write('.gemini/settings.json', JSON.stringify(own));
  write('.codex/config.toml', 'model = "m"');
  write('opencode.json', '{\n    "mcp": {}\n}\n');
  expect(await here()).toContain('added lines to opencode.json');
  expect(JSON.parse(read('.gemini/settings.json'))).toEqual(own);
  expect(read('.codex/config.toml')).toBe(
    'model = "m"\n\n[mcp_servers.contracts]\ncommand = "contracts"\nargs = ["mcp"]',
  );
  expect(read('opencode.json')).toMatch(/^\{\n {4}"mcp": \{\n {8}"contracts": \{/);
  const before = tree();
  expect(await here()).toContain('nothing was changed');
  expect(tree()).toEqual(before);
});

test('all of it, and a second time nothing', async () => {
  gitOf(root)('init -q');
  const first = await init('--with', 'all');
  expect(first.proposals).toEqual([]);
  expect(first.by_hand).toEqual([]);
  expect(first.made).toEqual(
    expect.arrayContaining([
      '.gitignore',
      '.gitattributes',
      '.git/hooks/pre-commit',
      '.vscode/tasks.json',
      '.vscode/contracts.code-snippets',
      '.contracts/schemas/config.schema.json',
      '.contracts/schemas/contract.schema.json',
    ]),
  );
  expect(read('.contracts/config.yaml')).toMatch(
    /^# yaml-language-server: \$schema=schemas\/config\.schema\.json$/m,
  );
  expect(read('.contracts/schemas/contract.schema.json')).toBe(
    fs.readFileSync(new URL('../../schemas/contract.schema.json', import.meta.url), 'utf8'),
  );
  const before = tree();
  expect((await init('--with', 'all')).made).toEqual([]);
  expect(tree()).toEqual(before);
  expect((await contracts('check')).code).toBe(0);
});

test('the hook of git lets a commit pass where contracts is not on the PATH, and says so', async () => {
  const git = gitOf(root);
  git('init -q');
  await init('--with', 'pre-commit');
  const how = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty'];
  const env = { ...process.env, PATH: '/usr/bin:/bin' };
  const { status, stderr } = spawnSync('git', how, { cwd: root, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'contracts is not on the PATH: the tasks of this commit are not checked.\n',
  });
});

test('only what is named; an unknown word is usage and makes nothing', async () => {
  const { made } = await init('--with', 'gitattributes');
  expect(made.filter((file) => !/^(?:active_tasks|\.contracts)\//.test(file))).toEqual([
    '.gitattributes',
  ]);
  const { code, err } = await contracts('init', path('other'), '--with', 'schemas,husky');
  expect(code).toBe(2);
  expect(err).toContain('husky is none of gitignore, gitattributes, pre-commit, vscode, schemas');
  expect(fs.existsSync(path('other'))).toBe(false);
});

/** A stand-in for a client that is installed; `code`: of its status call. */
function client(name: string, version: string, code: number): void {
  const answer = `[ "$1" = --version ] && echo ${version} && exit; exit ${code}`;
  fs.writeFileSync(join(bin, name), `#!/bin/sh\n${answer}\n`);
  fs.chmodSync(join(bin, name), 0o755);
}

test('--yes, with stand-ins for clients: one that is logged in, its settings, checks, skills', async () => {
  const git = gitOf(root);
  git('init -q');
  write('package.json', '{ "scripts": { "test": "true" } }');
  write('package-lock.json', '{}');
  write('.git/info/exclude', '.env\n');
  git('add -A');
  git('commit -qm first');
  write('.env', 'KEY=1\n');
  fs.writeFileSync(join(bin, 'git'), `#!/bin/sh\nPATH=${process.env['PATH']} exec git "$@"\n`);
  fs.chmodSync(join(bin, 'git'), 0o755);
  client('claude', '2.1.330', 0);
  client('codex', '0.169.0', 1);
  const { clients, made } = await init('--yes');
  expect(clients.map(({ name, login }) => [name, login])).toEqual([
    ['claude', 'yes'],
    ['codex', 'no'],
  ]);
  expect(read('.contracts/config.yaml')).toMatch(
    /\nadapter: claude\nchecks: \{ tests: "npm test" \} # not for a single task: it names the command, with --run\nisolation: worktree\nworktree: \{ setup: \["npm ci"\], copy: \[".env"\] \}\n$/,
  );
  const skills = ['.agents', '.claude'].map((one) => `${one}/skills/contracts/SKILL.md`);
  expect(made).toEqual(expect.arrayContaining(skills));
  expect(made).not.toContain('.git/hooks/pre-commit');
  expect((await contracts('check')).code).toBe(0);
  write('.claude/skills/contracts/SKILL.md', 'mine');
  const before = tree();
  expect((await init('--yes')).made).toEqual([]);
  expect(tree()).toEqual(before);
});

test('--yes without a client says so, and settings of a person stay as they are', async () => {
  write('.contracts/config.yaml', 'parallel: 3\n');
  const { out, code } = await contracts('init', '--yes');
  expect(code).toBe(0);
  expect(out).toContain('No agent client is installed here: a script, your own program or you can');
  expect(read('.contracts/config.yaml')).toBe('parallel: 3\n');
});

test('skills: for the clients that are there, with where the tasks are', async () => {
  client('claude', '2.1.330', 1);
  expect((await init('--with', 'skills')).made).toContain('.claude/skills/contracts/SKILL.md');
  expect(fs.existsSync(path('.agents'))).toBe(false);
  const skill = read('.claude/skills/contracts/SKILL.md');
  expect(skill).toMatch(/^---\nname: contracts\ndescription: .+\n---\n/);
  expect(skill).toContain('active_tasks/STATE/ID/contract.md');
  const verbs = [...skill.matchAll(/`contracts ([a-z]+)/g)].map(([, name]) => name);
  for (const verb of verbs) expect((await contracts(verb ?? '', '--help')).code).toBe(0);
  expect(new Set(verbs).size).toBeGreaterThan(5);
});

test('it says where: the folder, and the repository around it', async () => {
  const git = gitOf(root);
  git('init -q');
  git('commit -q --allow-empty -m first');
  const { out } = await contracts('init', path('sub'));
  const words = `Workspace: ${path('sub')}, inside the git repository ${root}. For all of it: contracts init '${root}'`;
  expect(out).toContain(words);
  expect((await contracts('init', root)).out).toContain(`Workspace: ${root}\n`);
});

test('a folder that cannot be meant is wrong usage, and nothing is made', async () => {
  write('afile', '');
  const none = path('none');
  const line = async (...argv: string[]) => {
    const { code, err } = await saidHere(argv, { env: { ...sealedEnv(), PATH: bin } });
    return { code, err };
  };
  expect(await line('init', path('afile'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('this is a file. Name a folder: contracts init FOLDER') as string,
  });
  for (const argv of [
    ['-C', none, 'init'],
    ['-C', none, 'list'],
    ['-C', none, 'do', 'x'],
  ]) {
    const { code, err } = await line(...argv);
    expect(code, argv.join(' ')).toBe(2);
    expect(err, argv.join(' ')).toContain('this folder does not exist');
  }
  const file = await line('-C', path('afile'), 'list');
  expect(file).toMatchObject({ code: 2, err: expect.stringContaining('this is a file') as string });
  expect(fs.existsSync(none)).toBe(false);
});

test('a colleague’s clone: settings are committed, tasks are not, and all verbs work', async () => {
  fs.mkdirSync(path('.contracts'));
  for (const words of [['list'], ['check'], ['doctor', '--fix']])
    expect((await contracts(...words)).code, words.join(' ')).toBe(0);
  fs.rmSync(path('active_tasks'), { recursive: true, force: true });
  write('.contracts/plans/spring/plan.md', '# Spring\n\n- [ ] Say hello\n');
  expect((await contracts('plan', 'start', 'spring')).err).not.toContain('ENOENT');
  fs.rmSync(path('active_tasks'), { recursive: true, force: true });
  expect((await contracts('new', 'x', '--id', 'x', '--adapter', 'human')).code).toBe(0);
  expect((await contracts('confirm', 'x')).code).toBe(0);
  expect(fs.existsSync(path('active_tasks/ready/x/contract.md'))).toBe(true);
});

test('after a run, git takes no desk and no log', async () => {
  const git = gitOf(root);
  git('init -q');
  await init();
  write('one.md', shellContract('one'));
  const env = sealedEnv();
  for (const words of [
    ['new', '--from', path('one.md'), '--id', 'one'],
    ['confirm', 'one'],
    ['run'],
  ])
    await saidHere(['-C', root, ...words], { env });
  const added = String(git('add -A -n'));
  expect(added).toMatch(/attempts\/0001\/outcome\.md/);
  expect(added).not.toMatch(/desk|output\.log/);
});

test('what git ignores and how it ends lines, by git itself', async () => {
  const git = gitOf(root);
  git('init -q');
  await init('--with', 'gitignore,gitattributes');
  const ignored = (file: string): boolean =>
    spawnSync('git', ['check-ignore', '-q', file], {
      cwd: root,
      env: { ...process.env, ...GIT_ENV },
    }).status === 0;
  expect(ignored('active_tasks/.desk/a.0001/result.md')).toBe(true);
  expect(ignored('active_tasks/done/a/attempts/0001/output.log')).toBe(true);
  expect(ignored('active_tasks/ready/a/.tmp-1')).toBe(true);
  expect(ignored('active_tasks/ready/a/contract.md')).toBe(false);
  expect(git('check-attr eol active_tasks/ready/a/contract.md')).toContain('eol: lf');
  expect(git('check-attr eol README.md')).toContain('eol: unspecified');
});

test('lines are added to what is there, as it ends its lines, and once', async () => {
  write('.gitignore', 'node_modules\r\n/active_tasks/.desk/\r\nlast');
  write('.gitattributes', '* text=auto');
  await init('--with', 'gitignore,gitattributes');
  const rest = ['active_tasks', '.contracts/archive'].flatMap((folder) =>
    ['output.log', '.tmp-*', 'attempts/*/desk/'].map((name) => `/${folder}/**/${name}`),
  );
  expect(read('.gitignore')).toBe(
    ['node_modules', '/active_tasks/.desk/', 'last', ...rest, '/LEDGER.md', '/.tmp-*'].join('\r\n'),
  );
  expect(read('.gitattributes')).toBe('* text=auto\n/active_tasks/**/*.md text eol=lf');
});

test('a hook that is there stays, and the line is said', async () => {
  gitOf(root)('init -q');
  write('.git/hooks/pre-commit', '#!/bin/sh\nnpm test\n');
  const { by_hand } = await init('--with', 'pre-commit');
  expect(by_hand).toEqual([{ file: '.git/hooks/pre-commit', text: 'contracts check --staged' }]);
  expect(read('.git/hooks/pre-commit')).toBe('#!/bin/sh\nnpm test\n');
  expect((await contracts('init', '--with', 'pre-commit')).out).toContain(
    '.git/hooks/pre-commit was not changed; add this yourself:\ncontracts check --staged\n',
  );
});

test('husky: the hook is where husky calls it; a folder outside is for a person to fill', async () => {
  const git = gitOf(root);
  git('init -q');
  git('config core.hooksPath .husky/_');
  expect((await init('--with', 'pre-commit')).made).toContain('.husky/pre-commit');
  expect(fs.existsSync(path('.git/hooks/pre-commit'))).toBe(false);
  git('config core.hooksPath /elsewhere');
  const { by_hand } = await init('--with', 'pre-commit');
  expect(by_hand).toEqual([{ file: '/elsewhere/pre-commit', text: 'contracts check --staged' }]);
});

test('without a repository nothing is said about the hook of git; in a folder of one it is', async () => {
  const all = await contracts('init', '--with', 'all');
  expect(all.code).toBe(0);
  expect(all.out).not.toContain('pre-commit');
  expect((await contracts('init', '--with', 'pre-commit')).out).not.toMatch(/hook|--staged/);
  fs.mkdirSync(join(root, 'sub'));
  gitOf(root)('init -q');
  const below = await contracts('init', join(root, 'sub'), '--with', 'pre-commit');
  expect(below.out).toContain('add this yourself:\ncontracts check --staged\n');
});

test('the hook that it makes stops a commit', async () => {
  const git = gitOf(root);
  git('init -q');
  await init('--with', 'pre-commit');
  fs.writeFileSync(join(bin, 'contracts'), '#!/bin/sh\necho "asked: $*" >&2\nexit 1\n');
  fs.chmodSync(join(bin, 'contracts'), 0o755);
  git('add -A');
  const ran = spawnSync('git', ['commit', '-m', 'x'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...GIT_ENV, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('asked: check --staged');
});

test('tasks of the editor are merged into their JSON, comments and all, and never into anything else', async () => {
  write(
    '.vscode/tasks.json',
    '{\n    "version": "2.0.0",\n    "tasks": [{ "label": "mine" }]\n}\n',
  );
  await init('--with', 'vscode');
  const merged = JSON.parse(read('.vscode/tasks.json')) as { tasks: { label: string }[] };
  expect(merged.tasks.map(({ label }) => label)).toEqual([
    'mine',
    'contracts: check',
    'contracts: check --watch',
    'contracts: run',
  ]);
  expect(read('.vscode/tasks.json')).toMatch(/^ {4}"tasks"/m);
  write('.vscode/tasks.json', '{ // mine\n  "tasks": []\n}\n');
  await init('--with', 'vscode');
  expect(read('.vscode/tasks.json')).toMatch(
    /^\{ \/\/ mine\n {2}"tasks": \[\n {4}\{\n {6}"label": "contracts: check"/,
  );
  for (const odd of ['{ // mine\n "tasks": ', '[]', '{"tasks": {}}', 'null']) {
    write('.vscode/tasks.json', odd);
    const { by_hand, made } = await init('--with', 'vscode');
    expect(by_hand.map(({ file }) => file)).toEqual(['.vscode/tasks.json']);
    expect(JSON.parse(by_hand[0]?.text ?? '')).toHaveLength(3);
    expect(made).toEqual([]);
    expect(read('.vscode/tasks.json')).toBe(odd);
  }
});

test('the problem matcher reads every line that check says', async () => {
  await init();
  write(
    'active_tasks/ready/a/contract.md',
    shellContract('a', { head: 'priority: urgent\ndepends_on: [nobody]' }),
  );
  write('active_tasks/ready/words.txt', '');
  const { out } = await contracts('check');
  const lines = out.trimEnd().split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    const [, file, row, column, severity, message] = new RegExp(checkLine()).exec(line) ?? [];
    expect(fs.existsSync(path(file ?? '')), line).toBe(true);
    expect([Number(row) > 0, Number(column) > 0]).toEqual([true, true]);
    expect(['error', 'warning']).toContain(severity);
    expect(message).not.toBe('');
  }
});

test('clients on PATH are found by a look alone, and no more is claimed than is true', async () => {
  expect((await init()).clients).toEqual([]);
  for (const name of ['claude', 'gemini', 'codex']) {
    fs.writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${path('it-was-run')}\n`);
    fs.chmodSync(join(bin, name), name === 'codex' ? 0o644 : 0o755);
  }
  const { clients } = await init();
  expect(clients.map(({ name, adapter }) => [name, adapter])).toEqual([
    ['claude', 'claude'],
    ['gemini', 'gemini'],
  ]);
  const { out } = await contracts('init');
  for (const { name, callable } of clients) {
    // The word is true: a contract that names it is accepted exactly if it is said to be callable.
    write('active_tasks/ready/a/contract.md', shellContract('a', { head: `adapter: ${name}` }));
    expect((await contracts('check')).code, name).toBe(callable ? 0 : 1);
    expect(out).toMatch(new RegExp(`^found on PATH: .*${name}`, 'm'));
  }
  expect(fs.existsSync(path('it-was-run'))).toBe(false);
});

test('active_tasks elsewhere: the lines name that folder', async () => {
  write('.contracts/config.yaml', 'active_tasks: plans/tasks\n');
  const said = await init('--with', 'gitignore,schemas');
  expect(said.added_to).toEqual(['.contracts/config.yaml']);
  expect(said.made).toContain('.gitignore');
  expect(said.made).not.toContain('.contracts/config.yaml');
  write('.gitattributes', '* text\n');
  const { out } = await contracts('init', '--with', 'gitattributes');
  expect(out).toMatch(/^added lines to \.gitattributes$/m);
  expect(out).not.toMatch(/^made /m);
  expect(read('.gitignore')).toContain('/plans/tasks/.desk/\n');
  expect(read('.contracts/config.yaml')).toMatch(/^active_tasks: plans\/tasks\n# yaml-language/);
});

test('a file where a folder is needed is wrong usage, and nothing is made', async () => {
  write('afile', '');
  for (const folder of ['afile', 'afile/below']) {
    const { code, err } = await contracts('init', path(folder));
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('Name a folder: contracts init FOLDER'),
    ]);
  }
  write('active_tasks', 'x');
  const { code, err } = await contracts('init');
  expect(code).toBe(2);
  expect(err).toContain('active_tasks: error: this is a link or a file');
  expect(fs.readdirSync(root).sort()).toEqual(['active_tasks', 'afile']);
});

test('doctor --fix makes the folders of tasks that are missing, wherever they are configured', async () => {
  for (const place of ['active_tasks', '.opencode/context/active_tasks']) {
    write('.contracts/config.yaml', `active_tasks: ${place}\n`);
    const { code, out } = await contracts('doctor', '--fix');
    expect(code, out).toBe(0);
    expect(fs.existsSync(path(place, 'ready'))).toBe(true);
  }
});

test('git takes neither desks nor logs, of tasks and of the archive, with init alone', async () => {
  const git = gitOf(root);
  git('init -q');
  await contracts('init');
  for (const task of ['active_tasks/done/a', '.contracts/archive/b']) {
    write(`${task}/contract.md`, 'x');
    for (const file of ['output.log', 'outcome.md', 'desk/brief.md', 'desk/notes/x'])
      write(`${task}/attempts/0001/${file}`, '/an/absolute/path');
  }
  write('active_tasks/.desk/a.0002/brief.md', 'x');
  const added = git('add -A -n').split('\n');
  expect(added.filter((line) => /desk|output\.log/.test(line))).toEqual([]);
  expect(added.filter((line) => line.includes('0001'))).toHaveLength(2);
});

test('a client that is installed is named by init, new and plan start; MOCK client', async () => {
  fs.writeFileSync(join(bin, 'claude'), '#!/bin/sh\n');
  fs.chmodSync(join(bin, 'claude'), 0o755);
  const { out } = await contracts('init');
  expect(out).toContain('Next: contracts new "What you want" --adapter claude, or --sh');
  const made = await contracts('new', 'Fix the page');
  expect(made.err + made.out).toContain(
    'claude is installed: --adapter claude, or adapter: claude in .contracts/config.yaml.',
  );
  for (const adapter of ['codex', 'nowhere']) {
    const refused = await contracts('new', 'Fix the page', '--adapter', adapter);
    expect(refused.err + refused.out).toContain('. claude is installed: --adapter claude, or ');
  }
  write('.contracts/plans/trip/plan.md', '# Trip\n\n- [ ] Pack\n  - executor: builder\n');
  const plan = await contracts('plan', 'start', 'trip');
  expect(plan.code).toBe(2);
  expect(plan.err).toContain('claude is installed: adapter: claude in .contracts/config.yaml.');
});

test('tasks without settings: it does not say that settings start programs', async () => {
  write('active_tasks/ready/one/contract.md', shellContract('one'));
  const { out } = await contracts('init');
  expect(out).toContain('Existing contracts can start programs; review and trust them');
  expect(out).not.toContain('Existing settings');
});

test('settings that name a program: it says so', async () => {
  write('.contracts/config.yaml', 'adapters: { mine: { type: command, run: [./agent.sh] } }\n');
  write('active_tasks/ready/one/contract.md', shellContract('one'));
  const { out } = await contracts('init');
  expect(out).toContain('Existing settings start programs; review and trust them');
});

test('settings for scripts, and a client that is logged in since then: init says the line', async () => {
  client('claude', '2.1.330', 0);
  write('.contracts/config.yaml', 'adapter: shell\n');
  const line = 'For all tasks: adapter: claude in .contracts/config.yaml';
  expect((await contracts('init', '--yes')).out.replaceAll(/\s+/g, ' ')).toContain(line);
  write('.contracts/config.yaml', 'adapter: human\n');
  expect((await contracts('init', '--yes')).out).not.toContain('For all tasks');
});
