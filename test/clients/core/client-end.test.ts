/** How a client's call ended, as a table of what was heard and the end of the process; what it asked. */
import { describe, expect, test } from 'vitest';
import { questionsOf, whyNothing } from '../../../src/clients/core/client-end.ts';
import type { ClientReport, Ending } from '../../../src/task/core/attempts/client-report.ts';

const CLIENT = { program: 'claude', login: 'Log in' };
const GEMINI = { program: 'gemini', login: 'Log in', exits: { login: 41, turns: 53 } };

function ended(code: number | null, signal: string | null = null): Ending {
  return { reason: 'exited', code, signal };
}

const CALLING = {
  now: new Date('2026-11-23T18:00:00Z'),
  resumed: false,
  out_too_long: false,
  home_of_call: '/tmp/a b (é)/contracts-home-',
  last_model: true,
};

const EMPTY_REPORT: ClientReport = { denied: [], asked: [], last_message: '' };
const report = (change: Partial<ClientReport>): ClientReport => ({ ...EMPTY_REPORT, ...change });

type Row = readonly [string, Partial<ClientReport>, Ending, object];

const ROWS: readonly Row[] = [
  [
    'you are not logged in',
    { error: { what: 'login', text: 'Invalid API key' }, ended: 'failed' },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_login',
      reason: 'you are not logged in to claude: Invalid API key',
      error: 'login',
    },
  ],
  [
    'a coloured error that names the home of the call',
    {
      error: {
        what: 'other',
        text: '\u001b[91mset it in "/tmp/a b (é)/contracts-home-aB3/.gemini/x"\u001b[0m',
      },
    },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_other',
      reason: 'claude failed: set it in "~/.gemini/x"',
      error: 'other',
    },
  ],
  [
    'nobody is logged in: the folder of one call is the one at home',
    {
      error: {
        what: 'login',
        text: 'Set an Auth method in /tmp/a b (é)/contracts-home-aB3x9Z/.gemini/s.json',
      },
      ended: 'failed',
    },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_login',
      reason: 'you are not logged in to claude: Set an Auth method in ~/.gemini/s.json',
      error: 'login',
    },
  ],
  [
    'the model failed',
    { error: { what: 'model', text: '400 no such tool' }, ended: 'failed', model: 'gpt-0' },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_model',
      reason: 'the model failed (gpt-0): 400 no such tool',
      error: 'model',
    },
  ],
  [
    'a limit of its own',
    { error: { what: 'limit', text: 'too many turns' }, ended: 'failed' },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_limit',
      reason: 'claude stopped at a limit of its own: too many turns',
      error: 'limit',
    },
  ],
  [
    'it does not know an option',
    { error: { what: 'version', text: "error: unknown option '--x'" } },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_version',
      reason:
        "claude rejected its arguments: contracts does not know this version; update it: error: unknown option '--x'",
      error: 'version',
    },
  ],
  [
    'such words from a tool, in a session',
    { error: { what: 'version', text: 'unknown option' }, session: 's' },
    ended(1),
    {
      outcome: 'failed',
      code: 'client_other',
      reason: 'claude failed: unknown option',
      error: 'other',
    },
  ],
  [
    'something else',
    { error: { what: 'other', text: 'oh' } },
    ended(1),
    { outcome: 'failed', code: 'client_other', reason: 'claude failed: oh', error: 'other' },
  ],
  [
    'denied, and it stopped there',
    { denied: ['edit: a', 'edit: result.md'] },
    ended(0),
    {
      outcome: 'failed',
      code: 'client_denied',
      reason: 'it was denied edit: result.md (and 1 more), and wrote no result',
    },
  ],
  [
    'it ended well and wrote nothing',
    { ended: 'ok', last_message: 'All\n  done.' },
    ended(0),
    {
      outcome: 'failed',
      code: 'client_silent',
      reason: 'claude ended and wrote no result; its last message: All done.',
    },
  ],
  [
    'every command of it failed the same way',
    { ended: 'ok', last_message: 'All done.', failed_alike: 'bwrap: no' },
    ended(0),
    {
      outcome: 'failed',
      code: 'client_setup',
      error: 'setup',
      reason: 'claude wrote no result; every command of it failed: bwrap: no',
    },
  ],
  [
    'an exit code alone',
    { last_message: 'unknown option' },
    ended(2),
    {
      outcome: 'failed',
      code: 'client_silent',
      reason: 'claude ended with exit 2, no result; its last message: unknown option',
    },
  ],
  [
    'killed',
    {},
    ended(null, 'SIGKILL'),
    {
      outcome: 'crashed',
      code: 'client_stopped',
      reason: 'claude was killed by SIGKILL, no result',
    },
  ],
  [
    'stopped by SIGTERM, with an exit code of its own',
    {},
    ended(143),
    {
      outcome: 'crashed',
      code: 'client_stopped',
      reason: 'claude was stopped from outside (signal 15), no result',
    },
  ],
  [
    'exit 0 without a closing event is no success',
    { last_message: 'I will' },
    ended(0),
    {
      outcome: 'crashed',
      code: 'client_stopped',
      reason:
        'claude ended without its closing event, as if it was stopped from outside, no result',
    },
  ],
  [
    'without a trace',
    {},
    ended(null),
    {
      outcome: 'crashed',
      code: 'client_stopped',
      reason: 'claude ended without a record, no result',
    },
  ],
];

/** The words of real clients and of the servers behind them. */
const OUTAGES: readonly (readonly [string, Partial<ClientReport>, string | undefined])[] = [
  ['claude, a limit', { error: model("You've hit your limit · resets 8pm (UTC)") }, '20:00'],
  ['claude, an event', { error: model('limit reached'), resets: 'resets_at: 1795460400' }, '19:00'],
  ['claude, an older one', { error: model('Claude AI usage limit reached|1795460400') }, '19:00'],
  ['claude, 529', { error: model('API Error: 529 {"type":"overloaded_error"}') }, undefined],
  ['claude, 429', { error: model('429 API Error: Request rejected (429) slow down') }, undefined],
  ['codex, 429', { error: model('exceeded retry limit, last status: 429 Too Many') }, undefined],
  [
    'codex, its limit',
    { error: model("You've hit your usage limit. Try again in 3 hours 2 minutes.") },
    '21:02',
  ],
  ['codex, busy', { error: model("We're currently experiencing high demand") }, undefined],
  ['codex, no network', { error: model('stream disconnected before completion') }, undefined],
  ['gemini, its quota', { error: model('Your quota will reset after 5h0m0s.') }, '23:00'],
  ['gemini, 429', { error: model('429 RESOURCE_EXHAUSTED. Please retry in 90s.') }, '18:01:30'],
  ['opencode, 429', { error: model('429 slow down (retry-after: 120)') }, '18:02'],
  ['opencode, 500', { error: model('500 the server failed') }, undefined],
  ['an ACP agent', { error: { what: 'other', text: 'Internal error: overloaded' } }, undefined],
  ['a bridge', { error: bridge('API Error: 500 try later') }, undefined],
  [
    'codex-acp',
    { last_message: "We're currently experiencing high demand.", ended: 'ok' },
    undefined,
  ],
  [
    'last words',
    { last_message: 'API Error: 529 {"type":"overloaded_error"}', ended: 'ok' },
    undefined,
  ],
  [
    'a limit as last words',
    { last_message: "You've hit your limit · resets 8pm (UTC)", ended: 'ok' },
    '20:00',
  ],
  [
    'opencode',
    { error: model('429 no'), resets: '{"retry-after":"600","retry-after-ms":"20"}' },
    '18:10',
  ],
];

/** Printed beside the events of a stream that came to no end. */
const PRINTED: readonly (readonly [string, string | undefined])[] = [
  ['Error: 429 Too Many Requests', undefined],
  ['Claude AI usage limit reached|1795460400', '19:00'],
  ['API Error: 529 {"type":"overloaded_error"}', undefined],
  ['HTTP 503', undefined],
  ['status: 500', undefined],
  ['error: connect ECONNREFUSED 127.0.0.1:1', undefined],
];

function bridge(text: string): NonNullable<ClientReport['error']> {
  return { what: 'other', text: `it ended with exit 1 while it worked: ${text}` };
}

function model(text: string): NonNullable<ClientReport['error']> {
  return { what: 'model', text };
}

test('exit 1 after a last event that says that all is well counts for nothing', () => {
  const told = report({ ended: 'ok', last_message: 'Done.' });
  expect(whyNothing(told, ended(1), CLIENT, CALLING)).toMatchObject({ recovered: true });
  expect(whyNothing(told, ended(2), CLIENT, CALLING)).not.toHaveProperty('recovered');
  const failed = report({ ended: 'failed' });
  expect(whyNothing(failed, ended(1), CLIENT, CALLING)).not.toHaveProperty('recovered');
});

describe('what every call with this model would end with', () => {
  test.each([
    '404 no such model: quota-500',
    'There is an issue with the selected model (claude-x). It may not exist or you may not have access to it. Run --model to pick a different model.',
    'API Error: 404 {"type":"not_found_error","message":"model: claude-x"} model not found',
    'unexpected status 404 Not Found: The model `gpt-0` does not exist or you do not have access to it.',
    'models/gemini-0 is not found for API version v1beta, or is not supported for generateContent',
    'ProviderModelNotFoundError',
    'Error: Unknown model: x/y',
    "The 'gpt-9' model is not supported when using Codex with a ChatGPT account.",
    'model claude-x is not offered by this agent; it has default, sonnet',
    'API Error: 404 {"type":"error","error":{"type":"not_found_error","message":"model: claude-foo"}}',
    '404 model: claude-foo',
    'API Error: 403 {"error":{"type":"permission_error","message":"Your account does not have access to this model"}}',
    'You do not have access to the requested model',
    'The model `o9` has been deprecated',
    'The model gpt-4-32k has been retired. Learn more: https://x.example/deprecations',
    'model claude-2 is no longer available',
    // OpenCode 2 (packages/cli/src/run/run.ts): not an outage, whatever the word says.
    'Model unavailable: anthropic/claude-x',
  ])('no such model: %s', (text) => {
    const told = report({ error: model(text), model: 'm' });
    expect(whyNothing(told, ended(1), CLIENT, CALLING)).toMatchObject({
      outcome: 'interrupted',
      code: 'client_no_model',
      error: 'no_model',
      stops: true,
    });
    const more = whyNothing(told, ended(1), CLIENT, { ...CALLING, last_model: false });
    expect(more).not.toHaveProperty('stops');
  });

  test.each([
    '400 prompt is too long: 210500 tokens > 200000 maximum',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    'Your input exceeds the context window of this model. context_length_exceeded',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'ContextOverflowError: the request is too large',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
    "Codex ran out of room in the model's context window. Start a new conversation or clear earlier history before retrying.",
  ])('too long: %s', (text) => {
    const told = report({ error: model(text) });
    expect(whyNothing(told, ended(1), CLIENT, CALLING)).toMatchObject({
      outcome: 'blocked',
      code: 'client_too_long',
      error: 'too_long',
    });
    expect(whyNothing(told, ended(1), CLIENT, { ...CALLING, last_model: false }).outcome).toBe(
      'interrupted',
    );
    // Its session grew: a new one may take it.
    expect(whyNothing(told, ended(1), CLIENT, { ...CALLING, resumed: true }).error).toBe('session');
  });

  test.each([
    'Credit balance is too low',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    'Your organization has been disabled',
    'Claude Code process: This organization is disabled.',
    'unexpected status 403 Forbidden: Country, region, or territory not supported',
    'User location is not supported for the API use.',
    'To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing',
    '402 Insufficient credits. Add more at the settings',
  ])('an account that cannot be used: %s', (text) => {
    for (const told of [report({ error: model(text) }), report({ error: bridge(text) })]) {
      const end = whyNothing(told, ended(1), CLIENT, CALLING);
      expect(end).toMatchObject({ outcome: 'failed', code: 'client_account', error: 'login' });
      expect(end.reason).toContain('the account of claude cannot be used: ');
    }
  });

  test.each([
    'stream disconnected before completion: Incomplete response returned, reason: max_output_tokens',
    "API Error: Claude's response exceeded the 32000 output token maximum.",
  ])('its output is longer than the model may write, which is no outage: %s', (text) => {
    const end = whyNothing(report({ error: model(text) }), ended(1), CLIENT, CALLING);
    expect(end).toMatchObject({ outcome: 'failed', code: 'client_limit', error: 'limit' });
    const last = report({ last_message: text, ended: 'failed' });
    expect(whyNothing(last, ended(1), CLIENT, CALLING).error).toBe('limit');
  });

  test.each([
    'I wrote the page: Credit balance is too low.',
    'Done. The model o9 has been deprecated, so the table names o10.',
    'Your organization has been disabled is now a message of the login page.',
  ])('words about the work are none of it: %s', (said) => {
    for (const code of [0, 1]) {
      const told = report({ last_message: said, ended: 'ok', session: 's' });
      expect(whyNothing(told, ended(code), CLIENT, CALLING).error).toBeUndefined();
    }
  });

  test.each(['429 too many tokens per minute for model x', 'the model refused: policy not found'])(
    'neither: %s',
    (text) => {
      const end = whyNothing(report({ error: model(text) }), ended(1), CLIENT, CALLING);
      expect(['model', 'outage']).toContain(end.error);
    },
  );
});

describe('an outage', () => {
  test.each(OUTAGES)('%s', (_name, told, clock) => {
    const end = whyNothing(report(told), ended(1), CLIENT, CALLING);
    expect(end).toMatchObject({ outcome: 'interrupted', code: 'client_outage', error: 'outage' });
    expect(end.reason).toContain('the model is not available: ');
    const at = clock === undefined ? undefined : new Date(`2026-11-23T${clock}Z`).toISOString();
    expect(end.resets_at).toBe(at);
  });

  test.each(PRINTED)('printed beside the events: %s', (noise, clock) => {
    const told = report({ session: 's', noise });
    const end = whyNothing(told, ended(1), CLIENT, CALLING);
    expect(end).toMatchObject({ outcome: 'interrupted', code: 'client_outage', error: 'outage' });
    expect(end.reason).toBe(`the model is not available: ${noise}`);
    const at = clock === undefined ? undefined : new Date(`2026-11-23T${clock}Z`).toISOString();
    expect(end.resets_at).toBe(at);
    expect(whyNothing({ ...told, ended: 'ok' }, ended(1), CLIENT, CALLING).error).toBeUndefined();
    expect(whyNothing(told, ended(0), CLIENT, CALLING).error).toBeUndefined();
  });

  test.each([
    'Error: 400 rate limit of 3 is no number',
    'at call (/opt/client.js:429:13)',
    'EDQUOT: disk quota exceeded, write',
    'the port 503 is taken',
  ])('printed, and is not one: %s', (noise) => {
    const end = whyNothing(report({ session: 's', noise }), ended(1), CLIENT, CALLING);
    expect(end).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(noise) });
    expect(end.error).toBeUndefined();
  });

  test.each([244, 173, 247])('exit %d of gemini', (code) => {
    const end = whyNothing(EMPTY_REPORT, ended(code), GEMINI, CALLING);
    expect(end).toMatchObject({ outcome: 'interrupted', code: 'client_outage', error: 'outage' });
  });

  test.each([
    'the model refused',
    'EDQUOT: disk quota exceeded, write',
    'API Error: 400 no such tool',
  ])('is not one: %s', (text) => {
    expect(whyNothing(report({ error: model(text) }), ended(1), CLIENT, CALLING).error).toBe(
      'model',
    );
  });

  test.each(['model', 'other'] as const)('is not one: a bridge with the words of %s', (what) => {
    const text = what === 'model' ? 'API Error: 400 no such tool' : 'exec: nope: not found';
    const end = whyNothing(report({ error: bridge(text) }), ended(1), CLIENT, CALLING);
    expect(end).toMatchObject({ outcome: 'failed', error: what });
  });

  const BRIDGE = { ...CLIENT, bridge: true };
  test.each([
    [CLIENT, 'I added a rate limit, and an API error for too many requests.'],
    [CLIENT, 'API error handling is done: the endpoint now answers 429.'],
    [BRIDGE, 'API error handling is done: the endpoint now answers 429.'],
    [CLIENT, 'API Error: 429 is handled by a retry now.'],
  ])('is not one: last words about the work (%j): %s', (client, said) => {
    const end = whyNothing(report({ last_message: said, ended: 'ok' }), ended(0), client, CALLING);
    expect(end.error).toBeUndefined();
  });

  test.each([
    "We're currently experiencing high demand.",
    'API Error: 529 {"type":"overloaded_error"}',
    'API Error (Connection error.)',
  ])('the words of the server through a bridge: %s', (said) => {
    const end = whyNothing(report({ last_message: said, ended: 'ok' }), ended(0), BRIDGE, CALLING);
    expect(end.error).toBe('outage');
  });

  test('after a day of them a person is needed', () => {
    const told = report({ error: model('529 overloaded') });
    expect(whyNothing(told, ended(1), CLIENT, { ...CALLING, out_too_long: true })).toMatchObject({
      outcome: 'blocked',
      code: 'client_outage',
      reason: expect.stringContaining('for 24 hours'),
    });
  });
});

describe('a session that is gone', () => {
  const GONE: readonly (readonly [string, Partial<ClientReport>])[] = [
    ['claude', { error: { what: 'other', text: 'No conversation found with session ID: 1-2' } }],
    ['codex', { noise: 'Error: thread/resume failed: no rollout found for thread id 1-2' }],
    ['gemini', { noise: 'Error resuming session: No previous sessions found for this project.' }],
    ['opencode', { noise: '\u001b[91m\u001b[1mError: \u001b[0mSession not found' }],
  ];
  test.each(GONE)('of %s', (_name, told) => {
    const resumed = { ...CALLING, resumed: true };
    expect(whyNothing(report(told), ended(1), CLIENT, resumed)).toMatchObject({
      outcome: 'interrupted',
      code: 'client_session',
      error: 'session',
    });
    expect(whyNothing(report(told), ended(1), CLIENT, CALLING).error).not.toBe('session');
  });
});

describe('a login that is missing, as plain text', () => {
  const noise = 'Invalid API key · Please run /login';

  test('before a session it is one', () => {
    expect(whyNothing(report({ noise }), ended(1), CLIENT, CALLING)).toEqual({
      outcome: 'failed',
      code: 'client_login',
      reason: `you are not logged in to claude: ${noise}`,
      error: 'login',
    });
  });

  test.each([{ noise, session: 's-1' }, { noise: 'SyntaxError: bad token' }])('not: %j', (told) => {
    expect(whyNothing(report(told), ended(1), CLIENT, CALLING).error).toBeUndefined();
  });
});

describe('why a client handed in nothing', () => {
  test.each(ROWS)('%s', (_name, told, ending, expected) => {
    expect(whyNothing(report(told), ending, CLIENT, CALLING)).toEqual(expected);
  });

  test.each([
    [144, 'model', 'status 400'],
    [145, 'login', 'status 401'],
    [53, 'limit', 'too many turns'],
    [41, 'login', 'you are not logged in to gemini'],
  ] as const)('exit %d of gemini is %s', (code, error, words) => {
    const end = whyNothing(EMPTY_REPORT, ended(code), GEMINI, CALLING);
    expect(end).toMatchObject({ outcome: 'failed', error });
    expect(end.reason).toContain(words);
    expect(whyNothing(EMPTY_REPORT, ended(code), CLIENT, CALLING).error).toBeUndefined();
  });

  test('a login through a cloud is not that of the client', () => {
    const told = report({ error: { what: 'login', text: '403 token expired' }, ended: 'failed' });
    const cloudy = { ...CLIENT, cloud: 'CLAUDE_CODE_USE_BEDROCK' };
    expect(whyNothing(told, ended(1), cloudy, CALLING)).toEqual({
      outcome: 'failed',
      code: 'client_login',
      reason: 'you are not logged in to the cloud of CLAUDE_CODE_USE_BEDROCK: 403 token expired',
      error: 'login',
    });
  });

  test('its words are one bounded line', () => {
    const text = `${'a\n'.repeat(1000)}`;
    const { reason } = whyNothing(
      report({ error: { what: 'model', text } }),
      ended(1),
      CLIENT,
      CALLING,
    );
    expect(reason.length).toBeLessThan(400);
    expect(reason).not.toContain('\n');
  });
});

describe('what it asks', () => {
  const rows: readonly (readonly [string, Partial<ClientReport>, boolean, readonly string[]])[] = [
    ['what its own tool asked', { asked: ['A?', 'B?'] }, true, ['A?', 'B?']],
    [
      'last words that ask',
      { ended: 'ok', last_message: 'Hm.\nWhich one?' },
      false,
      ['Hm.\nWhich one?'],
    ],
    [
      'the same in bold',
      { ended: 'ok', last_message: '**Which one?**' },
      false,
      ['**Which one?**'],
    ],
    ['not after it changed files', { ended: 'ok', last_message: 'Anything else?' }, true, []],
    ['not where it failed', { ended: 'failed', last_message: 'What?' }, false, []],
    ['not where it was cut off', { last_message: 'What?' }, false, []],
    ['not where it tells', { ended: 'ok', last_message: 'Is it? It is.' }, false, []],
    ['nothing', { ended: 'ok' }, false, []],
  ];
  test.each(rows)('%s', (_name, told, changed, expected) => {
    expect(questionsOf(report(told), changed)).toEqual(expected);
  });
});
