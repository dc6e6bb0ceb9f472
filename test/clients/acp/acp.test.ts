/** The parts of the ACP driver that are data in, data out; and the confined writing of files. */
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CreateElicitationRequest } from '@agentclientprotocol/sdk/unstable';
import { questionsOf, renderQuestions } from '../../../src/clients/acp/elicitation.ts';
import { failureOf, failureOfStop, type Circumstance } from '../../../src/clients/acp/failure.ts';
import { diskLook } from '../../../src/clients/acp/disk-view.ts';
import { messagesOnly } from '../../../src/clients/acp/session.ts';
import { orderSchema } from '../../../src/clients/adapters/acp-order.ts';
import {
  answerBy,
  judgeRequest,
  mergeTool,
  type Tool,
} from '../../../src/clients/acp/permission.ts';
import { makeListener, usageOf } from '../../../src/clients/acp/progress.ts';
import { writeConfined } from '../../../src/clients/acp/write-file.ts';
import { acpAdapter } from '../../../src/clients/adapters/acp.ts';
import type { AcpOptions } from '../../../src/clients/adapters/acp-order.ts';
import { READ_ONLY, type Permissions } from '../../../src/task/core/model/permissions.ts';
import type { World } from '../../../src/permissions/core/judge-tool.ts';
import { parseQuestions } from '../../../src/task/text/documents/documents.ts';
import { call } from '../calls.ts';
import { folder } from '../rig.ts';

const PERMISSIONS: Permissions = {
  write: ['src/**'],
  create: ['src/**'],
  delete: [],
  append: ['log.md'],
  git: ['add'],
  strength: 'hard',
};
const FILES: Readonly<Record<string, string>> = { '/w/log.md': 'one\n', '/w/src/a.ts': 'a' };
const LOOK: World = {
  effects: {},
  real: (path) => path,
  kind: (path) => (path in FILES ? 'file' : undefined),
  text: (path) => FILES[path],
};
const allowed = { permissions: PERMISSIONS, root: '/w', desk: '/w/active_tasks/.desk/t.0001' };

describe('an agent whose list of tools has read and write alone', () => {
  const narrow = { ...allowed, permissions: { ...PERMISSIONS, tools: ['read', 'write'] } };
  const CASES: readonly (readonly [Tool, string])[] = [
    [{ kind: 'execute', rawInput: { command: 'git status' } }, 'deny'],
    [{ kind: 'fetch', title: 'https://example.com' }, 'deny'],
    [{ kind: 'read' }, 'allow'],
    [{ kind: 'edit', locations: [{ path: '/w/src/a.ts' }] }, 'allow'],
  ];
  test.each(CASES)('%j: %s', (tool, verdict) => {
    expect(judgeRequest(narrow, tool, LOOK).verdict).toBe(verdict);
    expect(judgeRequest(allowed, tool, LOOK).verdict).toBe('allow');
  });
});

describe('a permission request', () => {
  const at = (...paths: readonly string[]) => ({ locations: paths.map((path) => ({ path })) });
  const diff = (path: string, oldText: string | null, newText: string) => ({
    content: [{ type: 'diff' as const, path, oldText, newText }],
  });
  const CASES: readonly (readonly [what: string, tool: Tool, verdict: string, why?: RegExp])[] = [
    ['an edit inside', { kind: 'edit', ...at('/w/src/a.ts') }, 'allow'],
    ['a path below the root, relative', { kind: 'edit', ...at('src/new.ts') }, 'allow'],
    ['an edit elsewhere', { kind: 'edit', ...at('/w/doc.md') }, 'deny', /create doc\.md/],
    ['one of two', { kind: 'edit', ...at('/w/src/a.ts', '/w/b') }, 'deny', /create b/],
    ['outside of all', { kind: 'edit', ...at('/etc/passwd') }, 'deny', /outside/],
    ['dots that lead out', { kind: 'edit', ...at('/w/src/../../x') }, 'deny', /outside/],
    ['its desk', { kind: 'edit', ...at(`${allowed.desk}/result.md`) }, 'allow'],
    ['the desk of another', { kind: 'edit', ...at('/w/active_tasks/.desk/o.0001/x') }, 'deny'],
    ['an edit of nothing', { kind: 'edit' }, 'deny', /does not say/],
    ['only a diff', { kind: 'edit', ...diff('/w/src/a.ts', 'a', 'b') }, 'allow'],
    ['a diff that adds', { kind: 'edit', ...diff('/w/log.md', 'one\n', 'one\ntwo\n') }, 'allow'],
    ['a part that adds', { kind: 'edit', ...diff('/w/log.md', 'ne\n', 'ne\ntwo\n') }, 'allow'],
    [
      'a diff that changes',
      { kind: 'edit', ...diff('/w/log.md', 'one', 'two') },
      'deny',
      /log\.md/,
    ],
    ['only its input', { kind: 'edit', rawInput: { file_path: '/w/x' } }, 'deny', /create x/],
    [
      'a patch of files',
      { kind: 'edit', rawInput: { changes: { '/w/x': {} } } },
      'deny',
      /create x/,
    ],
    ['a deletion', { kind: 'delete', ...at('/w/src/a.ts') }, 'deny', /delete src\/a\.ts/],
    ['a move away', { kind: 'move', ...at('/w/src/a.ts', '/w/src/b.ts') }, 'deny', /delete/],
    ['a look', { kind: 'read', ...at('/etc/passwd') }, 'allow'],
    ['a shell that looks', { kind: 'execute', rawInput: { command: 'ls -l' } }, 'allow'],
    [
      'a shell that writes',
      { kind: 'execute', rawInput: { command: 'echo x > out' } },
      'deny',
      /out/,
    ],
    [
      'a shell as argv',
      { kind: 'execute', rawInput: { command: ['git', 'push'] } },
      'deny',
      /push/,
    ],
    ['a shell by its title', { kind: 'execute', title: 'git push' }, 'deny', /git push/],
    ['a shell without words', { kind: 'execute' }, 'deny', /does not say/],
    ['a tool of a server', { kind: 'other', title: 'report', rawInput: { text: 'x' } }, 'allow'],
    ['a writing tool without a kind', { name: 'write_file', rawInput: { path: '/w/x' } }, 'deny'],
  ];
  const whole = CASES.map(
    ([what, tool, verdict, why = /^/]) => [what, tool, verdict, why] as const,
  );
  test.each(whole)('%s', (_what, tool, verdict, why) => {
    const judged = judgeRequest(allowed, tool, LOOK);
    expect(judged.verdict, judged.why).toBe(verdict);
    expect(judged.why).toMatch(why);
  });

  test('soft permissions report and let through; the runner’s own stays refused', () => {
    const soft = { ...allowed, permissions: { ...PERMISSIONS, strength: 'soft' as const } };
    expect(judgeRequest(soft, { kind: 'edit', ...at('/w/x') }, LOOK).verdict).toBe('warn');
    const own = { kind: 'edit' as const, ...at('/w/.git/config') };
    expect(judgeRequest(soft, own, LOOK).verdict).toBe('deny');
  });

  test('who only reviews writes on the desk alone', () => {
    const looks = { ...allowed, permissions: READ_ONLY };
    expect(judgeRequest(looks, { kind: 'edit', ...at('/w/src/a.ts') }, LOOK).verdict).toBe('deny');
    const review = { kind: 'edit' as const, ...at(`${allowed.desk}/review.md`) };
    expect(judgeRequest(looks, review, LOOK).verdict).toBe('allow');
  });

  test('is answered by the kinds of its options', () => {
    const option = (kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always') => ({
      kind,
      optionId: `id of ${kind}`,
      name: kind,
    });
    const chosen = (allowed: boolean, ...kinds: Parameters<typeof option>[0][]) => {
      const { outcome } = answerBy(kinds.map(option), allowed);
      return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
    };
    expect(chosen(true, 'allow_always', 'allow_once', 'reject_once')).toBe('id of allow_once');
    expect(chosen(true, 'allow_always', 'reject_once')).toBe('id of allow_always');
    expect(chosen(false, 'allow_always', 'reject_always')).toBe('id of reject_always');
    expect(chosen(false, 'allow_once')).toBe('cancelled');
    expect(chosen(true)).toBe('cancelled');
  });

  test('keeps what earlier parts of the call said', () => {
    const earlier: Tool = { kind: 'edit', title: 'Write', locations: [{ path: '/w/x' }] };
    expect(mergeTool(earlier, { kind: null, locations: [], title: 'Now' })).toEqual({
      ...earlier,
      title: 'Now',
    });
  });
});

describe('questions', () => {
  const form = (properties: object, required: string[] = []): CreateElicitationRequest =>
    ({
      mode: 'form',
      sessionId: 's',
      message: 'Which\n port?',
      requestedSchema: { type: 'object', properties, required },
    }) as CreateElicitationRequest;
  const CASES: readonly (readonly [string, CreateElicitationRequest, readonly string[]])[] = [
    ['no field', form({}), ['Which port?']],
    ['one field', form({ port: { type: 'integer' } }), ['Which port? (a whole number)']],
    ['yes or no', form({ ok: { type: 'boolean' } }), ['Which port? (yes or no)']],
    [
      'titled choices',
      form({ a: { type: 'string', oneOf: [{ const: '1', title: 'One' }, { const: '2' }] } }),
      ['Which port? (one of: One, 2)'],
    ],
    [
      'several choices',
      form({ a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } }),
      ['Which port? (any of: x, y)'],
    ],
    [
      'two fields',
      form({ a: { type: 'string', description: 'The name' }, b: { type: 'string' } }, ['a']),
      ['Which port? a: The name', 'Which port? b (optional)'],
    ],
    [
      'a page to open',
      { mode: 'url', sessionId: 's', message: 'Log in.', url: 'http://x/', elicitationId: '1' },
      ['Log in. open http://x/, then answer here that it is done'],
    ],
    [
      'a form that cannot be read',
      { mode: 'later', sessionId: 's', message: 'So?', requestedSchema: 3 },
      ['So?'],
    ],
  ];
  test.each(CASES)('%s', (_what, request, wanted) => {
    expect(questionsOf(request)).toEqual(wanted);
    const { questions } = parseQuestions(renderQuestions('t', wanted));
    expect(questions.map(({ text }) => text)).toEqual(wanted);
  });
});

describe('what an agent says', () => {
  const chunk = (text: string) =>
    ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }) as const;

  test('comes by whole lines, however it was cut', () => {
    const listener = makeListener();
    const told = ['I wr', 'ite.\n', '\nThen I', ' rest.\nEnd'].flatMap((part) =>
      listener.eventsOf(chunk(part)),
    );
    expect([...told, ...listener.end()]).toEqual(
      ['I write.', 'Then I rest.', 'End'].map((text) => ({ kind: 'line', text })),
    );
  });

  test('a line that never ends is told in parts, so that the log holds whole events', () => {
    const listener = makeListener();
    const told = listener.eventsOf(chunk('x'.repeat(5000)));
    expect(told).toHaveLength(1);
    expect(JSON.stringify(told[0]).length).toBeLessThan(5000);
  });

  test('a tool is told once, when it has a name', () => {
    const listener = makeListener();
    const tool = { toolCallId: '1', kind: 'edit' as const };
    const first = listener.eventsOf({ sessionUpdate: 'tool_call_update', ...tool });
    const named = listener.eventsOf({
      sessionUpdate: 'tool_call_update',
      ...tool,
      title: 'Write x',
    });
    const again = listener.eventsOf({
      sessionUpdate: 'tool_call_update',
      ...tool,
      status: 'completed',
    });
    expect([first, named, again]).toEqual([
      [],
      [{ kind: 'tool', name: 'edit', detail: 'Write x', call: '1' }],
      [{ kind: 'result', call: '1', ok: true, text: '' }],
    ]);
    expect(listener.tool('1')).toMatchObject({ kind: 'edit', title: 'Write x' });
  });

  test('a command is told when it is known, and how it ended', () => {
    const listener = makeListener();
    const hear = (more: object) =>
      listener.eventsOf({
        sessionUpdate: 'tool_call_update',
        toolCallId: '1',
        kind: 'execute',
        ...more,
      });
    const rawInput = { command: 'npm test' };
    const content = [
      { type: 'content' as const, content: { type: 'text' as const, text: 'x\nError: no' } },
    ];
    const rawOutput = { metadata: { exit: 3 } };
    expect([
      hear({ title: 'bash', status: 'pending', rawInput: {} }),
      hear({ title: 'npm test', status: 'in_progress', rawInput }),
      hear({ status: 'completed', content, rawOutput }),
      hear({ status: 'failed', content }),
    ]).toEqual([
      [],
      [{ kind: 'tool', name: 'execute', detail: 'npm test', call: '1' }],
      [{ kind: 'result', call: '1', ok: false, text: 'Error: no', exit_code: 3 }],
      [{ kind: 'result', call: '1', ok: false, text: 'Error: no' }],
    ]);
  });

  test('what was read from a cache is counted, also where the total alone holds it', () => {
    const of = (usage: object) =>
      usageOf(
        { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 2, ...usage } } as never,
        undefined,
      );
    expect(of({ totalTokens: 107, cachedReadTokens: 100 })).toMatchObject({ input_tokens: 105 });
    expect(of({ totalTokens: 7, cachedReadTokens: 4 })).toMatchObject({ input_tokens: 5 });
  });

  test('its use: of the protocol, or as Gemini has it, and the cost in dollars alone', () => {
    const listener = makeListener();
    const cost = (amount: number, currency: string) =>
      listener.eventsOf({
        sessionUpdate: 'usage_update',
        used: 1,
        size: 2,
        cost: { amount, currency },
      });
    cost(3, 'EUR');
    expect(listener.cost_usd()).toBeUndefined();
    cost(0.5, 'USD');
    const usage = { totalTokens: 3, inputTokens: 1, outputTokens: 2 };
    expect(usageOf({ stopReason: 'end_turn', usage }, listener.cost_usd())).toEqual({
      kind: 'usage',
      total: true,
      input_tokens: 1,
      output_tokens: 2,
      cost_usd: 0.5,
    });
    const _meta = { quota: { token_count: { input_tokens: 7, output_tokens: 8 } } };
    expect(usageOf({ stopReason: 'end_turn', _meta }, undefined)).toEqual({
      kind: 'usage',
      total: true,
      input_tokens: 7,
      output_tokens: 8,
    });
    expect(usageOf({ stopReason: 'end_turn' }, undefined)).toBeUndefined();
  });
});

describe('what went wrong', () => {
  const error = (code: number, message: string, data?: unknown) =>
    Object.assign(new Error(message), { code, data });
  const about: Circumstance = {
    phase: 'prompt',
    garbage: undefined,
    ended: undefined,
    logins: [],
  };
  const CASES: readonly (readonly [unknown, Partial<Circumstance>, string, RegExp])[] = [
    [
      error(-32000, 'Authentication required'),
      { phase: 'session' },
      'login',
      /^Authentication required$/,
    ],
    [error(-32603, 'Internal', { details: '429' }), {}, 'model', /^Internal: 429$/],
    [error(-32603, 'Internal', { code: 4 }), {}, 'model', /Internal: \{"code":4\}$/],
    [new Error('closed'), { ended: 'ended with exit 1' }, 'other', /while it worked/],
    [
      new Error('closed'),
      { ended: 'ended with exit 1', printed: 'API Error: 500 try later' },
      'other',
      /while it worked: API Error: 500 try later$/,
    ],
    [
      new Error('x'),
      { phase: 'initialize', ended: 'ended with exit 127', printed: 'exec: nope: not found' },
      'other',
      /ended with exit 127 before it answered: exec: nope: not found$/,
    ],
    [new Error('x'), { phase: 'initialize', garbage: 'Hi' }, 'other', /it printed "Hi"$/],
    [new Error('x'), { phase: 'session', ended: 'ended' }, 'other', /before it had a session/],
    ['text', { phase: 'session' }, 'other', /opened no session: text/],
  ];
  test.each(CASES)('%s', (thrown, more, what, words) => {
    const failure = failureOf(thrown, { ...about, ...more });
    expect(failure.what).toBe(what);
    expect(failure.text).toMatch(words);
  });

  test('a turn that ended otherwise than by its end', () => {
    expect(failureOfStop('end_turn')).toBeUndefined();
    const of = (reason: string) => failureOfStop(reason)?.what;
    expect(['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'new'].map(of)).toEqual([
      'limit',
      'limit',
      'model',
      'other',
      'other',
    ]);
  });
});

test('only what can be a message goes through, in whatever pieces it comes', async () => {
  const text = 'hello\n  {"a":1}\n\n{"b":\u2028 2}\nbye {"c":3}\n{"d":4}';
  for (const size of [1, 3, 1000]) {
    const bytes = Buffer.from(text);
    const odd: string[] = [];
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const out: Uint8Array[] = [];
    const through = new Blob(parts).stream().pipeThrough(messagesOnly((line) => odd.push(line)));
    for await (const part of through) out.push(part);
    expect(Buffer.concat(out).toString()).toBe('{"a":1}\n{"b":\u2028 2}\n{"d":4}');
    expect(odd).toEqual(['hello', 'bye {"c":3}']);
  }
});

describe('a file that is written for the agent', () => {
  test('is made with its folders, and replaced whole', () => {
    const root = folder();
    writeConfined([root], join(root, 'a/b/c.txt'), 'a longer text');
    writeConfined([root], join(root, 'a/b/c.txt'), 'short');
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('short');
  });

  test('is written through no link, into no other name of a file, and nowhere else', () => {
    const [root, outside] = [folder(), folder()];
    writeFileSync(join(outside, 'kept'), 'kept');
    mkdirSync(join(root, 'real'));
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'kept'), join(root, 'file'));
    symlinkSync(join(outside, 'new'), join(root, 'dangling'));
    linkSync(join(outside, 'kept'), join(root, 'twin'));
    const write = (path: string) => () => writeConfined([root], join(root, path), 'changed');
    expect(write('folder/kept')).toThrow('folder is a link or not a folder');
    expect(write('folder/new/x')).toThrow('folder is a link or not a folder');
    expect(write('file')).toThrow('it is not a regular file');
    expect(write('dangling')).toThrow('it is not a regular file');
    expect(write('twin')).toThrow('hard links');
    expect(write('real')).toThrow('it is not a regular file');
    expect(write('../x')).toThrow('outside');
    expect(write('')).toThrow('outside');
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
    expect(existsSync(join(outside, 'new'))).toBe(false);
  });

  test('is judged where links really lead', () => {
    const [root, outside] = [folder(), folder()];
    symlinkSync(outside, join(root, 'link'));
    expect(diskLook.real(join(root, 'link/deep/new.txt'))).toBe(join(outside, 'deep/new.txt'));
    expect(diskLook.kind(join(root, 'nothing'))).toBeUndefined();
    expect(diskLook.text(root)).toBeUndefined();
  });
});

describe('the adapter', () => {
  const made = async (options: AcpOptions) => {
    const adapter = await acpAdapter('mine', options).load?.();
    if (adapter === undefined) throw new Error('it has nothing to load');
    return adapter;
  };
  const opened = made({
    run: ['mine', 'acp', '--cwd', '{{root}}'],
    mode: 'ask',
  });

  test('starts the driver and leaves it an order that it can read', async () => {
    const prepared = (await opened).prepare(call({ model: 'large', session: 's-1' }));
    expect(prepared.argv[0]).toBe(process.execPath);
    expect(prepared.argv[1]).toMatch(/dist\/bin\/acp\.cjs$/);
    expect(prepared.argv[2]).toBe('/w/desk/acp.json');
    expect(orderSchema().parse(JSON.parse(prepared.files['acp.json'] ?? ''))).toMatchObject({
      run: ['mine', 'acp', '--cwd', '/w'],
      model: 'large',
      mode: 'ask',
      session: 's-1',
      permissions: call().permissions,
    });
  });

  test('knows whose keys and folders a client of models needs, and how it is made to ask', async () => {
    const of = (...run: string[]) => made({ run });
    expect((await of('/opt/bin/gemini', '--acp')).env_names).toContain('GEMINI_API_KEY');
    const npx = await of('npx', '-y', '@google/gemini-cli@1.0', '--acp');
    expect(npx.stateDirs?.({ HOME: '/home/me' })).toMatchObject([{ path: '/home/me/.gemini' }]);
    const codex = (await of('codex-acp')).prepare(call());
    expect(codex.files['acp.json']).toContain('"mode": "workspace-write"');
    // Its own sandbox does not start inside ours.
    const inside = (await of('codex-acp')).prepare(call({ sandboxed: true }));
    expect(inside.files['acp.json']).toContain('"mode": "agent-full-access"');
    const { env } = (await of('opencode', 'acp')).prepare(call());
    expect(env['OPENCODE_CONFIG_CONTENT']).toContain('"edit":"ask"');
    const mine = await of('my-agent', 'codex');
    expect([mine.env_names, mine.stateDirs, mine.client?.program]).toEqual([
      [],
      undefined,
      'my-agent',
    ]);
    expect(mine.prepare(call()).env).toEqual({});
  });

  test('a model that the program takes itself is not set again', async () => {
    const takes = await made({ run: ['gemini', '--acp', '-m', '{{model}}'] });
    const order = JSON.parse(takes.prepare(call({ model: 'x' })).files['acp.json'] ?? '') as object;
    expect(order).toMatchObject({ run: ['gemini', '--acp', '-m', 'x'] });
    expect(order).not.toHaveProperty('model');
  });

  test('an order with more or less in its permissions is none', async () => {
    const order = JSON.parse((await opened).prepare(call()).files['acp.json'] ?? '') as {
      permissions: object;
    };
    const read = (permissions: object) =>
      orderSchema().safeParse({ ...order, permissions }).success;
    expect(read(order.permissions)).toBe(true);
    expect(read({ ...order.permissions, more: [] })).toBe(false);
    expect(read({ ...order.permissions, write: undefined })).toBe(false);
  });

  const LINES: readonly (readonly [string, readonly object[]])[] = [
    ['{"kind":"session","id":"s"}', [{ kind: 'session', id: 's' }]],
    ['{"kind":"session","id":3}', []],
    ['{"kind":"tool","name":"edit","detail":"x"}', [{ kind: 'tool', name: 'edit', detail: 'x' }]],
    ['{"kind":"denied","tool":"t","why":"w"}', [{ kind: 'denied', tool: 't', why: 'w' }]],
    ['{"kind":"error","what":"login","text":"t"}', [{ kind: 'error', what: 'login', text: 't' }]],
    ['{"kind":"error","what":"odd","text":"t"}', [{ kind: 'error', what: 'other', text: 't' }]],
    [
      '{"kind":"usage","total":true,"input_tokens":1}',
      [{ kind: 'usage', total: true, of_session: 'cost_usd', input_tokens: 1 }],
    ],
    ['{"kind":"question","text":"q"}', [{ kind: 'question', text: 'q' }]],
    ['{"kind":"end","ok":true}', [{ kind: 'end', ok: true }]],
    ['{"kind":"end"}', [{ kind: 'end', ok: false }]],
    ['{"kind":"never heard of"}', []],
    ['{"kind":"session","id":"cut', []],
    ['| {"kind":"session","id":"forged"}', []],
    ['noise', []],
    ['', []],
  ];
  test.each(LINES)('reads %s', async (line, events) => {
    expect((await opened).read(line)).toEqual(events);
  });
});
