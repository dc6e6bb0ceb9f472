/**
 * Facts of Claude Code (`claude`). ~/.claude.json is in no folder of it: it holds a login, MCP servers and trust in
 * one file, so a sandbox does not show it, and the headless client makes one for the call.
 */
import { HOOKED, INSTRUCTIONS_BYTES_MAX } from '../core/client-record.ts';
import type { ClientHome, ClientPlaces, ClientRecord, ClientTools } from '../core/client-record.ts';

export const places: ClientPlaces = {
  project: {
    folder: '.claude',
    files: '.mcp.json',
    guides: 'CLAUDE.md CLAUDE.local.md',
    guide: 'CLAUDE.md',
    json: '.claude/settings.json .claude/settings.local.json .mcp.json',
    obeyed: true,
  },
  agents: { skills: '.claude', first: true, base: 'home', groups: true },
  hook: { file: '.claude/settings.json', template: 'claude-settings.json', asks: true },
  mcp: {
    file: '.mcp.json',
    keys: 'mcpServers.contracts',
    approval: 'asks once whether it may start the server',
  },
};

export const tools: ClientTools = {
  read: 'Read NotebookRead',
  write: 'Write',
  edit: 'Edit MultiEdit NotebookEdit',
  shell: 'Bash BashOutput KillShell PowerShell',
  search: 'Grep Glob LS ToolSearch',
  fetch: 'WebFetch WebSearch',
  task: 'Task Agent',
};

export const homes: readonly ClientHome[] = [
  {
    variable: 'CLAUDE_CONFIG_DIR',
    below: '.claude',
    open: `.credentials.json* .device-keys.json .last-* *.lock debug dump-prompts file-history history.jsonl
      image-cache logs mcp-needs-auth-cache.json paste-cache plans projects startup-perf stats-cache.json statsig
      tasks telemetry todos traces usage-data`,
    shut: `.claude.json .config.json CLAUDE.md cowork_settings.json daemon.json keybindings.json loop.md
      remote-settings-consent.json remote-settings.json settings.json settings.local.json agents/ backups/ cache/
      commands/ cowork_plugins/ daemon/ dev-mods/ hooks/ jobs/ local/ output-styles/ plugins/ rules/ skills/ state/
      teams/ themes/ workflows/ projects/{slug}/memory/ projects/*/memory/`,
    own: 'ide/ session-env/ sessions/ shell-snapshots/',
  },
];

export const record: ClientRecord = {
  program: 'claude',
  package: '@anthropic-ai/claude-code',
  oldest: '2.1.330',
  instructions_max: INSTRUCTIONS_BYTES_MAX,
  live: HOOKED,
  resume: 'claude --resume',
  login: {
    how: 'Run claude and log in there, or set ANTHROPIC_API_KEY',
    ask: 'auth status',
  },
  variables: {
    env: `ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS CLAUDE_CODE_OAUTH_TOKEN
      ANTHROPIC_BASE_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_MODEL
      ANTHROPIC_SMALL_FAST_MODEL ANTHROPIC_DEFAULT_OPUS_MODEL ANTHROPIC_DEFAULT_SONNET_MODEL
      ANTHROPIC_DEFAULT_HAIKU_MODEL CLAUDE_CONFIG_DIR CLAUDE_CODE_MAX_RETRIES CLAUDE_CODE_USE_BEDROCK
      CLAUDE_CODE_USE_VERTEX`,
    clouds: {
      CLAUDE_CODE_USE_BEDROCK: `AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK
        AWS_REGION AWS_DEFAULT_REGION AWS_PROFILE AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE`,
      CLAUDE_CODE_USE_VERTEX:
        'CLOUD_ML_REGION ANTHROPIC_VERTEX_PROJECT_ID GOOGLE_CLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS',
    },
    reads: 'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE GOOGLE_APPLICATION_CREDENTIALS',
  },
  strict_json: 'bridged',
  talk: { headless: { '-p': 1, '--output-format': 1, '--verbose': 0, '--permission-mode': 1 } },
  plugin: {
    add: [
      'plugin marketplace add PACKAGE --scope local',
      'plugin install contracts@contracts --scope local',
    ],
    remove: [
      'plugin uninstall contracts@contracts --scope local',
      'plugin marketplace remove contracts --scope local',
    ],
    home: { file: 'settings.json', name: 'contracts@contracts' },
    local: {
      file: '.claude/settings.local.json',
      keys: ['extraKnownMarketplaces.contracts', 'enabledPlugins.contracts@contracts'],
    },
    market: { file: 'plugins/known_marketplaces.json', name: '"contracts"' },
    projects: 'plugins/installed_plugins.json',
    approval: 'asks before each tool',
  },
};
