/**
 * The real agent clients, as scripts/install-clients.mjs brings them: where they are, and a home for
 * one of them in which it knows the scripted model and nothing else: no account, no look-up beyond
 * loopback, no state that another test left.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orNothing } from '../../src/process/path-kind.ts';
import { putFile, sealedEnv } from './sealed-folder.ts';

export const CLIENT_NAMES = ['opencode', 'codex', 'gemini', 'claude'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** Programs that speak the Agent Client Protocol for a client: each is a package of its own. */
export const BRIDGE_NAMES = ['codex-acp', 'claude-agent-acp'] as const;
export type BridgeName = (typeof BRIDGE_NAMES)[number];

const pinned = (file: string): object =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../scripts/${file}`, import.meta.url)), 'utf8'),
  );

/** The versions that tests drive. */
export const PINNED = { ...pinned('clients.json'), ...pinned('bridges.json') } as Readonly<
  Record<ClientName | BridgeName, { readonly version: string }>
>;

/** Where scripts/install-clients.mjs puts them. A user that the machine does not know has no home. */
export const CLIENTS =
  process.env['CONTRACTS_CLIENTS'] ||
  join(orNothing(homedir) ?? '/tmp', '.cache', 'contracts-clients');

/** The folder that its program is in. */
export function clientFolder(name: ClientName | BridgeName): string {
  return join(CLIENTS, `${name}-${PINNED[name].version}`, 'bin');
}

/** Which of them are not installed here. Where they must be, that is an error and not an answer. */
export function clientsMissing(
  names: readonly (ClientName | BridgeName)[] = CLIENT_NAMES,
): readonly string[] {
  const missing = names.filter((name) => !existsSync(join(clientFolder(name), name)));
  if (missing.length > 0 && process.env['CONTRACTS_CLIENTS_REQUIRED'] === '1') {
    throw new Error(`${missing.join(', ')}: not installed: run node scripts/install-clients.mjs`);
  }
  return missing;
}

/** Whether bubblewrap makes a sandbox here: without one other things hold the agents. */
export function sandboxWorks(before: readonly string[] = []): boolean {
  const [program = '', ...argv] = [...before, 'bwrap', '--ro-bind', '/', '/', 'true'];
  return spawnSync(program, argv, { stdio: 'ignore' }).status === 0;
}

/** What the client is given in its home, by path, and what it finds in its environment. */
export interface Home {
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The model's name for the adapter. */
  readonly model: string;
}

const MODEL_KEY = 'scripted-key-0123456789';

/** `home` is where it will live, absolute; `url` is the scripted model's. */
export function homeFor(name: ClientName, home: string, url: string): Home {
  switch (name) {
    case 'opencode':
      return opencode(home, url);
    case 'codex':
      return codex(home, url);
    case 'gemini':
      return gemini(url);
    case 'claude':
      return claude(url);
  }
}

function opencode(home: string, url: string): Home {
  const model = {
    limit: { context: 100_000, output: 8_000 },
    cost: { input: 1_000, output: 10_000 },
  };
  const config = {
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    autoupdate: false,
    share: 'disabled',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: MODEL_KEY },
        models: { scripted: model, small: model },
      },
    },
  };
  return {
    files: {
      '.config/opencode/opencode.json': JSON.stringify(config),
      '.npmrc': `offline=true\nregistry=${url}\n`,
    },
    env: {
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local/share'),
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CACHE_HOME: join(home, '.cache'),
      OPENCODE_MODELS_URL: url,
    },
    model: 'scripted/scripted',
  };
}

function codex(home: string, url: string): Home {
  const config = `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false

[feedback]
enabled = false
`;
  return {
    files: { '.codex/config.toml': config },
    env: { CODEX_HOME: join(home, '.codex'), OPENAI_API_KEY: MODEL_KEY },
    model: 'scripted',
  };
}

const GEMINI_MODEL = 'gemini-2.5-flash';

function gemini(url: string): Home {
  const settings = {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    // Without a name it asks a model which model to ask.
    model: { name: GEMINI_MODEL },
    // Where ripgrep is missing it would look for one to download.
    tools: { useRipgrep: false },
  };
  return {
    files: { '.gemini/settings.json': JSON.stringify(settings) },
    env: {
      GEMINI_API_KEY: MODEL_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
    },
    model: GEMINI_MODEL,
  };
}

function claude(url: string): Home {
  return {
    files: {},
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: MODEL_KEY,
      CLAUDE_CODE_MAX_RETRIES: '1',
    },
    model: 'claude-sonnet-4-5',
  };
}

/** Makes the home, and gives the whole environment of a person whose only client this is. */
export function makeHome(
  name: ClientName,
  room: string,
  url: string,
  programs = clientFolder(name),
): { readonly env: Record<string, string>; readonly model: string } {
  const home = join(room, 'home');
  const { files, env, model } = homeFor(name, home, url);
  for (const [path, text] of Object.entries(files)) putFile(join(home, path), text);
  mkdirSync(join(room, 'tmp'), { recursive: true });
  mkdirSync(home, { recursive: true });
  const TMPDIR = join(room, 'tmp');
  const outside = { ...sealedEnv(), HOME: home, TMPDIR, LANG: 'C.UTF-8' };
  const PATH = `${programs}:${outside.PATH}`;
  return { env: { ...outside, PATH, ...env }, model };
}
