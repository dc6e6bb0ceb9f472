/**
 * Codex, headless: `codex exec --json`. Its own sandbox knows folders alone: where it cannot write everything, it works
 * from its desk, and the folders of its globs are added. A resumed session takes no -C and no --sandbox, so both are
 * given as configuration.
 */
import { basename, join } from 'node:path';
import { PROTECTED } from '../../task/core/model/permissions.ts';
import { fields, type Fields } from '../../task/core/base/json.ts';
import { isWithin, openFolders } from '../../task/core/base/folders.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import {
  hookCommand,
  instructionsOf,
  invoked,
  isOpen,
  option,
  promptOf,
} from '../calls/client-call.ts';
import {
  callId,
  detailOf,
  failure,
  list,
  reader,
  shortened,
  sum,
  text,
  toolResult,
  toolUse,
  unwrapped,
} from '../calls/client-events.ts';
import type { Login, LoginSeen } from '../core/client-version.ts';

export const codex = { prepare, read: reader(eventsOf), opens, login };

/** Doubts a no of its status, which knows files alone: a provider of its own may need no login. */
function login({ code, env, textIn }: LoginSeen): Login {
  if (code === 0 || env['CODEX_API_KEY']) return 'yes';
  const own = /^\s*model_provider\s*=/m.test(textIn('config.toml') ?? '');
  return code === 1 && !own && !env['OPENAI_API_KEY'] ? 'no' : 'unknown';
}

function prepare(call: AgentCall, run: readonly string[]): Invocation {
  const { model, session } = call;
  const settings = settingsOf(call).flatMap(([key, value]) =>
    value === undefined ? [] : ['-c', `${key}=${toml(value)}`],
  );
  const argv = [
    ...run,
    'exec',
    ...option('resume', session),
    '--json',
    '--skip-git-repo-check',
    '--disable',
    'plugins',
    ...(call.hook === undefined ? [] : ['--dangerously-bypass-hook-trust']),
    ...settings,
    ...option('-m', model),
    // All of it on stdin: a resumed session takes no text beside a prompt.
    '-',
  ];
  const cwd = isOpen(call) || call.sandboxed === true ? call.root : call.desk;
  // A program that a person put in its place may start an agent whatever its arguments are.
  const isCodex = run.length === 1 && basename(run[0] ?? '') === 'codex';
  const own_sandbox = isCodex && { own_sandbox: [...run, 'sandbox', ...settings, '--'] };
  const stdin = { text: `${promptOf(call)}\n\n${call.brief}` };
  return invoked(call, { argv, stdin, ...own_sandbox, cwd });
}

function opens(call: AgentCall): readonly string[] {
  if (call.permission === 'read_only') return [];
  if (isOpen(call)) return ['.'];
  const { write, create, append, within, kept = PROTECTED } = call.permissions;
  return openFolders(within ?? [...write, ...create, ...append], kept).folders;
}

function settingsOf(call: AgentCall): readonly (readonly [string, unknown])[] {
  const open = isOpen(call);
  const below = (call.opens ?? []).map((folder) => join(call.root, folder));
  const all = [...new Set([call.desk, ...call.extra_dirs, ...below])];
  // Of one that vanishes below another, its sandbox would run no command any more.
  const folders = all.filter((one) => !all.some((up) => up !== one && isWithin(up, one)));
  const hook = hookCommand(call, 'codex');
  return [
    ['check_for_update_on_startup', false],
    ['analytics.enabled', false],
    ['feedback.enabled', false],
    ['approval_policy', 'never'],
    ['sandbox_mode', call.sandboxed === true ? 'danger-full-access' : 'workspace-write'],
    ['sandbox_workspace_write.writable_roots', folders],
    ['sandbox_workspace_write.exclude_slash_tmp', !open],
    ['sandbox_workspace_write.exclude_tmpdir_env_var', !open],
    ['developer_instructions', instructionsOf(call)],
    ['hooks.PreToolUse', hook && [{ matcher: '*', hooks: [hook] }]],
  ];
}

/** TOML of a value: JSON strings are basic strings of TOML, tables are written inline. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, one]) => `${key} = ${toml(one)}`);
  return `{ ${entries.join(', ')} }`;
}

function eventsOf(event: Fields): readonly AgentProgress[] {
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
      return [said(unwrapped(text(event['message'])))];
    default:
      return [];
  }
}

/** An error that did not end the turn. */
const said = (words: string): AgentProgress => ({
  kind: /^(?:Reconnecting|Retrying)\b/i.test(words) ? 'retry' : 'line',
  text: words,
});

function begun(item: Fields): readonly AgentProgress[] {
  switch (item['type']) {
    case 'command_execution':
      return [{ kind: 'tool', name: 'shell', detail: commandIn(item), ...callId(item['id']) }];
    case 'mcp_tool_call':
      return toolUse(text(item['tool']), item['arguments'], item['id']);
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
      return toolUse('web_search', item);
    default:
      // An item of type error is a warning: the turn goes on.
      return [];
  }
}

function used(usage: Fields): readonly AgentProgress[] {
  const input_tokens = sum(usage['input_tokens']);
  const output_tokens = sum(usage['output_tokens']);
  if (input_tokens === undefined && output_tokens === undefined) return [];
  return [{ kind: 'usage', total: true, input_tokens, output_tokens, of_session: 'all' }];
}
