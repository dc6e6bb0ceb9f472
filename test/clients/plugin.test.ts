/**
 * Our package as a plugin of each real client that installs one, from a folder and without a network: init adds it by
 * the commands of the client, its command, server, skill and hooks work, and init takes it back.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryUser } from '../support/as-user.ts';
import { clientFolder, clientsMissing } from '../support/clients.ts';
import { hostRoom } from '../support/host-room.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { isInShare, share } from '../support/share.ts';
import { putFile, sealedEnv } from '../support/sealed-folder.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

const CLIENTS = ['claude', 'codex', 'gemini'] as const;
type Client = (typeof CLIENTS)[number];

interface Way {
  /** Commands of the client that look at our folders. */
  readonly validates: readonly string[];
  readonly lists: string;
  /** A prompt that calls a command of ours with these words; Codex has no such commands. */
  readonly command: (words: string) => string;
  readonly argv: (model: string, prompt: string) => readonly string[];
}

const WAYS: Readonly<Record<Client, Way>> = {
  claude: {
    validates: ['plugin validate .', 'plugin validate plugin'],
    lists: 'plugin list',
    command: (words) => `/contracts:new ${words}`,
    argv: (model, prompt) =>
      ['-p', prompt, '--model', model].concat([
        '--allowedTools',
        'mcp__plugin_contracts_contracts__new',
      ]),
  },
  codex: {
    validates: [],
    lists: 'plugin list',
    command: (words) => words,
    argv: (_, prompt) => ['exec', '--dangerously-bypass-hook-trust', prompt],
  },
  gemini: {
    validates: ['extensions validate plugin/gemini'],
    lists: 'extensions list',
    command: (words) => `/contracts:new ${words}`,
    argv: (model, prompt) =>
      ['-p', prompt, '-m', model].concat(['--allowed-tools', 'mcp_contracts_new']),
  },
};

/** A table of the client's own settings, as init says it. */
const APPROVED = `
[plugins."contracts@contracts".mcp_servers.contracts]
default_tools_approval_mode = "approve"
`;

/** Files that a person has there, in a form of their own. */
const OWN = {
  '.claude/settings.local.json': '{\n\t"env": { "COLOUR": "blue" }\n}',
  '.codex/config.toml': '# of the project\n',
  '.gemini/settings.json': '{"ui":{"hideTips":true}}\n',
};

/** Every file with its text, and every folder. */
function treeOf(root: string, without: RegExp): Record<string, string> {
  const entries = fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const)
    .filter(([path]) => !without.test(path.slice(root.length)));
  return Object.fromEntries(
    entries.map(([path, isFile]) => [path, isFile ? fs.readFileSync(path, 'utf8') : '/']),
  );
}

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

describe.each(CLIENTS.map((client, at) => [client, at] as const))('%s', (client, at) => {
  const isMissing = clientsMissing([client]).length > 0;
  const isPlayed = !isMissing && isInShare(at, CLIENTS.length);
  const { validates, lists, command, argv } = WAYS[client];

  // Codex has no such command.
  if (validates.length > 0)
    test.skipIf(isMissing).each(validates)('finds nothing wrong: %s', (line) => {
      const env = { ...sealedEnv(), DISABLE_AUTOUPDATER: '1' };
      const program = join(clientFolder(client), client);
      const how = { cwd: PROJECT, env, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(program, line.split(' '), how);
      expect(status, `${stdout}${stderr}`).toBe(0);
      expect(`${stdout}${stderr}`).toMatch(/Validation passed|successfully validated/);
      expect(`${stdout}${stderr}`).not.toMatch(/unknown|ignored|skipping|invalid/i);
    });

  // Gemini CLI installs nothing for a user without a name: the test below. For a commit
  // one client as one of two; at night all.
  const users =
    client === 'gemini' ? ['ourselves'] : share(['ourselves', 'an ordinary user'], 2, at);
  test.runIf(isPlayed).each(users)(
    'as %s: added by init, used, and taken back with nothing left',
    async (who) => {
      const user = who === 'ourselves' ? undefined : ordinaryUser(client);
      const room = hostRoom(client, model, user);
      const { root, home, called, typed, play } = room;
      for (const [file, text] of Object.entries(OWN)) putFile(join(root, file), text);
      const listed = (): string => {
        const { stdout, stderr } = called(client, ...lists.split(' '));
        return stdout + stderr;
      };
      const before = treeOf(root, /^\/\.git\//);
      expect(listed()).not.toContain('contracts');
      const said = typed('init', '--with', 'plugin,mcp,skills');
      expect(said).toContain(`runs ${client} `);
      expect(said).toContain(`Before its tools are used, ${client} asks `);
      expect(listed()).toContain('contracts');
      // Its plugin has the server and the skill.
      const isOurs = (file: string): boolean => /skills|mcp\.json/.test(file);
      expect(Object.keys(treeOf(root, /^\/\.(?:git|contracts)\//)).filter(isOurs)).toEqual([]);
      typed('init', '--remove', '--yes');
      expect(treeOf(root, /^\/\.git\//)).toEqual(before);
      expect(listed()).not.toContain('contracts');

      typed('init', '--with', 'plugin');
      typed('trust');
      if (client === 'codex') fs.appendFileSync(join(home, '.codex/config.toml'), APPROVED);
      const first = model.asked.length;
      const made = await play(argv(room.model, command('[story:host-makes]')));
      expect(fs.existsSync(join(root, 'active_tasks/draft/by-host')), made).toBe(true);
      await play(argv(room.model, '[story:idle]'));
      const heard = model.asked
        .slice(first)
        .flatMap(({ turn }) => turn?.said ?? [])
        .map(({ text }) => text)
        .join('\n');
      expect(heard).toContain('Write, delegate and collect work as contracts');
      // By the hook of a session.
      expect(heard).toContain('contracts confirm by-host');
      typed('init', '--remove', '--yes');
      expect(listed()).not.toContain('contracts');
      if (client === 'codex')
        expect(fs.readFileSync(join(home, '.codex/config.toml'), 'utf8')).not.toContain(
          'contracts',
        );
      expect(treeOf(root, /^\/(?:\.git\/|\.contracts|active_tasks|LEDGER)/)).toEqual(before);
    },
  );
});

const cannotInstall = process.getuid?.() === 0 && clientsMissing(['gemini']).length === 0;
test.skipIf(!cannotInstall)(
  'where a client installs nothing, the words say what to type, and its other entries are made',
  () => {
    const { root, called, typed } = hostRoom('gemini', model, ordinaryUser('gemini'));
    const settings = join(root, '.gemini/settings.json');
    putFile(settings, OWN['.gemini/settings.json']);
    const said = typed('init', '--with', 'plugin,mcp');
    expect(said).toMatch(/The plugin of gemini was not changed: gemini ended with 1: .*passwd/);
    expect(said).toMatch(
      /add this yourself:\ngemini extensions install .*\/plugin\/gemini --consent\n/,
    );
    expect(fs.readFileSync(settings, 'utf8')).toContain('"mcpServers"');
    expect(called('gemini', 'extensions', 'list').stdout).not.toContain('contracts');
    expect(typed('init', '--remove', '--yes')).not.toContain('runs gemini');
    expect(fs.readFileSync(settings, 'utf8')).toBe(OWN['.gemini/settings.json']);
  },
);
