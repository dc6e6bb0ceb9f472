/** init --remove: what init added goes, to the byte; what a person or a run put there stays, and is named. */
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Line } from '../../src/cli/schema/all-lines.ts';
import { saidHere } from '../support/command-room.ts';
import { gitOf } from '../support/git.ts';
import { checkedLines } from '../support/json-lines.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
let bin = '';
beforeEach(() => {
  root = sealedFolder('init-remove');
  bin = sealedFolder('bin');
  for (const name of ['claude', 'codex', 'gemini', 'opencode'])
    fs.writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
});

const write = (file: string, text: string): void => putFile(join(root, file), text);
const read = (file: string): string => fs.readFileSync(join(root, file), 'utf8');

async function contracts(...argv: string[]) {
  const env = { ...sealedEnv(), PATH: bin };
  const said = await saidHere(['-C', root, ...argv], { env });
  expect(said).toMatchObject({ code: 0 });
  return said.out;
}

type TakenBack = Extract<Line, { event: 'taken_back' }>;
async function remove(...argv: string[]): Promise<TakenBack> {
  const out = await contracts('init', '--remove', ...argv, '--json');
  const [line] = checkedLines(out);
  return line as TakenBack;
}

/** Every file with its text, and every folder. */
function tree(): Record<string, string> {
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const shown = entries.filter((one) => !`${one.parentPath}/${one.name}`.includes('/.git/objects'));
  return Object.fromEntries(
    shown.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path.slice(root.length), one.isFile() ? fs.readFileSync(path, 'utf8') : 'folder'];
    }),
  );
}

const ALL = ['--with', 'all', '--hooks'];

test('in an empty repository nothing of it is left', async () => {
  gitOf(root)('init -q');
  const before = tree();
  await contracts('init', ...ALL);
  expect(Object.keys(tree()).length).toBeGreaterThan(Object.keys(before).length + 30);
  const done = await remove();
  expect(done.by_hand).toEqual([]);
  expect(done.removed).toEqual(expect.arrayContaining(['.mcp.json', '.claude/', '.contracts/']));
  expect(tree()).toEqual(before);
  expect(await remove()).toMatchObject({ removed: [], taken_from: [], by_hand: [] });
});

const STANDS = {
  '.mcp.json': '{\n  // ours\n  "mcpServers": {\n    "db": {"command": "db"},\n  },\n}\n',
  '.claude/settings.json':
    '{\n\t"model": "x",\n\t"hooks": {\n\t\t"PreToolUse": [ { "matcher": "Bash", "hooks": [] } ],\n\t\t"Stop": []\n\t}\n}\n',
  '.codex/config.toml': 'model = "x"\n\n[mcp_servers.db]\ncommand = "db"\n',
  '.gemini/settings.json': '{"theme":"dark","mcpServers":{"db":{"command":"db"}}}',
  'opencode.json': '{\r\n  "plugin": ["mine"],\r\n  "mcp": { "db": { "type": "local" } }\r\n}\r\n',
  '.vscode/tasks.json':
    '{\n    // See https://go.microsoft.com/fwlink/?LinkId=733558\n    "version": "2.0.0",\n    "tasks": [{ "label": "mine" }]\n}\n',
  'AGENTS.md': '# How we work\n\nTest first.\n',
  'CLAUDE.md': '# Claude\r\n\r\nTest first.\r\n',
  '.gitignore': 'node_modules/\n/.tmp-*\n\ndist/\n',
  '.gitattributes': '*.png binary\n',
  '.claude/skills/mine/SKILL.md': 'mine\n',
} as const;

test('what stood there has its own bytes again, with comments, tabs, CRLF and commas', async () => {
  gitOf(root)('init -q');
  for (const [file, text] of Object.entries(STANDS)) write(file, text);
  const before = tree();
  const made = await contracts('init', ...ALL);
  expect(made).not.toContain('was not changed');
  for (const [file, text] of Object.entries(STANDS))
    if (!file.includes('skills')) expect(read(file), file).not.toBe(text);
  const { taken_from, by_hand } = await remove();
  expect(by_hand).toEqual([]);
  expect(taken_from).toContain('.gemini/settings.json');
  expect(tree()).toEqual(before);
});

test('what was changed since is named and stays, with what to do; the rest goes', async () => {
  await contracts('init', ...ALL);
  write('.mcp.json', read('.mcp.json').replace('"mcp"', '"mcp", "--tools", "all"'));
  write('.claude/skills/contracts/SKILL.md', 'of our own\n');
  write('.codex/config.toml', `${read('.codex/config.toml')}startup_timeout_sec = 9\n`);
  const settings = read('.claude/settings.json').replace('"timeout": 20', '"timeout": 99');
  write('.claude/settings.json', settings);
  const { removed, by_hand } = await remove();
  const left = by_hand.map(({ file }) => file).toSorted();
  const kept = ['.claude/settings.json', '.claude/skills/contracts/SKILL.md', '.codex/config.toml', '.mcp.json']; // prettier-ignore
  expect(left).toEqual(kept);
  for (const file of kept) expect(fs.existsSync(join(root, file)), file).toBe(true);
  expect(removed).toContain('.gemini/settings.json');
  expect(await contracts('init', '--remove')).toContain(
    '.mcp.json stays: it was changed since, or is of another version. To be removed by hand:\nmcpServers.contracts: {"command":"contracts","args":["mcp"]}',
  );
});

test('a last line without its end has none again', async () => {
  const files = ['.gitignore', '.gitattributes', 'AGENTS.md', 'CLAUDE.md', '.codex/config.toml'];
  for (const file of files) write(file, file === 'CLAUDE.md' ? '# One\r\n\r\nmine' : '# mine');
  const before = tree();
  await contracts('init', ...ALL);
  for (const file of files) expect(read(file), file).toMatch(/mine\r?\n/);
  expect((await remove()).by_hand).toEqual([]);
  expect(tree()).toEqual(before);
});

const [BEGIN, END] = ['<!-- contracts:begin -->', '<!-- contracts:end -->'];
test.each([
  ['a second beginning above it', (text: string) => `# Mine\n\n${BEGIN}\n\nmy words\n\n${text}`],
  ['words of their own in it', (text: string) => text.replace(END, `my words\n${END}`)],
])('a block of instructions with %s stays whole', async (_, change) => {
  await contracts('init', '--with', 'instructions');
  const changed = change(read('AGENTS.md'));
  write('AGENTS.md', changed);
  const { by_hand } = await remove();
  expect(by_hand.map(({ file }) => file)).toEqual(['AGENTS.md']);
  expect(read('AGENTS.md')).toBe(changed);
});

test('hooks of git outside of the workspace are others’: nothing is made or removed there', async () => {
  const git = gitOf(root);
  git('init -q');
  const outside = sealedFolder('hooks');
  git(`config core.hooksPath ../${basename(outside)}`);
  expect(await contracts('init', '--with', 'pre-commit')).toContain('add this yourself');
  fs.writeFileSync(join(outside, 'pre-commit'), '');
  await contracts('init', '--with', 'pre-commit');
  expect(fs.readFileSync(join(outside, 'pre-commit'), 'utf8')).toBe('');
  const ours = fs.readFileSync('templates/init/pre-commit');
  fs.writeFileSync(join(outside, 'pre-commit'), ours);
  await remove();
  expect(fs.readFileSync(join(outside, 'pre-commit'))).toEqual(ours);
});

test('only what is named, and the workspace stays', async () => {
  await contracts('init', ...ALL);
  const { removed } = await remove('--with', 'mcp');
  expect(removed).toContain('.mcp.json');
  expect(read('.gemini/settings.json')).toContain('hook pre-tool-use');
  expect(read('.gemini/settings.json')).not.toContain('mcpServers');
  await remove('--hooks');
  expect(fs.existsSync(join(root, '.gemini'))).toBe(false);
  expect(fs.existsSync(join(root, '.contracts/opencode-plugin.js'))).toBe(false);
  expect(fs.existsSync(join(root, '.claude/skills/contracts/SKILL.md'))).toBe(true);
  expect(fs.existsSync(join(root, 'active_tasks/ready'))).toBe(true);
});

test.each([
  ['a task', 'active_tasks/done/hello/contract.md', '# Hello\n'],
  ['an archived task', '.contracts/archive/2026/x/contract.md', '# Hello\n'],
  ['a setting', '.contracts/config.yaml', 'parallel: 3\n'],
  ['a key', '.contracts/keys/me-1.pub', 'ssh-ed25519 AAAA\n'],
  ['an agent', '.contracts/agents/mine.md', 'Mine\n'],
  ['what somebody dropped there', 'active_tasks/ready/notes.txt', 'note\n'],
  ['a file that init makes, with something in it', 'active_tasks/ready/.gitkeep', 'note\n'],
])('%s keeps all folders of the workspace, and it is said', async (_, file, text) => {
  await contracts('init');
  write(file, text);
  const before = tree();
  const out = await contracts('init', '--remove');
  expect(out).toContain('kept .contracts/: it holds tasks, settings or keys of yours');
  expect(tree()).toEqual(before);
});

test('settings that init proposed are its own; a link is not followed', async () => {
  gitOf(root)('init -q');
  write('package.json', '{ "scripts": { "test": "true" } }\n');
  const outside = sealedFolder('outside');
  fs.writeFileSync(join(outside, 'settings.json'), '{ "mcpServers": { "contracts": {} } }');
  fs.symlinkSync(outside, join(root, '.gemini'));
  const before = tree();
  await contracts('init', '--yes');
  expect(read('.contracts/config.yaml')).toContain('checks: { tests: ');
  await remove();
  expect(tree()).toEqual(before);
});
