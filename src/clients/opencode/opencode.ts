/**
 * OpenCode, headless: `opencode run --format json`. Environment variables carry its permissions and our plugin on top of
 * the person's own configuration. To load a plugin it installs a package first and waits for the registry, so npm runs
 * offline. The last event is a step that ended with `stop`, or an `error`. Version 2 is written from its sources.
 */
import { pathToFileURL } from 'node:url';
import { relative } from 'node:path/posix';
import { fields, type Fields } from '../../task/core/base/json.ts';
import { ownReason } from '../../permissions/core/denial.ts';
import { allowedCommands, lackedNames } from '../../permissions/core/tools.ts';
import type { AgentCall, AgentProgress, Invocation } from '../../process/adapter.ts';
import { askMajor } from '../calls/ask-version.ts';
import {
  editsAll,
  invoked,
  option,
  promptOf,
  protectedFolders,
  refusedCommands,
  writable,
} from '../calls/client-call.ts';
import {
  amount,
  denial,
  failure,
  plainLine,
  questionsIn,
  reader,
  saying,
  shortened,
  sum,
  text,
  toolResult,
  toolUse,
} from '../calls/client-events.ts';
import type { Login, LoginSeen } from '../core/client-version.ts';
import { places } from './record.ts';

const ENV = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_SHARE: '1',
};
/** The plugin removes it again, so that what the agent runs is not offline. */
const OFFLINE = { npm_config_offline: 'true' };
const INSTRUCTIONS = 'instructions.md';
const OWN = { own_files: places.project.own_files ?? {} };

export const opencode = { prepare, read: reader(eventsOf, besideEvents), askMajor, login };

/** Answers yes or unknown: it has models that need no login. */
function login({ text: said }: LoginSeen): Login {
  return /\b[1-9]\d* (?:credential|environment)/.test(said) ? 'yes' : 'unknown';
}

function prepare(call: AgentCall, run: readonly string[]): Invocation {
  if ((call.major ?? 1) > 1) return prepareTwo(call, run);
  const { desk, model, plugin, session, task } = call;
  const files = filesOf(call);
  const argv = [
    ...run,
    'run',
    '--format',
    'json',
    // Without a title the model is asked for one first.
    '--title',
    task,
    ...option('-m', model),
    ...option('--session', session),
    promptOf(call),
  ];
  const config = {
    autoupdate: false,
    share: 'disabled',
    // The runner itself looks at what changed.
    snapshot: false,
    permission: permissionsOf(call),
    experimental: { continue_loop_on_deny: true },
    ...(plugin && { plugin: [pathToFileURL(plugin).href] }),
    ...(INSTRUCTIONS in files && { instructions: [`${desk}/${INSTRUCTIONS}`] }),
  };
  const env = {
    ...ENV,
    ...(plugin && OFFLINE),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
  };
  return invoked(call, { argv, env, files, ...OWN });
}

function filesOf({ instructions }: AgentCall): Invocation['files'] {
  const text = instructions.trim();
  return text === '' ? {} : { [INSTRUCTIONS]: `${text}\n` };
}

/**
 * Version 2. Without `--standalone` a server of the person does the work: outside of our sandbox, with its own
 * environment and permissions. It quotes an argument that has a space, and works in PWD, whatever its folder is.
 */
function prepareTwo(call: AgentCall, run: readonly string[]): Invocation {
  const { desk, model, root, session, task } = call;
  const files = filesOf(call);
  const argv = [
    ...run,
    'run',
    '--standalone',
    '--format',
    'json',
    ...(session === undefined ? ['--title', task] : option('--session', session)),
    ...option('-m', model),
  ];
  const config = {
    update: 'disable',
    share: 'disabled',
    snapshots: false,
    permissions: rulesOf(permissionsOf(call)),
    ...(INSTRUCTIONS in files && { instructions: [`${desk}/${INSTRUCTIONS}`] }),
  };
  const env = { ...ENV, PWD: root, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
  const stdin = { text: `${promptOf(call)}\n\n${call.brief}` };
  return invoked(call, { argv, env, stdin, files, ...OWN });
}

const ACTIONS: Readonly<Record<string, string>> = { bash: 'shell', task: 'subagent' };

/** One list in its order: there, too, the last rule that matches wins. */
function rulesOf(permissions: ReturnType<typeof permissionsOf>): readonly object[] {
  return Object.entries(permissions).flatMap(([name, rules]) => {
    const all = typeof rules === 'string' ? { '*': rules } : rules;
    const action = ACTIONS[name] ?? name;
    return Object.entries(all).map(([resource, effect]) => ({ action, resource, effect }));
  });
}

type Rules = Record<string, 'allow' | 'deny'>;

/** The last rule that matches wins. `ask` would be rejected, and the run with it. */
function permissionsOf(call: AgentCall): Readonly<Record<string, Rules | 'allow' | 'deny'>> {
  const { root, desk, extra_dirs, permission } = call;
  const places = (absolute: string): readonly string[] => {
    const path = relative(root, absolute);
    return path.startsWith('..') ? [path, absolute, absolute.slice(1)] : [path, `*/${path}`];
  };
  const edit: Rules = { '*': editsAll(call) ? 'allow' : 'deny' };
  for (const glob of writable(call)) for (const place of places(glob)) edit[place] = 'allow';
  for (const path of protectedFolders(call)) {
    for (const place of places(path)) {
      edit[place] = 'deny';
      edit[`${place}/*`] = 'deny';
    }
  }
  const outside: Rules = { '*': 'deny' };
  for (const folder of [desk, ...extra_dirs]) {
    for (const place of places(folder)) edit[`${place}/*`] = 'allow';
    outside[`${folder}/*`] = 'allow';
  }
  const { tools } = call.permissions;
  const bash: Rules = { '*': 'deny' };
  if (permission === 'accept_edits') for (const one of allowedCommands(tools)) bash[one] = 'allow';
  for (const command of refusedCommands(call)) bash[`${command}*`] = 'deny';
  const lacked = lackedNames('opencode', tools).map((name) => [name, 'deny'] as const);
  const fixed = { external_directory: outside, question: 'deny', doom_loop: 'deny' } as const;
  return { edit, bash, ...fixed, ...Object.fromEntries(lacked) };
}

function eventsOf(event: Fields): readonly AgentProgress[] {
  const part = fields(event['part']);
  switch (event['type']) {
    case 'step_start':
      return [{ kind: 'session', id: text(event['sessionID']) }];
    case 'text':
      return saying(part['text']);
    case 'tool_use':
      return tool(part);
    case 'step_finish':
      return finished(part);
    case 'error':
      return [...wrong(fields(event['error'])), { kind: 'end', ok: false }];
    default:
      return [];
  }
}

/** Printed by our plugin: the events of `run` do not tell. */
const RETRIES = /^contracts: retry (.+)/;
const REQUEST = /permission requested: (\w+) \((.*)\); auto-rejecting/;

/** For an unknown option it prints its help alone; this is the first line. */
const HELP = /^opencode run \[message\.\.\]/;

function besideEvents(line: string): readonly AgentProgress[] {
  if (HELP.test(line)) {
    const text = `it printed its help: ${line.trim()}`;
    return [
      { kind: 'noise', text: line },
      { kind: 'error', what: 'version', text },
    ];
  }
  const [, retried] = RETRIES.exec(line) ?? [];
  if (retried !== undefined) return [{ kind: 'retry', text: shortened(retried) }];
  const asked = REQUEST.exec(line);
  if (asked === null) return plainLine(line);
  return [{ kind: 'denied', tool: asked[1] ?? '', why: asked[2] ?? '' }];
}

const DENIAL = /rejected permission|prevents? you from using|denied|not allowed/i;

function tool(part: Fields): readonly AgentProgress[] {
  const name = text(part['tool']);
  const state = fields(part['state']);
  const { input } = state;
  if (name === 'question') return questionsIn(input);
  const error = text(state['error']);
  const failed = state['status'] === 'error';
  const denied = ownReason(error) !== undefined || DENIAL.test(error);
  if (failed && denied) return [denial(name, input, error)];
  // Version 2 has the id of the part as `partID`.
  const id = part['callID'] ?? part['id'];
  const { exit: exit_code } = fields(state['metadata']);
  const output = text(state['output']) || error;
  return [...toolUse(name, input, id), ...toolResult(id, output, { failed, exit_code })];
}

function finished(part: Fields): readonly AgentProgress[] {
  const tokens = fields(part['tokens']);
  const cache = fields(tokens['cache']);
  const usage: AgentProgress = {
    kind: 'usage',
    input_tokens: sum(tokens['input'], cache['read'], cache['write']),
    output_tokens: sum(tokens['output'], tokens['reasoning']),
    cost_usd: amount(part['cost']),
  };
  switch (part['reason']) {
    case 'stop':
      return [usage, { kind: 'end', ok: true }];
    case 'length':
      return [
        usage,
        { kind: 'error', what: 'limit', text: 'the answer was cut off at the length limit' },
      ];
    default:
      return [usage];
  }
}

function wrong(error: Fields): readonly AgentProgress[] {
  const data = fields(error['data']);
  const message =
    text(data['message']) || text(error['message']) || text(error['name'] ?? error['type']);
  const { responseHeaders: headers, statusCode: status } = data;
  const resets = { kind: 'resets', text: text(JSON.stringify(headers)) } as const;
  return [...(headers === undefined ? [] : [resets]), failure(message, status)];
}
