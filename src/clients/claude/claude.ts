/**
 * Claude Code, headless: `claude -p`, events as JSON lines (stream-json). Settings are one argument of JSON: an agent
 * could change a file while it runs. With sub-agents there are several closing events; the last one counts.
 */
import { fields, type Fields } from '../../task/core/base/json.ts';
import { allowedCommands, lackedNames } from '../../permissions/core/tools.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import {
  editsAll,
  hookCommand,
  instructionsOf,
  invoked,
  openPatterns,
  option,
  promptOf,
  refusedCommands,
  shutPatterns,
} from '../calls/client-call.ts';
import {
  amount,
  denial,
  failure,
  list,
  questionsIn,
  reader,
  saying,
  sessionBegins,
  sum,
  text,
  toolResult,
  toolUse,
} from '../calls/client-events.ts';
import { names } from '../core/client-record.ts';
import type { Login, LoginSeen } from '../core/client-version.ts';

const READING = ['Read', 'Glob', 'Grep', 'LS', 'TodoWrite'];

/** Only the model's server is contacted; without tool search all tools are there. */
const ENV = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  ENABLE_TOOL_SEARCH: 'false',
};

export const claude = { prepare, read: reader(eventsOf), login };

function login({ code, text: said }: LoginSeen): Login {
  if (code === 0) return 'yes';
  return /"loggedIn":\s*false/.test(said) ? 'no' : 'unknown';
}

function prepare(call: AgentCall, run: readonly string[]): Invocation {
  const { model, session, extra_dirs } = call;
  const argv = [
    ...run,
    '-p',
    promptOf(call),
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    editsAll(call) ? 'acceptEdits' : 'dontAsk',
    '--settings',
    JSON.stringify(settingsOf(call)),
    ...extra_dirs.flatMap((folder) => ['--add-dir', folder]),
    ...option('--model', model),
    ...option('--append-system-prompt', instructionsOf(call)),
    ...option('--resume', session),
  ];
  return invoked(call, { argv, env: ENV });
}

/** A rule `Edit(//absolute/pattern)` is for all of its tools that write. */
function settingsOf(call: AgentCall): object {
  const lacked = lackedNames('claude', call.permissions.tools);
  const commands = allowedCommands(call.permissions.tools);
  const shell = commands.map((glob) => (glob === '*' ? 'Bash' : `Bash(${glob})`));
  const allow = [
    ...READING,
    ...openPatterns(call).map((pattern) => `Edit(/${pattern})`),
    ...(call.permission === 'accept_edits' ? [...shell, 'WebFetch', 'WebSearch', 'Agent'] : []),
  ];
  const deny = [
    ...shutPatterns(call).map((pattern) => `Edit(/${pattern})`),
    ...refusedCommands(call).map((command) => `Bash(${command}:*)`),
    ...lacked,
  ];
  const hook = hookCommand(call, 'claude');
  return {
    permissions: { allow: allow.filter((name) => !lacked.includes(name)), deny },
    ...(hook && { hooks: { PreToolUse: [{ matcher: '*', hooks: [hook] }] } }),
  };
}

function eventsOf(event: Fields): readonly AgentProgress[] {
  switch (event['type']) {
    case 'system':
      return system(event);
    case 'assistant':
      return list(fields(event['message'])['content']).flatMap((part) => spoken(part, event));
    case 'user':
      return list(fields(event['message'])['content']).flatMap((part) => ended(part, event));
    case 'rate_limit_event': {
      const { status, resetsAt } = fields(event['rate_limit_info']);
      return status === 'rejected' ? [{ kind: 'resets', text: `resets ${resetsAt}` }] : [];
    }
    case 'result':
      return result(event);
    default:
      return [];
  }
}

function system(event: Fields): readonly AgentProgress[] {
  switch (event['subtype']) {
    case 'init':
      return sessionBegins(event);
    case 'permission_denied':
      return [denied(event)];
    case 'api_retry':
      return [{ kind: 'retry', text: retryOf(event) }];
    default:
      return [];
  }
}

function retryOf(event: Fields): string {
  const words = [event['error_status'], event['error'], 'attempt', event['attempt']];
  return words.filter((one) => typeof one === 'string' || typeof one === 'number').join(' ');
}

/** The words of a sub-agent are meant for the agent that called it. */
function spoken(part: Fields, event: Fields): readonly AgentProgress[] {
  if (part['type'] === 'text' && typeof event['parent_tool_use_id'] !== 'string') {
    return saying(part['text']);
  }
  if (part['type'] !== 'tool_use') return [];
  const { name, input, id } = part;
  return name === 'AskUserQuestion' ? questionsIn(input) : toolUse(text(name), input, id);
}

function ended(part: Fields, event: Fields): readonly AgentProgress[] {
  if (part['type'] !== 'tool_result') return [];
  const id = part['tool_use_id'];
  const { content } = part;
  const output =
    text(content) ||
    list(content)
      .map(({ text: one }) => text(one))
      .join('\n');
  const failed = part['is_error'] === true;
  const meta = list(event['tool_result_meta']).find((one) => one['id'] === id);
  const { decision } = fields(meta?.['permission_decision']);
  if (failed && decision === 'reject') return [denial('', undefined, output, id)];
  const [whole, code] = /^Exit code (\d+)\n?/.exec(output) ?? [''];
  const exit_code = code === undefined ? undefined : Number(code);
  return toolResult(id, output.slice(whole.length), { failed, exit_code });
}

function denied(event: Fields): AgentProgress {
  const why = text(event['message']) || text(event['reason']) || text(event['decision_reason']);
  return denial(text(event['tool_name']), event['tool_input'], why, event['tool_use_id']);
}

const OUTPUT = ['outputTokens', 'output_tokens'];
const INPUT = names(`
  inputTokens cacheReadInputTokens cacheCreationInputTokens
  input_tokens cache_read_input_tokens cache_creation_input_tokens
`);

/** Over all models and sub-agents; `usage` alone is that of the last part of a long talk. */
function tokensOf(event: Fields) {
  const models = Object.values(fields(event['modelUsage'])).map(fields);
  const used = models.length > 0 ? models : [fields(event['usage'])];
  const all = (keys: readonly string[]): number | undefined =>
    sum(...used.flatMap((one) => keys.map((key) => one[key])));
  return { input_tokens: all(INPUT), output_tokens: all(OUTPUT) };
}

function result(event: Fields): readonly AgentProgress[] {
  const cost_usd = amount(event['total_cost_usd']);
  const ok = event['subtype'] === 'success' && event['is_error'] !== true;
  return [
    ...list(event['permission_denials'])
      .filter((one) => one['tool_name'] !== 'AskUserQuestion')
      .map(denied),
    { kind: 'usage', total: true, ...tokensOf(event), cost_usd, of_session: 'all' },
    ...(ok ? [] : [wrong(event)]),
    { kind: 'end', ok },
  ];
}

function wrong(event: Fields): AgentProgress {
  const subtype = text(event['subtype']);
  const errors = Array.isArray(event['errors']) ? event['errors'].map(String).join('; ') : '';
  const words = text(event['result']) || errors || subtype;
  if (subtype.startsWith('error_max_')) return { kind: 'error', what: 'limit', text: words };
  if (subtype === 'error_during_execution') return { kind: 'error', what: 'other', text: words };
  return failure(words, event['api_error_status']);
}
