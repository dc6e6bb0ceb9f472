/** Facts of Gemini CLI (`gemini`). */
import { HOOKED } from '../core/client-record.ts';
import type { ClientHome, ClientPlaces, ClientRecord, ClientTools } from '../core/client-record.ts';

/** No second process, and a folder that it was not asked about. */
export const GEMINI_ENV = { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' };

export const places: ClientPlaces = {
  project: {
    folder: '.gemini',
    guides: 'GEMINI.md',
    guide: 'GEMINI.md',
    json: '.gemini/settings.json',
    lines: '.gemini/.env',
    starts: '.gemini/extensions .gemini/policies',
  },
  agents: { skills: '.agents', base: 'home' },
  hook: { file: '.gemini/settings.json', template: 'gemini-settings.json', plain: true },
  mcp: {
    file: '.gemini/settings.json',
    keys: 'mcpServers.contracts',
    approval: 'asks before each tool; without a terminal it has them with "trust": true there',
  },
};

export const tools: ClientTools = {
  read: 'read_file read_many_files',
  write: 'write_file',
  edit: 'replace',
  shell: 'run_shell_command',
  search: 'grep_search search_file_content glob list_directory',
  fetch: 'web_fetch google_web_search',
  task: 'invoke_agent',
};

export const homes: readonly ClientHome[] = [
  {
    variable: 'GEMINI_CLI_HOME',
    of_home: true,
    below: '.gemini',
    open: `*.lock *.tmp a2a-oauth-tokens*.json gemini-credentials.json google_accounts.json history installation_id
      mcp-oauth-tokens*.json oauth_creds.json projects.json state.json tmp user_id`,
    shut: `.env AGENTS.md GEMINI.md extension_integrity.json keybindings.json policy_integrity.json sandbox.bashrc
      settings.json system.md trustedFolders.json trusted_hooks.json acknowledgments/ agents/ commands/ extensions/
      hooks/ policies/ skills/ themes/ tmp/bin/ tmp/*/memory/`,
  },
];

export const record: ClientRecord = {
  program: 'gemini',
  package: '@google/gemini-cli',
  oldest: '0.61.0',
  costless: true,
  live: HOOKED,
  resume: 'gemini --resume',
  login: {
    how: 'Run gemini and log in there, or set GEMINI_API_KEY',
  },
  variables: {
    env: `GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_GEMINI_BASE_URL GOOGLE_GENAI_USE_VERTEXAI GOOGLE_CLOUD_PROJECT
      GOOGLE_CLOUD_LOCATION GOOGLE_APPLICATION_CREDENTIALS GEMINI_CLI_HOME`,
    clouds: { GOOGLE_GENAI_USE_VERTEXAI: '' },
    reads: 'GOOGLE_APPLICATION_CREDENTIALS',
  },
  strict_json: 'always',
  talk: { headless: { '-p': 1, '-o': 1, '--approval-mode': 1 }, prompt: '-i' },
  acp: { env: GEMINI_ENV },
  exits: { login: 41, turns: 53 },
  plugin: {
    add: ['extensions install PACKAGE/plugin/gemini --consent'],
    remove: ['extensions uninstall contracts'],
    home: { file: 'extensions/contracts/gemini-extension.json', name: 'contracts' },
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' },
    approval:
      'asks before each tool; without a terminal it has only those that --allowed-tools names, such as mcp_contracts_list',
  },
};
