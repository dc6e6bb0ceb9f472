/** Facts of OpenCode. Instructions go into a file; our plugin is one of version 1. */
import type { ClientHome, ClientPlaces, ClientRecord, ClientTools } from '../core/client-record.ts';

const IGNORED = 'node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore';

export const places: ClientPlaces = {
  project: {
    folder: '.opencode',
    files: 'opencode.json opencode.jsonc',
    guides: 'AGENTS.md',
    guide: 'AGENTS.md',
    json: 'opencode.json opencode.jsonc .opencode/opencode.json .opencode/opencode.jsonc',
    starts: '.opencode/plugin .opencode/plugins .opencode/tool .opencode/tools',
    own_files: { '.opencode/.gitignore': IGNORED },
  },
  agents: { skills: '.agents', first: true, singular: true, base: 'config', groups: true },
  hook: { file: 'opencode.json', template: 'opencode.json', plugin: true, asks: true },
  mcp: { file: 'opencode.json', keys: 'mcp.contracts', listed: true, approval: 'asks nobody' },
};

export const tools: ClientTools = {
  read: 'read',
  write: 'write',
  edit: 'edit multiedit patch apply_patch',
  shell: 'bash',
  search: 'grep glob list codesearch',
  fetch: 'webfetch websearch',
  task: 'task',
};

export const homes: readonly ClientHome[] = [
  { variable: 'XDG_CONFIG_HOME', below: '.config', inner: 'opencode', hidden: 'service*.json' },
  {
    variable: 'XDG_DATA_HOME',
    below: '.local/share',
    inner: 'opencode',
    open: '*.db *.db-* account*.json auth.json* log mcp-auth.json plans project storage tool-output',
    shut: 'bin/ repos/ snapshot/ worktree/',
  },
  {
    variable: 'XDG_STATE_HOME',
    below: '.local/state',
    inner: 'opencode',
    open: 'frecency.jsonl kv.json locks model.json prompt-history.jsonl prompt-stash.jsonl',
    shut: 'plugin-meta.json',
    hidden: 'service*.json',
  },
  { variable: 'XDG_CACHE_HOME', below: '.cache', inner: 'opencode' },
];

// With snapshots it would write where a sandbox does not let it, and no turn begins.
const permission = { edit: 'ask', bash: 'ask', external_directory: 'ask' };
const experimental = { continue_loop_on_deny: true };
const ASKING = { autoupdate: false, share: 'disabled', snapshot: false, permission, experimental };

export const record: ClientRecord = {
  program: 'opencode',
  package: 'opencode-ai',
  oldest: '1.18.33',
  instructions_max: Infinity,
  live: 'our plugin judges each use of a tool before it happens, and its permissions refuse too',
  untried: {
    from_major: 2,
    live: 'its permissions refuse; nothing else is judged live, and this version was not tried',
  },
  resume: 'opencode -s',
  login: {
    how: 'Run opencode auth login, or set the key of the provider, for example ANTHROPIC_API_KEY',
    ask: 'auth list',
  },
  variables: {
    env: `OPENCODE_API_KEY ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY
      OPENROUTER_API_KEY GROQ_API_KEY MISTRAL_API_KEY DEEPSEEK_API_KEY XAI_API_KEY
      OPENCODE_CONFIG OPENCODE_CONFIG_DIR OPENCODE_MODELS_URL`,
    reads: 'OPENCODE_CONFIG OPENCODE_CONFIG_DIR',
  },
  strict_json: 'always',
  talk: { headless: { run: 0, '--format': 1, '--title': 1 }, prompt: '--prompt' },
  acp: { json: { OPENCODE_CONFIG_CONTENT: ASKING } },
};
