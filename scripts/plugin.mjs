// Writes plugin/ and .claude-plugin/: the package for Claude Code and Codex, and plugin/gemini/ for Gemini
// CLI. Each text is in templates/ once. `--check [FOLDER]` only says which files there are not these.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'contracts';
const FOLDERS = ['plugin', '.claude-plugin'];

/** Each costs every session its description, so only those that `delegate` and a review need; each can hand in. */
const ROLES = {
  builder: 'Read, Grep, Glob, Write, Edit, Bash',
  janitor: 'Read, Grep, Glob, Write, Bash',
};

const textOf = (file) => readFileSync(join(root, 'templates', file), 'utf8');
const jsonOf = (file) => JSON.parse(textOf(file));
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The fields at the head of a Markdown file, and what follows them. */
function partsOf(text) {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/.exec(text) ?? [];
  return { head, body, description: /^description: (.*)$/m.exec(head)?.[1] ?? '' };
}

function commandsIn(folder) {
  return readdirSync(join(root, 'templates', folder)).map((name) => {
    return { name: basename(name, '.md'), ...partsOf(textOf(`${folder}/${name}`)) };
  });
}

/** All files by path, relative to the project. */
function pluginFiles() {
  const { version, description, license } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const server = { contracts: { command: 'contracts', args: ['mcp'] } };
  const skill = textOf('init/skill.md').replaceAll('TASKS', 'active_tasks');
  const commands = commandsIn('plugin/commands');
  const manifest = { name: NAME, version, description, license };
  return new Map([
    [
      '.claude-plugin/marketplace.json',
      json({
        name: NAME,
        owner: { name: 'agent-contracts' },
        metadata: { description, version },
        plugins: [{ name: NAME, source: './plugin', description }],
      }),
    ],
    [
      'plugin/.claude-plugin/plugin.json',
      json({ ...manifest, author: { name: 'agent-contracts' } }),
    ],
    ['plugin/.codex-plugin/plugin.json', json({ ...manifest, hooks: './hooks/codex.json' })],
    ['plugin/README.md', textOf('plugin/README.md')],
    ['plugin/.mcp.json', json({ mcpServers: server })],
    ['plugin/skills/contracts/SKILL.md', skill],
    ['plugin/hooks/hooks.json', json(jsonOf('init/claude-settings.json'))],
    ['plugin/hooks/codex.json', json(jsonOf('init/codex-hooks.json'))],
    ...commands.map(({ name, head, body }) => [
      `plugin/commands/${name}.md`,
      `---\n${head}\ndisable-model-invocation: true\n---\n\n${body}`,
    ]),
    ...Object.entries(ROLES).map(([name, tools]) => {
      const { description: words, body } = partsOf(textOf(`agents/${name}.md`));
      const head = `name: ${name}\ndescription: ${words}\ntools: ${tools}`;
      return [`plugin/agents/${name}.md`, `---\n${head}\n---\n\n${body}`];
    }),
    ['plugin/gemini/gemini-extension.json', json({ ...manifest, mcpServers: server })],
    ['plugin/gemini/skills/contracts/SKILL.md', skill],
    ['plugin/gemini/hooks/hooks.json', json(jsonOf('init/gemini-settings.json'))],
    ...commands.map(({ name, body, description: words }) => [
      `plugin/gemini/commands/contracts/${name}.toml`,
      `description = ${JSON.stringify(words)}\nprompt = '''\n${body.replaceAll('$ARGUMENTS', '{{args}}')}'''\n`,
    ]),
  ]);
}

/** Paths of files that are there now. */
function foundIn(top) {
  return FOLDERS.filter((folder) => existsSync(join(top, folder))).flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(top, join(entry.parentPath, entry.name))),
  );
}

const wanted = pluginFiles();
const [flag, top = root] = process.argv.slice(2);
if (flag === '--check') {
  const found = foundIn(top);
  const isSame = ([file, text]) =>
    found.includes(file) && readFileSync(join(top, file), 'utf8') === text;
  const stale = [...wanted].filter((entry) => !isSame(entry)).map(([file]) => file);
  const left = found.filter((file) => !wanted.has(file));
  for (const file of [...stale, ...left])
    console.error(`${file} is not what templates/ makes: npm run plugin`);
  process.exitCode = stale.length + left.length === 0 ? 0 : 1;
} else {
  for (const folder of FOLDERS) rmSync(join(root, folder), { recursive: true, force: true });
  for (const [file, text] of wanted) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}
