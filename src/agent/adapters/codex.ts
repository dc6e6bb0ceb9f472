/**
 * Codex, headless: `codex exec --json`. It writes through its shell, inside a sandbox of its own, so
 * authority is a list of folders: where not everything may be written, it works from its desk, and the
 * folders of its globs are added. A resumed session takes no -C and no --sandbox: all of it is given
 * as configuration, which both take. Its closing event is `turn.completed` or `turn.failed`.
 */
import { PROTECTED } from '../../core/authority.ts';
import { openFolders } from '../../core/open-folders.ts';
import type { AgentCall, AgentProgress, Invocation } from '../adapter.ts';
import {
  homeFolder,
  hooked,
  hookOf,
  HOOK_SECONDS,
  instructionsOf,
  isOpen,
  promptOf,
  shellLine,
  writable,
} from './client-call.ts';
import {
  callId,
  detailOf,
  failure,
  fields,
  fieldsOf,
  list,
  plainLine,
  shortened,
  sum,
  text,
  unwrapped,
  toolResult,
  type Fields,
} from './client-events.ts';

export const codex = {
  prepare,
  read,
  stateDirs: (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
    homeFolder(env, 'CODEX_HOME', '.codex'),
};

function prepare(call: AgentCall, run: readonly string[]): Invocation {
  const { model, session } = call;
  const hook = hookOf(call, 'codex');
  const argv = [
    ...run,
    'exec',
    ...(session === undefined ? [] : ['resume', session]),
    '--json',
    '--skip-git-repo-check',
    '--disable',
    'plugins',
    ...(hook === undefined ? [] : ['--dangerously-bypass-hook-trust']),
    ...settingsOf(call, hook).flatMap(([key, value]) => ['-c', `${key}=${toml(value)}`]),
    ...(model === undefined ? [] : ['-m', model]),
    // All of it on stdin: a resumed session takes no text beside a prompt.
    '-',
  ];
  const open = isOpen(call) || call.sandboxed === true;
  const { write, create, append, within, kept = PROTECTED } = call.authority;
  const { folders } = openFolders(within ?? [...write, ...create, ...append], kept);
  return {
    argv,
    env: {},
    stdin: { text: `${promptOf(call)}\n\n${call.brief}` },
    files: {},
    cwd: open ? call.root : call.desk,
    opens: open ? [] : folders,
    ...hooked(call),
  };
}

function settingsOf(
  call: AgentCall,
  hook: readonly string[] | undefined,
): readonly (readonly [string, unknown])[] {
  const instructions = instructionsOf(call);
  const open = isOpen(call);
  const folders = [...new Set([call.desk, ...call.extra_dirs, ...writable(call).map(folderOf)])];
  const command = hook && { type: 'command', command: shellLine(hook), timeout: HOOK_SECONDS };
  return [
    ['check_for_update_on_startup', false],
    ['analytics.enabled', false],
    ['feedback.enabled', false],
    ['approval_policy', 'never'],
    ['sandbox_mode', call.sandboxed === true ? 'danger-full-access' : 'workspace-write'],
    ['sandbox_workspace_write.writable_roots', folders],
    ['sandbox_workspace_write.exclude_slash_tmp', !open],
    ['sandbox_workspace_write.exclude_tmpdir_env_var', !open],
    ...(instructions === undefined ? [] : [['developer_instructions', instructions] as const]),
    ...(command === undefined
      ? []
      : [['hooks.PreToolUse', [{ matcher: '*', hooks: [command] }]] as const]),
  ];
}

/** The folder in which everything lies that a pattern can match. */
function folderOf(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((one) => /[*?[{]/.test(one));
  return segments.slice(0, wild === -1 ? -1 : wild).join('/');
}

/** TOML of a value: JSON strings are basic strings of TOML, tables are written inline. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${key} = ${toml(one)}`);
  return `{ ${entries.join(', ')} }`;
}

function read(line: string): readonly AgentProgress[] {
  const event = fieldsOf(line);
  if (event === undefined) return plainLine(line);
  switch (event['type']) {
    case 'thread.started':
      return [{ kind: 'session', id: text(event['thread_id']) }];
    case 'item.started':
      return begun(fields(event['item']));
    case 'item.completed':
      return done(fields(event['item']));
    case 'turn.completed':
      return [...used(fields(event['usage'])), { kind: 'end', ok: true }];
    case 'turn.failed':
      return [failure(text(fields(event['error'])['message'])), { kind: 'end', ok: false }];
    case 'error':
      return [{ kind: 'line', text: unwrapped(text(event['message'])) }];
    default:
      return [];
  }
}

function begun(item: Fields): readonly AgentProgress[] {
  switch (item['type']) {
    case 'command_execution':
      return [{ kind: 'tool', name: 'shell', detail: commandIn(item), ...callId(item['id']) }];
    case 'mcp_tool_call': {
      const detail = detailOf(item['arguments']);
      return [{ kind: 'tool', name: text(item['tool']), detail, ...callId(item['id']) }];
    }
    default:
      return [];
  }
}

/** Without the shell that it is given to. */
function commandIn(item: Fields): string {
  const line = detailOf(item);
  const [, quote = '', command = line] = /^\S*\b\w*sh -l?c (['"]?)(.*)$/.exec(line) ?? [];
  return quote !== '' && command.endsWith(quote) ? command.slice(0, -1) : command;
}

function done(item: Fields): readonly AgentProgress[] {
  switch (item['type']) {
    case 'command_execution':
    case 'mcp_tool_call': {
      const { exit_code } = item;
      const words = text(item['aggregated_output']) || text(fields(item['error'])['message']);
      return toolResult(item['id'], words, { failed: item['status'] === 'failed', exit_code });
    }
    case 'agent_message':
      return [{ kind: 'line', text: text(item['text']) }];
    case 'file_change': {
      const paths = list(item['changes']).map((change) => text(change['path']));
      return [{ kind: 'tool', name: 'edit', detail: shortened(paths.join(' ')) }];
    }
    case 'web_search':
      return [{ kind: 'tool', name: 'web_search', detail: detailOf(item) }];
    default:
      // An item of type error is a warning: the turn goes on.
      return [];
  }
}

function used(usage: Fields): readonly AgentProgress[] {
  const input = sum(usage['input_tokens']);
  const output = sum(usage['output_tokens']);
  if (input === undefined && output === undefined) return [];
  return [
    {
      kind: 'usage',
      total: true,
      ...(input === undefined ? {} : { input_tokens: input }),
      ...(output === undefined ? {} : { output_tokens: output }),
    },
  ];
}
