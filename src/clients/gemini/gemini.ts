/**
 * Gemini CLI, headless: `gemini -p`, events as JSON lines (stream-json). Its rules are a policy file on the desk. The
 * hook is a setting in a private home, because it reads system settings from folders of root alone. Stopped by a
 * signal it ends with 0 and without its closing event, `result`.
 */
import { fields, type Fields } from '../../task/core/base/json.ts';
import { lackedNames } from '../../permissions/core/tools.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import {
  editsAll,
  HOOK_SECONDS,
  hookCommand,
  invoked,
  openPatterns,
  option,
  promptOf,
  refusedCommands,
  shutPatterns,
} from '../calls/client-call.ts';
import {
  denial,
  failure,
  plainLine,
  questionsIn,
  reader,
  sessionBegins,
  sum,
  text,
  toolResult,
  toolUse,
} from '../calls/client-events.ts';
import type { Login, LoginSeen } from '../core/client-version.ts';
import { GEMINI_ENV } from './record.ts';

const POLICY = 'gemini-policy.toml';

export const gemini = { prepare, read: reader(eventsOf, besideEvents), login };

/** Judges the login that it chooses without a person. */
function login({ env, textIn }: LoginSeen): Login {
  const settings = textIn('settings.json') ?? '';
  const [, chosen] = /"selectedType"\s*:\s*"([^"]+)"/.exec(settings) ?? [];
  if (chosen === 'oauth-personal')
    return textIn('oauth_creds.json') === undefined ? 'unknown' : 'yes';
  const cloud = ['GOOGLE_GENAI_USE_GCA', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_API_KEY'];
  if (!chosen && cloud.some((name) => env[name])) return 'unknown';
  if (env['GEMINI_API_KEY'] && /^$|^gemini-api-key$/.test(chosen ?? '')) return 'yes';
  return (chosen ?? textIn('.env')) ? 'unknown' : 'no';
}

function prepare(call: AgentCall, run: readonly string[]): Invocation {
  const { desk, model, session } = call;
  const argv = [
    ...run,
    '-p',
    promptOf(call),
    '-o',
    'stream-json',
    '--approval-mode',
    editsAll(call) ? 'auto_edit' : 'default',
    '--policy',
    `${desk}/${POLICY}`,
    ...call.extra_dirs.flatMap((folder) => ['--include-directories', folder]),
    ...option('-m', model),
    ...option('--resume', session),
  ];
  const files = { [POLICY]: policyOf(call) };
  return invoked(call, { argv, env: GEMINI_ENV, files, home_settings: settingsOf(call) });
}

function settingsOf(call: AgentCall): object {
  const hook = hookCommand(call, 'gemini', HOOK_SECONDS * 1000);
  const entry = { name: 'contracts', ...hook };
  return {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    // Desks are ignored by git, and what git ignores its tools would not read: not even the brief.
    context: { fileFiltering: { respectGitIgnore: false } },
    ...(hook && { hooks: { BeforeTool: [{ matcher: '.*', hooks: [entry] }] } }),
  };
}

/** The highest number wins. */
const PRIORITY = { allow: 300, deny: 500 } as const;
const EDITS = ['write_file', 'replace'];

function policyOf(call: AgentCall): string {
  const edits = (globs: readonly string[], decision: 'allow' | 'deny'): readonly string[] =>
    globs.map((one) => rule({ toolName: EDITS, argsPattern: patternOf(one) }, decision));
  const shell =
    call.permission === 'accept_edits'
      ? [
          rule({ toolName: 'web_fetch' }, 'allow'),
          rule({ toolName: 'run_shell_command', allowRedirection: true }, 'allow'),
          ...refusedCommands(call).map((command) =>
            rule({ toolName: 'run_shell_command', commandPrefix: command }, 'deny'),
          ),
        ]
      : [];
  const lacked = lackedNames('gemini', call.permissions.tools);
  const gone = lacked.length === 0 ? [] : [rule({ toolName: lacked }, 'deny')];
  const files = [...edits(openPatterns(call), 'allow'), ...edits(shutPatterns(call), 'deny')];
  return [...files, ...shell, ...gone].join('\n');
}

function rule(of: Readonly<Record<string, unknown>>, decision: 'allow' | 'deny'): string {
  const why = decision === 'deny' && { denyMessage: 'outside the permissions of this agent' };
  const all = { ...of, decision, priority: PRIORITY[decision], ...why };
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return ['[[rule]]', ...lines, ''].join('\n');
}

/** A regular expression over the arguments as JSON. */
function patternOf(glob: string): string {
  const path = JSON.stringify(glob).slice(1, -1);
  const source = path
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wild) =>
      wild === '**/' ? '(.*/)?' : wild === '**' ? '[^"]*' : wild === '*' ? '[^"/]*' : '[^"/]',
    );
  return `"file_path":"${source}"`;
}

const RETRIES = /^Attempt (\d+) failed(?: with (?:status )?(.+?))?\. Retrying with backoff/;

function besideEvents(line: string): readonly AgentProgress[] {
  const [, attempt = '', why = ''] = RETRIES.exec(line) ?? [];
  return attempt === ''
    ? plainLine(line)
    : [{ kind: 'retry', text: `${why} attempt ${attempt}`.trim() }];
}

function eventsOf(event: Fields): readonly AgentProgress[] {
  switch (event['type']) {
    case 'init':
      return sessionBegins(event);
    case 'message':
      return event['role'] === 'assistant' && text(event['content']) !== ''
        ? [{ kind: 'line', text: text(event['content']), part: true }]
        : [];
    case 'tool_use':
      return event['tool_name'] === 'ask_user'
        ? questionsIn(event['parameters'])
        : toolUse(text(event['tool_name']), event['parameters'], event['tool_id']);
    case 'tool_result':
      return ended(event);
    case 'error':
      return [{ kind: 'line', text: text(event['message']) }];
    case 'result':
      return result(event);
    default:
      return [];
  }
}

/** The id of a call begins with the tool's name. */
function ended(event: Fields): readonly AgentProgress[] {
  const { status, tool_id } = event;
  const error = fields(event['error']);
  const words = text(error['message']);
  const tool = /^[a-z_]+?(?=__|[-_]?\d|$)/i.exec(text(tool_id))?.[0] ?? '';
  const denied =
    error['type'] === 'policy_violation' || words.includes('requires user confirmation');
  if (status === 'error' && denied) return [denial(tool, undefined, words, tool_id)];
  const output = text(event['output']) || words;
  const unsure = tool === 'run_shell_command';
  return toolResult(tool_id, output, { failed: status === 'error', unsure });
}

function result(event: Fields): readonly AgentProgress[] {
  const ok = event['status'] === 'success';
  const stats = fields(event['stats']);
  const input_tokens = sum(stats['input_tokens']);
  const output_tokens = sum(stats['output_tokens']);
  const models = Object.keys(fields(stats['models'])).join(', ');
  const error = fields(event['error']);
  const model = models === '' ? {} : { model: models };
  return [
    { kind: 'usage', total: true, input_tokens, output_tokens, ...model },
    ...(ok ? [] : [failure(text(error['message']) || text(error['type']), error['status'])]),
    { kind: 'end', ok },
  ];
}
