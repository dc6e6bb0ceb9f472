/**
 * The clients as tables: the events that each prints, one sample of each kind, against what they mean,
 * and what a call becomes. How they end is in core/client-end.test.ts.
 */
import { describe, expect, test } from 'vitest';
import type { Adapter, AgentCall, AgentProgress, Invocation } from '../../src/process/adapter.ts';
import { ownReason, refusalWords } from '../../src/permissions/core/denial.ts';
import { names } from '../../src/clients/core/client-record.ts';
import { CLIENT_TYPES, CLIENTS } from '../../src/clients/core/records.ts';
import { clientAdapter } from '../../src/clients/adapters/client-table.ts';
import { adapterFor } from '../../src/clients/adapters/registry.ts';
import { OPEN, READ_ONLY } from '../../src/task/core/model/permissions.ts';
import { Fault } from '../../src/task/core/model/problem.ts';
import { call } from './calls.ts';

type Events = readonly (readonly [string, readonly AgentProgress[]])[];

const OPENCODE: Events = [
  [
    '{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"type":"step-start"}}',
    [{ kind: 'session', id: 'ses_1' }],
  ],
  [
    '{"type":"tool_use","timestamp":1795291895686,"sessionID":"ses_1","part":{"type":"tool","tool":"write","callID":"call_1","state":{"status":"completed","input":{"filePath":"/r/questions.md","content":"x"},"output":"Wrote file successfully.","title":"questions.md"},"id":"prt_1"}}',
    [
      { kind: 'tool', name: 'write', detail: '/r/questions.md', call: 'call_1' },
      { kind: 'result', call: 'call_1', ok: true, text: '' },
    ],
  ],
  [
    '{"type":"tool_use","part":{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"npm test"},"output":"running\\nError: 2 tests failed\\n","metadata":{"exit":3}}}}',
    [
      { kind: 'tool', name: 'bash', detail: 'npm test', call: 'c' },
      { kind: 'result', call: 'c', ok: false, text: 'Error: 2 tests failed', exit_code: 3 },
    ],
  ],
  [
    '{"type":"tool_use","part":{"type":"tool","tool":"edit","state":{"status":"error","input":{"filePath":"a.ts"},"error":"contracts: this is outside your permissions. create a.ts: the contract lets it write out/**. Do not look for a way around it. And so on."}}}',
    [{ kind: 'denied', tool: 'edit', why: 'create a.ts: the contract lets it write out/**' }],
  ],
  [
    '{"type":"tool_use","sessionID":"ses_1","part":{"type":"tool","tool":"edit","state":{"status":"error","input":{"filePath":"a.ts"},"error":"The user rejected permission to use this specific tool call."}}}',
    [
      {
        kind: 'denied',
        tool: 'edit',
        why: 'a.ts: The user rejected permission to use this specific tool call',
      },
    ],
  ],
  [
    '{"type":"tool_use","sessionID":"ses_1","part":{"type":"tool","tool":"question","state":{"status":"error","input":{"questions":[{"question":"Which colour?","options":[{"label":"red"},{"label":"blue"}]}]}}}}',
    [{ kind: 'question', text: 'Which colour? (red / blue)' }],
  ],
  [
    '! permission requested: edit (result.md); auto-rejecting',
    [{ kind: 'denied', tool: 'edit', why: 'result.md' }],
  ],
  [
    '{"type":"text","sessionID":"ses_1","part":{"type":"text","text":"Done."}}',
    [{ kind: 'line', text: 'Done.' }],
  ],
  [
    '{"type":"step_finish","sessionID":"ses_1","part":{"reason":"tool-calls","cost":0.01,"tokens":{"input":100,"output":10,"reasoning":5,"cache":{"read":20,"write":1}}}}',
    [{ kind: 'usage', input_tokens: 121, output_tokens: 15, cost_usd: 0.01 }],
  ],
  [
    '{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","cost":0,"tokens":{"input":1,"output":2}}}',
    [
      { kind: 'usage', input_tokens: 1, output_tokens: 2, cost_usd: 0 },
      { kind: 'end', ok: true },
    ],
  ],
  [
    '{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"No such model","statusCode":400}}}',
    [
      { kind: 'error', what: 'model', text: '400 No such model' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"slow down","statusCode":429,"responseHeaders":{"retry-after":"600","retry-after-ms":"20"}}}}',
    [
      { kind: 'resets', text: '{"retry-after":"600","retry-after-ms":"20"}' },
      { kind: 'error', what: 'model', text: '429 slow down' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"no","statusCode":401}}}',
    [
      { kind: 'error', what: 'login', text: '401 no' },
      { kind: 'end', ok: false },
    ],
  ],
];

const CODEX: Events = [
  ['{"type":"thread.started","thread_id":"01a1"}', [{ kind: 'session', id: '01a1' }]],
  ['{"type":"turn.started"}', []],
  [
    '{"type":"item.started","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc ls","status":"in_progress"}}',
    [{ kind: 'tool', name: 'shell', detail: 'ls', call: 'item_2' }],
  ],
  [
    '{"type":"item.started","item":{"id":"i","type":"command_execution","command":"/bin/bash -lc \'echo \\"a\\"; exit 3\'"}}',
    [{ kind: 'tool', name: 'shell', detail: 'echo "a"; exit 3', call: 'i' }],
  ],
  [
    '{"type":"item.completed","item":{"id":"item_2","type":"command_execution","command":"/bin/bash -lc ls","aggregated_output":"","exit_code":0,"status":"completed"}}',
    [{ kind: 'result', call: 'item_2', ok: true, text: '', exit_code: 0 }],
  ],
  [
    '{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"x","aggregated_output":"a\\nb: not found\\n","exit_code":127,"status":"failed"}}',
    [{ kind: 'result', call: 'i', ok: false, text: 'b: not found', exit_code: 127 }],
  ],
  [
    '{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"/r/a","kind":"add"},{"path":"/r/b","kind":"update"}]}}',
    [{ kind: 'tool', name: 'edit', detail: '/r/a /r/b' }],
  ],
  [
    '{"type":"item.completed","item":{"type":"agent_message","text":"Wrote questions.md."}}',
    [{ kind: 'line', text: 'Wrote questions.md.' }],
  ],
  ['{"type":"item.completed","item":{"type":"error","message":"Model metadata not found"}}', []],
  [
    '{"type":"turn.completed","usage":{"input_tokens":200,"cached_input_tokens":10,"output_tokens":20}}',
    [
      {
        kind: 'usage',
        total: true,
        of_session: 'all',
        input_tokens: 200,
        output_tokens: 20,
      },
      { kind: 'end', ok: true },
    ],
  ],
  [
    '{"type":"turn.failed","error":{"message":"unexpected status 400 Bad Request: {\\"error\\":{\\"message\\":\\"no such model\\"}}"}}',
    [
      { kind: 'error', what: 'model', text: 'unexpected status 400 Bad Request: no such model' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"turn.failed","error":{"message":"unexpected status 429 Too Many Requests: oauth rate limit"}}',
    [
      {
        kind: 'error',
        what: 'model',
        text: 'unexpected status 429 Too Many Requests: oauth rate limit',
      },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"turn.failed","error":{"message":"unexpected status 503 Service Unavailable: authentication failed"}}',
    [
      {
        kind: 'error',
        what: 'model',
        text: 'unexpected status 503 Service Unavailable: authentication failed',
      },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"turn.failed","error":{"message":"Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again."}}',
    [
      {
        kind: 'error',
        what: 'login',
        text: 'Your access token could not be refreshed because your refresh token was already used. Please log out and sign in again.',
      },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: Missing bearer"}}',
    [
      {
        kind: 'error',
        what: 'login',
        text: 'unexpected status 401 Unauthorized: Missing bearer',
      },
      { kind: 'end', ok: false },
    ],
  ],
];

const GEMINI: Events = [
  [
    '{"type":"init","timestamp":"t","session_id":"u-1","model":"gemini-2.5-flash"}',
    [
      { kind: 'session', id: 'u-1' },
      { kind: 'usage', model: 'gemini-2.5-flash' },
    ],
  ],
  ['{"type":"message","role":"user","content":"do it"}', []],
  [
    '{"type":"message","role":"assistant","content":"Wro","delta":true}',
    [{ kind: 'line', text: 'Wro', part: true }],
  ],
  [
    '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":{"file_path":"/r/a"}}',
    [{ kind: 'tool', name: 'write_file', detail: '/r/a', call: '1' }],
  ],
  [
    '{"type":"tool_use","tool_name":"ask_user","tool_id":"1","parameters":{"questions":[{"question":"Which?"}]}}',
    [{ kind: 'question', text: 'Which?' }],
  ],
  [
    '{"type":"tool_result","tool_id":"1","status":"success"}',
    [{ kind: 'result', call: '1', ok: true, text: '' }],
  ],
  [
    '{"type":"tool_result","tool_id":"run_shell_command__run_shell_command_17_0","status":"success","output":"one\\nError: two"}',
    [
      {
        kind: 'result',
        call: 'run_shell_command__run_shell_command_17_0',
        ok: true,
        text: 'Error: two',
      },
    ],
  ],
  [
    '{"type":"tool_result","tool_id":"write_file__call_1","status":"error","error":{"type":"policy_violation","message":"outside its permissions"}}',
    [
      {
        kind: 'denied',
        tool: 'write_file',
        why: 'outside its permissions',
        call: 'write_file__call_1',
      },
    ],
  ],
  [
    '{"type":"result","status":"success","stats":{"total_tokens":220,"input_tokens":200,"output_tokens":20,"tool_calls":1,"models":{"gemini-2.5-pro":{},"gemini-2.5-flash":{}}}}',
    [
      {
        kind: 'usage',
        total: true,
        input_tokens: 200,
        output_tokens: 20,
        model: 'gemini-2.5-pro, gemini-2.5-flash',
      },
      { kind: 'end', ok: true },
    ],
  ],
  [
    '{"type":"result","status":"error","error":{"type":"FatalTurnLimitedError","message":"Reached max session turns"},"stats":{}}',
    [
      { kind: 'usage', total: true },
      { kind: 'error', what: 'limit', text: 'Reached max session turns' },
      { kind: 'end', ok: false },
    ],
  ],
];

const CLAUDE: Events = [
  [
    '{"type":"system","subtype":"init","session_id":"c-1","tools":["Write"],"mcp_servers":[],"permissionMode":"acceptEdits","model":"claude-sonnet-4-5"}',
    [
      { kind: 'session', id: 'c-1' },
      { kind: 'usage', model: 'claude-sonnet-4-5' },
    ],
  ],
  [
    '{"type":"assistant","message":{"content":[{"type":"text","text":"Hm."},{"type":"tool_use","name":"Write","input":{"file_path":"/r/a","content":"x"}}]},"parent_tool_use_id":null}',
    [
      { kind: 'line', text: 'Hm.' },
      { kind: 'tool', name: 'Write', detail: '/r/a' },
    ],
  ],
  [
    '{"type":"assistant","message":{"content":[{"type":"text","text":"for my caller"}]},"parent_tool_use_id":"t1"}',
    [],
  ],
  [
    '{"type":"assistant","message":{"content":[{"type":"tool_use","name":"AskUserQuestion","input":{"questions":[{"question":"Which?","options":[]}]}}]},"parent_tool_use_id":null}',
    [{ kind: 'question', text: 'Which?' }],
  ],
  [
    '{"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"Done.","session_id":"c-1","total_cost_usd":0.02,"usage":{"input_tokens":100,"cache_read_input_tokens":20,"cache_creation_input_tokens":3,"output_tokens":10},"permission_denials":[{"tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"git push"}}],"terminal_reason":"completed"}',
    [
      { kind: 'denied', tool: 'Bash', why: 'git push', call: 't' },
      {
        kind: 'usage',
        total: true,
        of_session: 'all',
        input_tokens: 123,
        output_tokens: 10,
        cost_usd: 0.02,
      },
      { kind: 'end', ok: true },
    ],
  ],
  [
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"Exit code 3\\nError: 2 tests failed"}]}}',
    [{ kind: 'result', call: 't', ok: false, text: 'Error: 2 tests failed', exit_code: 3 }],
  ],
  [
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"No errors."}]}]}}',
    [{ kind: 'result', call: 't', ok: true, text: '' }],
  ],
  [
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"PreToolUse:Write hook error: contracts: this is outside your permissions. create a: the contract lets it write out/**. Do not look for a way around it. X"}]},"tool_result_meta":[{"id":"t","permission_decision":{"decision":"reject"}}]}',
    [{ kind: 'denied', tool: '', why: 'create a: the contract lets it write out/**', call: 't' }],
  ],
  [
    '{"type":"result","subtype":"success","is_error":false,"total_cost_usd":1,"usage":{"input_tokens":1000000,"output_tokens":100},"modelUsage":{"a":{"inputTokens":1,"cacheReadInputTokens":20,"cacheCreationInputTokens":300,"outputTokens":5},"b":{"inputTokens":4000,"outputTokens":50}}}',
    [
      {
        kind: 'usage',
        total: true,
        of_session: 'all',
        input_tokens: 4321,
        output_tokens: 55,
        cost_usd: 1,
      },
      { kind: 'end', ok: true },
    ],
  ],
  [
    '{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":3,"errors":["Reached maximum number of turns (3)"]}',
    [
      { kind: 'usage', total: true, of_session: 'all' },
      { kind: 'error', what: 'limit', text: 'Reached maximum number of turns (3)' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795460400,"rateLimitType":"five_hour"}}',
    [{ kind: 'resets', text: 'resets 1795460400' }],
  ],
  [
    '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1795460400}}',
    [],
  ],
  [
    '{"type":"result","subtype":"success","is_error":true,"result":"API Error: 400 no such model","terminal_reason":"api_error","usage":{}}',
    [
      { kind: 'usage', total: true, of_session: 'all' },
      { kind: 'error', what: 'model', text: 'API Error: 400 no such model' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login"}',
    [
      { kind: 'usage', total: true, of_session: 'all' },
      { kind: 'error', what: 'login', text: 'Invalid API key · Please run /login' },
      { kind: 'end', ok: false },
    ],
  ],
];

/**
 * OpenCode 2, which was not run here: shapes as `packages/cli/src/run/noninteractive.ts` of anomalyco/opencode writes
 * them (`emit`), read in November 2026; a line of 2.0.19 that another project published agrees.
 */
const OPENCODE_TWO: Events = [
  [
    '{"type":"step_start","timestamp":1795291895001,"sessionID":"ses_2","part":{"id":"prt_1","sessionID":"ses_2","messageID":"msg_1","type":"step-start","snapshot":"4b1c"}}',
    [{ kind: 'session', id: 'ses_2' }],
  ],
  [
    '{"type":"tool_use","timestamp":1795291895686,"sessionID":"ses_2","part":{"partID":"prt_2","sessionID":"ses_2","messageID":"msg_1","type":"tool","id":"call_1","tool":"write","state":{"status":"completed","input":{"path":"/r/out/a.txt","content":"x"},"output":"Created file successfully: out/a.txt","title":"write","metadata":{},"time":{"start":1,"end":2}}}}',
    [
      { kind: 'tool', name: 'write', detail: '/r/out/a.txt', call: 'call_1' },
      { kind: 'result', call: 'call_1', ok: true, text: '' },
    ],
  ],
  [
    '{"type":"tool_use","timestamp":1,"sessionID":"ses_2","part":{"partID":"prt_3","type":"tool","id":"call_2","tool":"shell","state":{"status":"completed","input":{"command":"npm test"},"output":"Error: 2 tests failed","title":"shell","metadata":{"exit":3,"truncated":false}}}}',
    [
      { kind: 'tool', name: 'shell', detail: 'npm test', call: 'call_2' },
      { kind: 'result', call: 'call_2', ok: false, text: 'Error: 2 tests failed', exit_code: 3 },
    ],
  ],
  [
    '{"type":"tool_use","timestamp":1,"sessionID":"ses_2","part":{"partID":"prt_4","type":"tool","id":"call_3","tool":"subagent","state":{"status":"error","input":{"prompt":"Look"},"error":"Permission denied: subagent","metadata":{}}}}',
    [{ kind: 'denied', tool: 'subagent', why: 'Look: Permission denied: subagent' }],
  ],
  [
    '{"type":"text","timestamp":1,"sessionID":"ses_2","part":{"id":"prt_5","messageID":"msg_1","type":"text","text":"Done.","time":{"start":1,"end":2}}}',
    [{ kind: 'line', text: 'Done.' }],
  ],
  [
    '{"type":"step_finish","timestamp":1,"sessionID":"ses_2","part":{"id":"prt_6","type":"step-finish","reason":"tool-calls","cost":0.25,"tokens":{"input":100,"output":20,"reasoning":5,"cache":{"read":40,"write":2}}}}',
    [{ kind: 'usage', input_tokens: 142, output_tokens: 25, cost_usd: 0.25 }],
  ],
  [
    '{"type":"step_finish","timestamp":1,"sessionID":"ses_2","part":{"id":"prt_7","type":"step-finish","reason":"stop","cost":0,"tokens":{"input":1,"output":1,"reasoning":0,"cache":{"read":0,"write":0}}}}',
    [
      { kind: 'usage', input_tokens: 1, output_tokens: 1, cost_usd: 0 },
      { kind: 'end', ok: true },
    ],
  ],
  // Before there is a session.
  [
    '{"type":"error","timestamp":1,"sessionID":"","error":{"type":"unknown","message":"Model unavailable: a/b"}}',
    [
      { kind: 'error', what: 'model', text: 'Model unavailable: a/b' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '{"type":"error","timestamp":1,"sessionID":"ses_2","error":{"type":"aborted"}}',
    [
      { kind: 'error', what: 'model', text: 'aborted' },
      { kind: 'end', ok: false },
    ],
  ],
  [
    '! permission requested: external_directory (/etc/*); auto-rejecting',
    [{ kind: 'denied', tool: 'external_directory', why: '/etc/*' }],
  ],
];

const EVENTS = {
  opencode: [...OPENCODE, ...OPENCODE_TWO],
  codex: CODEX,
  gemini: GEMINI,
  claude: CLAUDE,
} as const;

/** What is given, and what is not, where an agent lists read, write and fetch. */
const NARROWED: Readonly<Record<string, readonly (readonly [string, boolean])[]>> = {
  claude: [
    ['"WebFetch","WebSearch"]', true],
    ['"allow":["Read","Glob","Grep","LS","TodoWrite"', true],
    ['"Bash","BashOutput","KillShell","PowerShell","Task","Agent"]', true],
    ['"Bash","WebFetch"', false],
  ],
  gemini: [
    ['toolName = "web_fetch"\ndecision = "allow"', true],
    ['toolName = ["run_shell_command","invoke_agent"]\ndecision = "deny"\npriority = 500', true],
  ],
  opencode: [
    ['\\"task\\":\\"deny\\"', true],
    ['\\"bash\\":\\"deny\\"', true],
    ['webfetch', false],
  ],
  // It has no such list.
  codex: [['fetch', false]],
};

/** What only an agent has that may write its desk and nothing else by a tool for files. */
const SHUT: Readonly<Partial<Record<string, readonly string[]>>> = {
  claude: [
    '"dontAsk"',
    String.raw`\"allow\":[\"Read\",\"Glob\",\"Grep\",\"LS\",\"TodoWrite\",\"Edit(//w/desk/**)\",\"Bash\"`,
  ],
  gemini: ['"default"'],
  opencode: [String.raw`\"edit\":{\"*\":\"deny\",\".git\"`],
};

const SOME_COMMANDS: Readonly<Partial<Record<string, string>>> = {
  claude: '"Edit(//w/**)","Bash(git log *)","Bash(npm test)"]',
  opencode: String.raw`\"bash\":{\"*\":\"deny\",\"git log *\":\"allow\",\"npm test\":\"allow\",\"git tag`,
};

async function loaded(type: (typeof CLIENT_TYPES)[number]): Promise<Adapter> {
  return (await clientAdapter(type).load?.()) ?? clientAdapter(type);
}

async function argvOf(
  type: (typeof CLIENT_TYPES)[number],
  change: Partial<AgentCall> = {},
): Promise<readonly string[]> {
  const full = { permission: 'accept_edits' as const, extra_dirs: ['/w/desk'], ...change };
  return (await loaded(type)).prepare(call(full)).argv;
}

const WHY = 'create a.ts: the contract lets it write out/**';
const REFUSED = refusalWords(WHY, '/w/desk');

/** An event of each that quotes it; of codex a plain line, where alone its reader looks for one. */
const REFUSALS: Readonly<Record<(typeof CLIENT_TYPES)[number], string>> = {
  opencode: JSON.stringify({
    type: 'tool_use',
    part: { tool: 'edit', state: { status: 'error', input: { filePath: 'a.ts' }, error: REFUSED } },
  }),
  claude: JSON.stringify({
    type: 'user',
    message: {
      content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: REFUSED }],
    },
    tool_result_meta: [{ id: 't', permission_decision: { decision: 'reject' } }],
  }),
  codex: `error: ${REFUSED}`,
  gemini: JSON.stringify({
    type: 'tool_result',
    tool_id: 'write_file__1',
    status: 'error',
    error: { type: 'policy_violation', message: `Tool execution blocked: ${REFUSED}` },
  }),
};

test('of our refusal the reason is read back, whole or cut at its end', () => {
  expect(ownReason(REFUSED)).toBe(WHY);
  expect(ownReason(`hook error: ${REFUSED} X`)).toBe(WHY);
  expect(ownReason(REFUSED.slice(0, REFUSED.indexOf('/**') + 3))).toBe(WHY);
  expect(ownReason('permission denied')).toBeUndefined();
});

describe('OpenCode 2', () => {
  const two = async (change: Partial<AgentCall> = {}) =>
    (await loaded('opencode')).prepare(call({ major: 2, ...change }));
  const rulesIn = ({ env }: Invocation) => {
    const config = JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '') as { permissions: unknown[] };
    return config.permissions as { action: string; resource: string; effect: string }[];
  };
  /** As `evaluate` of packages/core/src/permission.ts: the last rule that matches, else `ask`. */
  const effectOf = (rules: ReturnType<typeof rulesIn>, action: string, resource: string) =>
    rules.findLast((one) => one.action === action && globOf(one.resource).test(resource))?.effect ??
    'ask';
  const globOf = (glob: string): RegExp =>
    new RegExp(`^${glob.replace(/[.+^$()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

  test('a server of its own, the folder as PWD, and no argument with a space', async () => {
    const change = { model: 'a/model', extra_dirs: ['/w/desk'], instructions: 'Be brief.\n' };
    const { argv, env, stdin, cwd, files } = await two({ ...change, root: '/a b' });
    expect(argv).toEqual(
      `opencode run --standalone --format json --title ${call().task} -m a/model`.split(' '),
    );
    expect([env['PWD'], cwd]).toEqual(['/a b', '/a b']);
    expect(stdin).toEqual({ text: expect.stringMatching(/^You are called[^]*# CONTEXT\n$/) });
    expect(files).toEqual({ 'instructions.md': 'Be brief.\n' });
    expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      update: 'disable',
      share: 'disabled',
      instructions: ['/w/desk/instructions.md'],
    });
    const again = await two({ session: 'ses_2', plugin: '/p.js' });
    expect(again.argv.join(' ')).toBe('opencode run --standalone --format json --session ses_2');
    expect(JSON.stringify(again.env)).not.toMatch(/plugin|offline/);
  });

  test('in a terminal it has a server of its own, too', async () => {
    const { argv } = await two({ interactive: true, session: 'ses_2' });
    expect(argv.slice(0, 2)).toEqual(['opencode', '--prompt']);
    expect(argv.slice(3)).toEqual(['--standalone', '--session', 'ses_2']);
  });

  test('version 1, and one that is not known, are called as before', async () => {
    for (const change of [{ major: 1 }, {}]) {
      const { argv, env } = (await loaded('opencode')).prepare(call(change));
      expect(argv).not.toContain('--standalone');
      expect(env).not.toHaveProperty('PWD');
    }
  });

  test('its rules allow and deny in their order, and never ask', async () => {
    const tools = ['read', 'write', 'shell(git log:*)'];
    const narrow = { write: ['src/**'], create: [], append: [] };
    const permissions = { ...OPEN, tools, ...narrow };
    const change = { permission: 'accept_edits' as const, extra_dirs: ['/w/desk'], permissions };
    const rules = rulesIn(await two({ ...change, root: '/w' }));
    expect(new Set(rules.map(({ effect }) => effect))).toEqual(new Set(['allow', 'deny']));
    const of = (action: string, resource: string): string => effectOf(rules, action, resource);
    expect(of('edit', 'src/a.ts')).toBe('allow');
    expect(of('edit', 'docs/a.md')).toBe('deny');
    expect(of('edit', '.contracts/config.yaml')).toBe('deny');
    expect(of('edit', 'desk/result.md')).toBe('allow');
    expect(of('shell', 'git log -1')).toBe('allow');
    expect(of('shell', 'npm test')).toBe('deny');
    expect(of('question', '*')).toBe('deny');
    expect(of('subagent', '*')).toBe('deny');
    expect(of('webfetch', '*')).toBe('deny');
    expect(of('external_directory', '/etc/*')).toBe('deny');
    expect(rules.map(({ action }) => action)).not.toContain('bash');
  });
});

describe.each(CLIENT_TYPES)('%s', (type) => {
  test('our refusal, in the words that we print, is a denial with its reason', async () => {
    const events = (await loaded(type)).read(REFUSALS[type]);
    expect(events).toEqual([expect.objectContaining({ kind: 'denied', why: WHY })]);
  });

  test.each(EVENTS[type].map(([line, events]) => ({ line, events })))(
    'reads $line',
    async ({ line, events }) => {
      expect((await loaded(type)).read(line)).toEqual(events);
    },
  );

  const odd = ['', ' ', '[1]', '{', '{"type":', '{"type":3}', '{"type":"unheard"}', '{}'];
  test('a line that is not an event of its own is noise, or nothing', async () => {
    const { read } = await loaded(type);
    for (const line of odd.filter((one) => one.trim() !== '' && !one.startsWith('[')))
      expect(read(line), line).toEqual([]);
    expect(read('')).toEqual([]);
    expect(read('Loaded credentials.')).toEqual([{ kind: 'noise', text: 'Loaded credentials.' }]);
    expect(read('Ripgrep is not available. Falling back to GrepTool.')).toEqual([]);
    expect(read("[STARTUP] Cannot measure phase 'cleanup_ops'")).toEqual([]);
    const words = ['result', 'error', 'item.completed', 'tool_use', 'assistant', 'step_finish'];
    for (const word of words) {
      for (const value of ['null', '[]', '"x"', '{"content":[null,3]}', '-1']) {
        const line = `{"type":"${word}","part":${value},"item":${value},"message":${value},"usage":${value},"error":${value},"stats":${value}}`;
        expect(() => read(line), line).not.toThrow();
      }
    }
  });

  test('its prompt points at the brief and never holds it, nor stands before an option', async () => {
    const brief = 'x'.repeat(300_000);
    const long = call({ brief, instructions: 'y'.repeat(200_000) });
    const { argv, stdin } = (await loaded(type)).prepare(long);
    expect(argv[0]).toBe(CLIENTS[type].program);
    expect(argv.join('').length).toBeLessThan(20_000);
    const text = stdin === 'null' ? '' : stdin.text;
    expect(text.endsWith(brief)).toBe(true);
    const prompt = [...argv, text].find((one) => one.includes('/w/desk/brief.md'));
    expect(prompt).toMatch(/^You are called/);
  });

  test('model, session and the hook are given where they are known', async () => {
    const plain = (await argvOf(type)).join(' ');
    expect(plain).not.toMatch(/resume|--session|some-model/);
    const change = { model: 'some-model', session: 'id-1', hook: ['/n', '/c.cjs', 'hook'] };
    const { argv, home_settings } = (await loaded(type)).prepare(call(change));
    expect(argv).toContain('some-model');
    expect(argv).toContain('id-1');
    const all = [...argv, JSON.stringify(home_settings)].join('\n');
    if (type !== 'opencode') expect(all).toContain(`'/n' '/c.cjs' 'hook' '${type}'`);
  });

  test('a client that loads a plugin is given ours, and waits for no registry', async () => {
    const named = (await loaded(type)).prepare(call({ plugin: '/a b/plugin.js' })).env;
    const without = (await loaded(type)).prepare(call()).env;
    expect(JSON.stringify(without)).not.toMatch(/plugin|offline/);
    const told = JSON.stringify(named);
    if (type !== 'opencode') expect(told).not.toMatch(/plugin\.js|offline/);
    else {
      expect(named['npm_config_offline']).toBe('true');
      const config = JSON.parse(named['OPENCODE_CONFIG_CONTENT'] ?? '') as { plugin: string[] };
      expect(config.plugin).toEqual(['file:///a%20b/plugin.js']);
    }
  });

  test.each(['--yolo', '-x', 'a b', 'a\nb', ''])(
    'no option can be its model: %j',
    async (model) => {
      await expect(argvOf(type, { model })).rejects.toThrow(Fault);
    },
  );

  test('its stdin is the brief, and another program can be named for it', async () => {
    const adapter = adapterFor('mine', {
      adapters: { mine: { type, run: ['npx', 'it'], env: ['K'] } },
    });
    expect(adapter).toMatchObject({ name: 'mine', program: 'npx', resumable: true });
    expect(adapter?.env_names).toEqual(
      expect.arrayContaining(['K', ...names(CLIENTS[type].variables.env), 'HTTP_PROXY']),
    );
    const invocation = (await adapter?.load?.())?.prepare(call());
    const stdin = invocation?.stdin ?? 'null';
    expect(stdin === 'null' ? '' : stdin.text).toMatch(/# CONTEXT\n$/);
    expect(invocation?.argv.slice(0, 2)).toEqual(['npx', 'it']);
  });

  test('tools that its agent does not list are left out, and denied', async () => {
    const tools = ['read', 'write', 'fetch'];
    const change = { permission: 'accept_edits' as const, permissions: { ...OPEN, tools } };
    const { argv, env, files } = (await loaded(type)).prepare(call(change));
    const all = [...argv, JSON.stringify(env), ...Object.values(files)].join('\n');
    for (const [part, is] of NARROWED[type] ?? []) {
      if (is) expect(all).toContain(part);
      else expect(all).not.toContain(part);
    }
  });

  test('with a shell and no tool that writes, its own settings open the desk alone', async () => {
    const permissions = { ...OPEN, tools: ['read', 'shell'] };
    const change = { permission: 'accept_edits' as const, permissions, extra_dirs: ['/w/desk'] };
    const open = JSON.stringify(
      (await loaded(type)).prepare(call({ ...change, permissions: OPEN })),
    );
    const shut = JSON.stringify((await loaded(type)).prepare(call(change)));
    for (const part of SHUT[type] ?? []) {
      expect(shut).toContain(part);
      expect(open).not.toContain(part);
    }
    // It has no such setting: the hook alone refuses, and its shell writes all the same.
    if (type === 'codex') expect(shut).toBe(open);
  });

  test('a shell of some commands is handed to a client that knows such rules', async () => {
    const tools = ['write', 'shell(git log:*)', 'shell(npm test)', 'shell(!git log -p*)'];
    const change = { permission: 'accept_edits' as const, permissions: { ...OPEN, tools } };
    const { argv, env, files } = (await loaded(type)).prepare(call(change));
    const all = [...argv, JSON.stringify(env), ...Object.values(files)].join('\n');
    expect(all).toContain(SOME_COMMANDS[type] ?? '');
    const review = { ...change, permission: 'read_only' as const };
    const reviewed = (await loaded(type)).prepare(call(review));
    expect(JSON.stringify(reviewed)).not.toMatch(/git log/);
  });

  test('who only reads may write the desk alone', async () => {
    const review = { kind: 'review', permission: 'read_only', permissions: READ_ONLY } as const;
    const { argv, env, files, cwd } = (await loaded(type)).prepare(call(review));
    const all = JSON.stringify([argv, env, files, cwd]);
    expect(all).toContain('/w/desk');
    expect(all).not.toMatch(/acceptEdits|auto_edit|yolo|danger-full-access|bypassPermissions/);
  });

  test('it names where it keeps its state', async () => {
    const { stateDirs } = await loaded(type);
    const folders = stateDirs?.({ HOME: '/home/me' }) ?? [];
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.every(({ path }) => path.startsWith('/home/me/'))).toBe(true);
    expect(stateDirs?.({})).toEqual([]);
  });
});
