/**
 * The server of contracts in each real client, against the scripted model: entered by `contracts init --with mcp`, with
 * what init says that each needs, it makes a task, takes it, asks, hands in and has it judged.
 */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordinaryUser, type OrdinaryUser } from '../support/as-user.ts';
import { BINARY } from '../support/binary.ts';
import { CLIENT_NAMES, clientsMissing, makeHome, type ClientName } from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { MADE } from '../support/model/stories.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

/** No look-up beyond loopback. */
const OFFLINE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  ENABLE_TOOL_SEARCH: 'false',
  GEMINI_CLI_NO_RELAUNCH: 'true',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  npm_config_offline: 'true',
};

const ALLOWED = ['new', 'delegate', 'collect'].map((tool) => `mcp__contracts__${tool}`);

/** With what a person answers at a terminal: what init says that each asks. */
const ARGUMENTS: Readonly<
  Record<ClientName, (model: string, prompt: string) => readonly string[]>
> = {
  claude: (model, prompt) =>
    ['-p', prompt, '--model', model, '--permission-mode', 'acceptEdits'].concat([
      '--settings',
      '{"enabledMcpjsonServers":["contracts"]}',
      '--allowedTools',
      ['Write', ...ALLOWED].join(','),
    ]),
  codex: (_, prompt) =>
    ['exec', '--disable', 'plugins', '--sandbox', 'workspace-write'].concat([
      '-c',
      'mcp_servers.contracts.default_tools_approval_mode="approve"',
      prompt,
    ]),
  gemini: (model, prompt) => ['-p', prompt, '-m', model, '--approval-mode', 'auto_edit'],
  opencode: (model, prompt) => ['run', '-m', model, '--title', 'Host', prompt],
};

/** As who we are, or as the user. */
function makeRoom(client: ClientName, model: ModelServer, user?: OrdinaryUser) {
  const room = sealedFolder('mcp-client');
  const [root, bin] = [join(room, 'shop'), join(room, 'bin')];
  for (const folder of [root, bin]) fs.mkdirSync(folder);
  const own = makeHome(client, room, model.url);
  const { before = [], binary = BINARY, programs = '' } = user ?? {};
  const PATH = [bin, ...(programs === '' ? [] : [programs]), own.env['PATH']].join(':');
  const env = { ...OFFLINE, ...own.env, PATH };
  const script = `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`;
  fs.writeFileSync(join(bin, 'contracts'), script, { mode: 0o755 });
  spawnSync('git', ['init', '--quiet', root]);
  const typed = (...argv: string[]) => {
    user?.own(room);
    const [program = '', ...words] = [...before, process.execPath, binary, ...argv];
    const how = { cwd: root, env: { ...sealedEnv(), ...env }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(program, words, how);
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  };
  const play = (story: string) => {
    user?.own(room);
    const argv = [...before, client, ...ARGUMENTS[client](own.model, `Do this: [story:${story}]`)];
    return played(argv, root, env);
  };
  const said = typed('init', '--with', 'mcp');
  if (client === 'codex')
    fs.appendFileSync(
      join(room, 'home/.codex/config.toml'),
      `\n[projects."${root}"]\ntrust_level = "trusted"\n`,
    );
  if (client === 'gemini') {
    const file = join(root, '.gemini/settings.json');
    const settings = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, settings.replace('"command"', '"trust": true,\n      "command"'));
  }
  typed('trust');
  return { root, typed, play, said };
}

function played([program = '', ...argv]: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }); // prettier-ignore
    const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    const timer = setTimeout(end, Number(process.env['CONTRACTS_TEST_LIMIT_MS']));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(printed);
    });
  });
}

let model: ModelServer;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

describe.each(CLIENT_NAMES)('%s', (client) => {
  test.skipIf(clientsMissing([client]).length > 0).each(['ourselves', 'an ordinary user'])(
    'as %s it makes a task, takes it, asks, hands in and collects by the tools',
    async (who) => {
      const user = who === 'ourselves' ? undefined : ordinaryUser(client);
      const { root, typed, play, said } = makeRoom(client, model, user);
      expect(said).toContain(`${client} `);
      const stateOf = (): unknown => {
        const story = JSON.parse(typed('show', 'by-host', '--json')) as Record<string, unknown>;
        return story['state'];
      };
      const made = await play('host-makes');
      expect(fs.existsSync(join(root, 'active_tasks/draft/by-host')), made).toBe(true);
      typed('confirm', 'by-host');
      const asked = await play(`host-asks ${root}`);
      expect(stateOf(), asked).toBe('questions');
      typed('answer', 'by-host', 'Ada');
      const done = await play(`host-hands-in ${root}`);
      expect(stateOf(), done).toBe('done');
      expect(fs.readFileSync(join(root, MADE), 'utf8')).toBe('Hello, Ada\n');
    },
  );
});
