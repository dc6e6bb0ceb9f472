/** Facts of Codex CLI (`codex`). */
import { HOOKED, INSTRUCTIONS_BYTES_MAX } from '../core/client-record.ts';
import type { ClientHome, ClientPlaces, ClientRecord, ClientTools } from '../core/client-record.ts';

export const places: ClientPlaces = {
  project: {
    folder: '.codex',
    guides: 'AGENTS.md AGENTS.override.md',
    guide: 'AGENTS.md',
    json: '.codex/hooks.json',
    lines: '.codex/config.toml',
    starts: '.codex/rules',
  },
  agents: { skills: '.agents', base: 'home' },
  hook: { file: '.codex/hooks.json', template: 'codex-hooks.json' },
  mcp: {
    file: '.codex/config.toml',
    approval:
      'reads it in a project that you trust there, and asks before each tool; codex exec uses them with default_tools_approval_mode = "approve" in that table',
  },
};

export const tools: ClientTools = {
  read: 'view_image',
  write: '',
  edit: 'apply_patch',
  shell: 'shell exec_command write_stdin local_shell',
  search: '',
  fetch: 'web_search',
  task: 'spawn_agent send_input wait_agent close_agent',
};

export const homes: readonly ClientHome[] = [
  {
    variable: 'CODEX_HOME',
    below: '.codex',
    open: `.*_migration .tmp?????? *.sqlite *.sqlite-* archived_sessions auth.json* history.jsonl installation_id log
      logs models_cache.json session_index.jsonl sessions thread-writer-locks version.json`,
    shut: `.env AGENTS.md AGENTS.override.md config.toml environments.toml hooks.json managed_config.toml
      .claude-plugin/ .codex-plugin/ .cursor-plugin/ agents/ automations/ hooks/ memories/ packages/ plugins/
      prompts/ rules/ skills/ themes/ vendor_imports/`,
    own: '.tmp/ shell_snapshots/ tmp/',
  },
];

export const record: ClientRecord = {
  program: 'codex',
  package: '@openai/codex',
  oldest: '0.169.0',
  costless: true,
  by_shell: true,
  instructions_max: INSTRUCTIONS_BYTES_MAX,
  live: HOOKED,
  resume: 'codex resume',
  login: {
    how: 'Run codex login, or set OPENAI_API_KEY or CODEX_API_KEY',
    ask: 'login status',
  },
  variables: { env: 'OPENAI_API_KEY CODEX_API_KEY OPENAI_BASE_URL CODEX_HOME' },
  strict_json: 'always',
  talk: {
    headless: { exec: 0, '--json': 0, '--skip-git-repo-check': 0, '-': 0 },
    resumes: 'resume',
  },
  acp: { mode: 'workspace-write', sandboxed: 'agent-full-access' },
  plugin: {
    add: ['plugin marketplace add PACKAGE', 'plugin add contracts@contracts'],
    remove: ['plugin remove contracts@contracts', 'plugin marketplace remove contracts'],
    home: { file: 'config.toml', name: 'contracts@contracts' },
    market: { file: 'config.toml', name: '[marketplaces.contracts]' },
    approval:
      'asks whether you trust the hooks, and before each tool; codex exec uses the tools with default_tools_approval_mode = "approve" under [plugins."contracts@contracts".mcp_servers.contracts] in your config.toml',
  },
};
