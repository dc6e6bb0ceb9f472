/**
 * The plugin that init adds by the commands of clients: what is run, what stays when it fails, and whose it is. The
 * clients are stand-ins that write what the real ones write; those are in test/clients/plugin.test.ts.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/core/records.ts';
import { saidHere } from '../support/command-room.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

const LOCAL = '.claude/settings.local.json';
const OWN = '{\n\t"env": { "COLOUR": "blue" } // mine\n}';

/** Writes settings whole, as Claude Code does, and Codex its own table; FAILS names a word at which it fails. */
const STAND_IN = `#!${process.execPath}
const fs = require('node:fs'), { basename, dirname, join } = require('node:path');
const line = process.argv.slice(2).join(' '), name = basename(process.argv[1]);
fs.appendFileSync(process.env.CALLS, name + ' ' + line + '\\n');
if (process.env.FAILS && line.includes(process.env.FAILS)) {
  console.error('no such\\ncommand here\\n');
  process.exit(4);
}
const isOn = /\\b(?:add|install)\\b/.test(line);
const file = name === 'claude' ? '${LOCAL}' : join(process.env.HOME, '.codex/config.toml');
const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
fs.mkdirSync(dirname(file), { recursive: true });
if (name === 'claude') {
  const all = text === '' ? {} : JSON.parse(text.replace(/ \\/\\/.*/, ''));
  const isMarket = line.includes('marketplace');
  const top = isMarket ? 'extraKnownMarketplaces' : 'enabledPlugins';
  all[top] ??= {};
  if (!isOn && Object.keys(all[top]).length === 0) process.exit(1);
  if (isOn) all[top][isMarket ? 'contracts' : 'contracts@contracts'] = isMarket ? { source: {} } : true;
  else all[top] = {};
  fs.writeFileSync(file, JSON.stringify(all, null, 2));
  // Of all projects, in the home.
  const list = join(process.env.HOME, '.claude/plugins/installed_plugins.json');
  const known = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')).plugins['contracts@contracts'] : [];
  const others = known.filter(({ projectPath }) => projectPath !== process.cwd());
  fs.mkdirSync(dirname(list), { recursive: true });
  const now = isMarket ? known : isOn ? [...others, { projectPath: process.cwd() }] : others;
  fs.writeFileSync(list, JSON.stringify({ plugins: { 'contracts@contracts': now } }));
} else if (isOn) fs.writeFileSync(file, text + '[plugins."contracts@contracts"]\\n');
else fs.writeFileSync(file, text.replaceAll('[plugins."contracts@contracts"]\\n', ''));
`;

let root: string;
let home: string;
let bin: string;
let fails: string;
beforeEach(() => {
  [root, home, bin] = [sealedFolder('a shop'), sealedFolder('home'), sealedFolder('bin')];
  fails = '';
  for (const name of ['claude', 'codex', 'opencode', 'contracts'])
    fs.writeFileSync(join(bin, name), STAND_IN, { mode: 0o755 });
});

async function contracts(...argv: string[]) {
  const env = { ...sealedEnv(), PATH: bin, HOME: home, CALLS: join(bin, 'calls'), FAILS: fails };
  return saidHere(['-C', root, ...argv], { env });
}

const read = (file: string): string => fs.readFileSync(join(root, file), 'utf8');
const isThere = (file: string): boolean => fs.existsSync(join(root, file));

/** Command lines that the stand-ins were given since the last look. */
function calls(): readonly string[] {
  const file = join(bin, 'calls');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.rmSync(file, { force: true });
  return text.split('\n').filter((line) => line !== '');
}

const CLAUDE = ['marketplace add', 'install'].map((words) => `claude plugin ${words}`);
const starts = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/ (?:\/|con|--).*/, ''));

const DOCS = fs.readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

test('the document has the lines and the approval of each client', () => {
  const plain = DOCS.replaceAll('`', '');
  for (const { plugin } of Object.values(CLIENTS)) {
    for (const line of plugin?.add ?? [])
      expect(plain).toContain(line.replace('PACKAGE', 'FOLDER'));
    if (plugin !== undefined) expect(plain).toContain(`| it ${plugin.approval} |`);
  }
});

test('the status line of the document: how many tasks wait, and nothing where none does', async () => {
  const [, text = ''] = /<!-- settings of the status line -->\n```json\n(.*)\n```/.exec(DOCS) ?? [];
  const settings = JSON.parse(text) as { statusLine: { command: string } };
  const [program, ...argv] = settings.statusLine.command.split(' ');
  expect(program).toBe('contracts');
  const shown = async () => {
    const { code, out } = await contracts(...argv);
    expect(code).toBe(0);
    return out;
  };
  expect(await shown()).toBe('');
  await contracts('init');
  expect(await shown()).toBe('');
  await contracts('new', 'Write the greeting');
  expect(await shown()).toBe('1 task waits for you\n');
  await contracts('new', 'Write the farewell');
  expect(await shown()).toBe('2 tasks wait for you\n');
});

test('it is offered where a client could have it, and only a name adds it', async () => {
  expect((await contracts('init')).out).toContain('skills,mcp,plugin,instructions');
  await contracts('init', '--with', 'all');
  await contracts('init', '--yes');
  expect(calls().filter((line) => line.includes('plugin'))).toEqual([]);
  for (const name of ['contracts', 'opencode']) fs.rmSync(join(bin, name));
  const { out } = await contracts('init', '--with', 'plugin');
  expect(out).toContain('No plugin to add: it needs contracts on the PATH');
  expect(calls()).toEqual([]);
});

test('OpenCode loads it from the project: one file, its entry, the skill and the commands', async () => {
  for (const name of ['claude', 'codex']) fs.rmSync(join(bin, name));
  putFile(join(root, 'opencode.json'), '{ // mine\n}');
  const { out } = await contracts('init', '--with', 'plugin');
  expect(out).not.toContain('No plugin to add');
  expect(read('opencode.json')).toContain('"./.contracts/opencode-plugin.js"');
  expect(read('.opencode/commands/contracts/new.md')).toContain('$ARGUMENTS');
  expect(isThere('.agents/skills/contracts/SKILL.md')).toBe(true);
  expect((await contracts('init', '--with', 'plugin', '--hooks', '--json')).out).toContain('"made":[],"added_to":[]'); // prettier-ignore
  await contracts('init', '--remove', '--yes');
  expect(fs.readdirSync(root)).toEqual(['opencode.json']);
  expect(read('opencode.json')).toBe('{ // mine\n}');
});

test('a client with it needs no other entry; one that has no such command gets them', async () => {
  putFile(join(root, LOCAL), OWN);
  const { out } = await contracts('init', '--with', 'plugin,mcp,skills', '--hooks');
  expect(starts(calls())).toEqual([...CLAUDE, 'codex plugin marketplace add', 'codex plugin add']);
  expect(out).toContain('runs claude plugin install contracts@contracts --scope local\n');
  expect(out).toContain('Before its tools are used, claude asks before each tool.\n');
  expect(out).toContain('[plugins."contracts@contracts".mcp_servers.contracts]');
  for (const file of ['.mcp.json', '.codex/config.toml', '.claude/settings.json', '.claude/skills'])
    expect(isThere(file), file).toBe(false);
  expect(read('opencode.json')).toContain('"mcp"');
  // The form of the person, in place of what the client wrote whole.
  expect(read(LOCAL)).toContain('// mine');
  expect(read(LOCAL)).toContain('{\n\t"env": { "COLOUR": "blue" },\n\t"extraKnown');
  expect((await contracts('doctor')).out).toContain('the plugin of claude, the plugin of codex');

  await contracts('init', '--with', 'plugin');
  expect(calls()).toEqual([]);
  const removed = await contracts('init', '--remove', '--yes');
  expect(removed.out).toContain('runs codex plugin remove contracts@contracts\n');
  expect(starts(calls())).toHaveLength(4);
  expect(read(LOCAL)).toBe(OWN);
  expect(fs.readdirSync(root, { recursive: true }).toSorted()).toEqual(['.claude', LOCAL]);
});

test('another project keeps the plugin and its marketplace; values keep the form of the person', async () => {
  fs.rmSync(join(bin, 'codex'));
  const own = '{"enabledPlugins": {"a@b": true}, "z": {"y": {}}}';
  putFile(join(root, LOCAL), own);
  await contracts('init', '--with', 'plugin');
  const list = join(home, '.claude/plugins/installed_plugins.json');
  const held = JSON.parse(fs.readFileSync(list, 'utf8')) as { plugins: Record<string, object[]> };
  held.plugins['contracts@contracts']?.push({ projectPath: '/another' });
  fs.writeFileSync(list, JSON.stringify(held));
  calls();
  const { out } = await contracts('init', '--remove', '--yes');
  expect(starts(calls())).toEqual(['claude plugin uninstall']);
  expect(out).not.toContain('marketplace remove');
  expect(read(LOCAL)).not.toContain('contracts');
});

test('where the plugin is gone by another way, its entries go without a command', async () => {
  fs.rmSync(join(bin, 'codex'));
  await contracts('init', '--with', 'plugin');
  fs.rmSync(join(home, '.claude/plugins'), { recursive: true });
  calls();
  const { out } = await contracts('init', '--remove', '--yes');
  expect(calls()).toEqual([]);
  expect(out).not.toContain('by hand');
  expect(fs.readdirSync(root)).toEqual([]);
});

test('a quoted name of another marketplace is one, and is left alone', async () => {
  const codex = join(home, '.codex/config.toml');
  putFile(codex, '[marketplaces."contracts"]\nsource = "/a/folder"\n');
  await contracts('init', '--with', 'plugin');
  expect(calls().filter((line) => line.startsWith('codex'))).toEqual([]);
  expect(fs.readFileSync(codex, 'utf8')).toContain('/a/folder');
});

test('what init had added before the plugin goes with --remove', async () => {
  await contracts('init', '--with', 'mcp,skills', '--hooks');
  await contracts('init', '--with', 'plugin');
  await contracts('init', '--remove', '--yes');
  expect(fs.readdirSync(root)).toEqual([]);
});

test('what a person, or another workspace, had added before stays', async () => {
  const codex = join(home, '.codex/config.toml');
  putFile(codex, '[plugins."contracts@contracts"]\n');
  putFile(join(home, '.claude/settings.json'), '{"enabledPlugins":{"contracts@contracts":true}}');
  await contracts('init', '--with', 'plugin');
  // As a copy of another workspace has it.
  putFile(join(root, '.contracts/cache/plugins'), 'codex /elsewhere\nclaude /elsewhere\n');
  await contracts('init', '--remove', '--yes');
  expect(calls()).toEqual([]);
  expect(fs.readFileSync(codex, 'utf8')).toBe('[plugins."contracts@contracts"]\n');
});

test('a marketplace of its name is in the way, and the other entries remain', async () => {
  const codex = join(home, '.codex/config.toml');
  putFile(codex, '[marketplaces.contracts]\nsource = "/a/folder"\n');
  putFile(join(home, '.claude/plugins/known_marketplaces.json'), '{"contracts":{"of":"a friend"}}');
  await contracts('init', '--with', 'plugin,mcp');
  expect(calls()).toEqual([]);
  expect(isThere('.mcp.json') && isThere('.codex/config.toml')).toBe(true);
  // Of the same folder, which another project uses too.
  const ours = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
  putFile(
    join(home, '.claude/plugins/known_marketplaces.json'),
    JSON.stringify({ contracts: { path: ours } }),
  );
  await contracts('init', '--with', 'plugin');
  expect(starts(calls())).toEqual(CLAUDE);
});

test('a command that fails is undone and named, with what to type', async () => {
  putFile(join(root, LOCAL), OWN);
  fails = 'plugin install';
  const { out } = await contracts('init', '--with', 'plugin,mcp');
  const why = 'The plugin of claude was not changed: claude ended with 4: command here';
  expect(out).toContain(`${why}; add this yourself:\ncd '${root}'\nclaude plugin marketplace add `);
  expect(read(LOCAL)).toBe(OWN);
  expect(isThere('.mcp.json')).toBe(true);
  expect(read('.contracts/cache/plugins')).toBe(`codex ${root}\n`);

  fails = 'plugin remove';
  const removed = (await contracts('init', '--remove', '--yes')).out;
  expect(removed).toContain(
    'The plugin of codex stays: codex ended with 4: command here. To be removed by hand:\ncodex plugin remove contracts@contracts\ncodex plugin marketplace remove contracts\n',
  );
});
