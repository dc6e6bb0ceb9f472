/**
 * The folders in a home in which each client keeps its login, sessions, and settings that a later session obeys, as the
 * versions of scripts/clients.json use them. ~/.claude.json is not here: it holds a login, MCP servers and trust in
 * one file, so a sandbox does not show it, and headless Claude makes one for the call.
 */
import type { ClientFolder, Environment } from '../../process/adapter.ts';
import { names, type ClientType } from './client-type.ts';

interface Kept {
  /** A variable that names it, or the folder that it is in. */
  readonly variable: string;
  /** Below the home, where the variable is not set. */
  readonly below: string;
  readonly inner?: string;
  readonly open?: string;
  readonly shut?: string;
  /** Files that other sessions run or source, and keys to reach them: each call has its own. */
  readonly own?: string;
  /** Keys of a server of the person, which would work outside of the sandbox. */
  readonly hidden?: string;
}

const FOLDERS: Readonly<Record<ClientType, readonly Kept[]>> = {
  claude: [
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
  ],
  codex: [
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
  ],
  gemini: [
    {
      variable: 'GEMINI_CLI_HOME',
      below: '.gemini',
      open: `*.lock *.tmp a2a-oauth-tokens*.json gemini-credentials.json google_accounts.json history installation_id
        mcp-oauth-tokens*.json oauth_creds.json projects.json state.json tmp user_id`,
      shut: `.env AGENTS.md GEMINI.md extension_integrity.json keybindings.json policy_integrity.json sandbox.bashrc
        settings.json system.md trustedFolders.json trusted_hooks.json acknowledgments/ agents/ commands/ extensions/
        hooks/ policies/ skills/ themes/ tmp/bin/ tmp/*/memory/`,
    },
  ],
  opencode: [
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
  ],
};

/** None without a home. */
/** `bridged`: by a bridge, which may bring an older version than the person has. */
export function clientFolders(type: ClientType, bridged = false) {
  return (env: Environment): readonly ClientFolder[] =>
    FOLDERS[type].flatMap(({ variable, below, inner, open, shut, own, hidden }) => {
      const named = env[variable]?.startsWith('/') ? env[variable] : undefined;
      const home = env['HOME'] ? `${env['HOME']}/${below}` : undefined;
      // Gemini's variable names the home that its folder is in.
      const folder = named !== undefined && type === 'gemini' ? `${named}/${below}` : named;
      const top = folder ?? home;
      if (top === undefined) return [];
      const path = inner === undefined ? top : `${top}/${inner}`;
      const inside = bridged ? ({ strict_inside: true } as const) : {};
      const strict_json = type === 'claude' ? inside : ({ strict_json: true } as const);
      const opened = open && { open: names(open) };
      const lists = { shut: names(shut), own: names(own), hidden: names(hidden) };
      return [{ path, ...opened, ...lists, ...strict_json }];
    });
}
