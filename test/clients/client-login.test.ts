/**
 * Whether a client is logged in, by the real clients: in an empty home, with a key, with a file that its login
 * leaves. Where none of them is installed these are left out, and it says so.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { askLogin } from '../../src/clients/adapters/client-login.ts';
import type { Login } from '../../src/clients/core/client-version.ts';
import { askClients } from '../../src/engine/setup/find-clients.ts';
import { contracts } from '../support/binary.ts';
import { clientFolder, clientsMissing, homeFor, type ClientName } from '../support/clients.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

const missing = clientsMissing();
if (missing.length > 0) console.log(`LEFT OUT: logins of ${missing.join(', ')}: not installed`);

let room = '';
beforeEach(() => void (room = sealedFolder('login')));

interface Case {
  readonly client: ClientName;
  readonly what: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Below the home. */
  readonly files?: Readonly<Record<string, string>>;
  readonly login: Login;
}

const GEMINI = '.gemini/settings.json';
const chosen = (selectedType: string) => JSON.stringify({ security: { auth: { selectedType } } });

const CASES: readonly Case[] = [
  { client: 'claude', what: 'an empty home', login: 'no' },
  { client: 'claude', what: 'a key', env: { ANTHROPIC_API_KEY: 'x' }, login: 'yes' },
  { client: 'claude', what: 'a token', env: { CLAUDE_CODE_OAUTH_TOKEN: 'x' }, login: 'yes' },
  { client: 'claude', what: 'a cloud', env: { CLAUDE_CODE_USE_BEDROCK: '1' }, login: 'yes' },
  { client: 'codex', what: 'an empty home', login: 'no' },
  { client: 'codex', what: 'a key', env: { CODEX_API_KEY: 'x' }, login: 'yes' },
  {
    client: 'codex',
    what: 'a key that may not count',
    env: { OPENAI_API_KEY: 'x' },
    login: 'unknown',
  },
  {
    client: 'codex',
    what: 'what its login leaves',
    files: { '.codex/auth.json': JSON.stringify({ OPENAI_API_KEY: 'x' }) },
    login: 'yes',
  },
  {
    client: 'codex',
    what: 'a provider of its own',
    files: {
      '.codex/config.toml':
        'model_provider = "own"\n[model_providers.own]\nname = "own"\nbase_url = "http://127.0.0.1:9/v1"\n',
    },
    login: 'unknown',
  },
  { client: 'opencode', what: 'an empty home', login: 'unknown' },
  { client: 'opencode', what: 'a key', env: { ANTHROPIC_API_KEY: 'x' }, login: 'yes' },
  {
    client: 'opencode',
    what: 'what its login leaves',
    files: {
      '.local/share/opencode/auth.json': JSON.stringify({ anthropic: { type: 'api', key: 'x' } }),
    },
    login: 'yes',
  },
  { client: 'gemini', what: 'an empty home', login: 'no' },
  { client: 'gemini', what: 'a key', env: { GEMINI_API_KEY: 'x' }, login: 'yes' },
  { client: 'gemini', what: 'a cloud', env: { GOOGLE_GENAI_USE_VERTEXAI: '1' }, login: 'unknown' },
  {
    client: 'gemini',
    what: 'a key that its settings pass over',
    env: { GEMINI_API_KEY: 'x' },
    files: { [GEMINI]: chosen('oauth-personal') },
    login: 'unknown',
  },
  {
    client: 'gemini',
    what: 'what its login leaves',
    files: { [GEMINI]: chosen('oauth-personal'), '.gemini/oauth_creds.json': '{}' },
    login: 'yes',
  },
  {
    client: 'gemini',
    what: 'a key elsewhere',
    files: { [GEMINI]: chosen('gemini-api-key') },
    login: 'unknown',
  },
];

function make(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) putFile(join(room, path), text);
}

const path = (client: ClientName) => `${clientFolder(client)}:${process.env['PATH'] ?? ''}`;

describe.runIf(missing.length === 0)('of the real clients', () => {
  test.each(CASES)('$client, $what: $login', async ({ client, env = {}, files = {}, login }) => {
    make(files);
    const program = join(clientFolder(client), client);
    expect(await askLogin(client, program, { PATH: path(client), HOME: room, ...env })).toBe(login);
  });

  test.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
    '%s, with the scripted model: never no',
    async (client) => {
      const { files, env } = homeFor(client, room, 'http://127.0.0.1:9');
      make(files);
      const [found] = await askClients({ PATH: path(client), HOME: room, ...env }, '/nowhere');
      expect(found).toMatchObject({ name: client });
      expect(found?.login).not.toBe('no');
      expect(found?.words).toMatch(/^\d+\.\d+\.\d+, log/);
    },
  );
});

/** A stand-in for a client. */
function standIn(name: string, text: string): void {
  writeFileSync(join(room, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(room, name), 0o755);
}

test('stand-ins: an older client is not asked, as it could call a model; another sort of answer is none', async () => {
  standIn('claude', `[ "$1" = --version ] && echo 1.0.0 && exit; touch ${room}/called`);
  standIn('codex', '[ "$1" = --version ] && echo 0.169.0 && exit; exit 64');
  const found = await askClients({ PATH: `${room}:/usr/bin:/bin`, HOME: room }, '/nowhere');
  expect(found.map(({ name, login }) => [name, login])).toEqual([
    ['claude', 'unknown'],
    ['codex', 'unknown'],
  ]);
  expect(found[0]?.words).toContain('is older than');
  expect(() => rmSync(join(room, 'called'))).toThrow();
});

/** What these clients print without an account, shortened, and how they end. */
const LOGGED_OUT = [
  [
    'claude',
    `echo '{"type":"system","subtype":"init","session_id":"s-1","model":"m","apiKeySource":"none"}'
echo '{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"Not logged in · Please run /login"}]},"parent_tool_use_id":null,"session_id":"s-1","error":"authentication_failed","is_api_error_message":true}'
echo '{"type":"result","subtype":"success","is_error":true,"num_turns":1,"api_error_status":null,"result":"Not logged in · Please run /login","session_id":"s-1","total_cost_usd":0,"usage":{"input_tokens":0,"output_tokens":0}}'
exit 1`,
    'you are not logged in to claude: Not logged in · Please run /login. Run claude and log in there, or set ANTHROPIC_API_KEY',
  ],
  [
    'gemini',
    `echo 'Please set an Auth method in your settings.json or specify one of the following environment variables before running: GEMINI_API_KEY' >&2
exit 41`,
    'you are not logged in to gemini: Please set an Auth method in your settings.json or specify one of the following environment variables before running: GEMINI_API_KEY. Run gemini and log in there, or set GEMINI_API_KEY',
  ],
] as const;

test.each(LOGGED_OUT)(
  'a stand-in of %s that is logged out: one call, one sentence, no try; logged in it is called again',
  async (client, prints, words) => {
    const workspace = join(room, 'w');
    const calls = join(room, 'calls');
    make({
      'w/.contracts/config.yaml': `adapter: ${client}\nretries_max: 0\n`,
      'w/active_tasks/ready/one/contract.md':
        '---\ntitle: One\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] It is there\n',
    });
    const env = {
      PATH: `${room}:/usr/bin:/bin`,
      HOME: room,
      CONTRACTS_TRUST: '1',
      CONTRACTS_SANDBOX: 'none',
    };
    const asked = `[ "$1" = --version ] && echo 99.0.0 && exit\necho x >> '${calls}'`;
    standIn(client, `${asked}\n${prints}`);
    const { code, stdout } = await contracts(workspace, ['run'], [], env);
    expect(code).toBe(3);
    expect(readFileSync(calls, 'utf8')).toBe('x\n');
    const faults = stdout.split('\n').filter((line) => line.startsWith('one  fault: '));
    expect(faults).toEqual([`one  fault: ${words}`]);
    expect(stdout).toContain('1 fault met; see above.');
    const result = '- Status: COMPLETE\\n\\n## Success Criteria\\n\\n- [x] It is there\\n';
    standIn(client, `${asked}\nprintf -- '${result}' > "$CONTRACTS_OUT/result.md"`);
    expect(await contracts(workspace, ['run'], [], env)).toMatchObject({ code: 0 });
    expect(readFileSync(calls, 'utf8')).toBe('x\nx\n');
    const outcome = (n: number): string =>
      readFileSync(join(workspace, `active_tasks/done/one/attempts/000${n}/outcome.md`), 'utf8');
    expect(outcome(1)).toMatch(/^outcome: interrupted\ncode: client_login$/m);
    expect(outcome(2)).toMatch(/^outcome: complete$/m);
  },
);
