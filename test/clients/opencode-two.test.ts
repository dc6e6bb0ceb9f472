/**
 * The half of our plugin for OpenCode 2, which could not be run: loaded as Node loads it, and called as its sources say.
 * A MOCK context stands for OpenCode 2, in the shapes of packages/plugin/src/promise of anomalyco/opencode (session.ts at
 * 03545fd3, tool.ts at 196e4612, plugin.ts at 0ef9ef4b); the workspace and our command are real.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { EFFECTS } from '../support/verbs.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

type Fields = Record<string, unknown>;
type Hook = (event: Fields) => unknown;

interface Plugin {
  readonly id: string;
  readonly server: unknown;
  readonly setup: (context: object) => Promise<(() => void) | undefined>;
}

const NAME: string = 'agent-contracts/opencode';
const loaded = (await import(NAME)) as Fields;
const plugin = loaded['default'] as Plugin;

let root = '';
beforeEach(() => {
  const room = sealedFolder('opencode-two');
  root = join(room, 'shop');
  const bin = join(room, 'bin');
  for (const folder of [root, bin]) mkdirSync(folder);
  writeFileSync(join(bin, 'contracts'), `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`, { mode: 0o755 }); // prettier-ignore
  for (const [name, value] of Object.entries(sealedEnv())) vi.stubEnv(name, value);
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  vi.stubEnv('PWD', root);
  typed('init', '--yes');
  typed('trust');
});
afterEach(() => vi.unstubAllEnvs());

const typed = (...argv: readonly string[]): string =>
  execFileSync(process.execPath, [BINARY, ...argv], { cwd: root, encoding: 'utf8' });

/** What a MOCK of OpenCode 2 was told, and what it says. */
async function begun() {
  const hooks = new Map<string, Hook>();
  const tools: Fields[] = [];
  const told: (readonly [string, Fields])[] = [];
  const events: ((event: Fields) => void)[] = [];
  const heard: Fields[] = [];
  const keep = (domain: string) => (name: string, callback: Hook) => {
    hooks.set(`${domain} ${name}`, callback);
    return Promise.resolve({ dispose: () => Promise.resolve() });
  };
  const session =
    (name: string, answer: unknown = undefined) =>
    (given: Fields) => {
      told.push([name, given]);
      waiting.splice(0).forEach((tell) => tell());
      return Promise.resolve(answer);
    };
  const waiting: (() => void)[] = [];
  const said = [{ type: 'assistant', content: [{ type: 'text', text: 'I did it.' }] }];
  const stop = await plugin.setup({
    agent: { list: () => Promise.resolve([{ id: 'builder' }]) },
    tool: {
      transform: (change: (editor: object) => void) => {
        change({ add: (tool: Fields) => tools.push(tool) });
        return Promise.resolve();
      },
      hook: keep('tool'),
    },
    permission: { hook: keep('permission') },
    session: {
      hook: keep('session'),
      create: session('create', { id: 'ses_child' }),
      prompt: session('prompt'),
      synthetic: session('synthetic'),
      switchAgent: session('switchAgent'),
      wait: session('wait'),
      context: session('context', said),
      interrupt: session('interrupt'),
    },
    event: {
      subscribe: async function* ({ signal }: { readonly signal: AbortSignal }) {
        while (!signal.aborted) {
          while (heard.length > 0) yield heard.shift();
          await new Promise<void>((next) => {
            events.push(() => next());
            signal.addEventListener('abort', () => next(), { once: true });
          });
        }
      },
    },
  });
  const calls = { agent: 'plain', sessionID: 'ses_1', messageID: 'msg_1' };
  return {
    stop,
    told,
    tool: tools[0] as Fields & { execute: (input: Fields, context: Fields) => Promise<Fields> },
    hook: (name: string, event: Fields) =>
      hooks.get(name)?.(Object.assign(event, { ...calls, ...event })),
    context: { ...calls, signal: new AbortController().signal },
    say: (type: string, data: Fields = { sessionID: 'ses_1' }) => {
      heard.push({ type, data });
      events.splice(0).forEach((next) => next({}));
    },
    /** Resolves when a method of sessions was called the first time. */
    until: async (name: string): Promise<Fields> => {
      for (;;) {
        const found = told.find(([one]) => one === name);
        if (found !== undefined) return found[1];
        await new Promise<void>((tell) => waiting.push(tell));
      }
    },
  };
}

function readyTask(): void {
  const argv = ['new', 'Greet', '--id', 'greet', '--adapter', 'host', '--agent', 'builder'];
  typed(...argv, '--run', 'test -s greeting.txt');
  typed('confirm', 'greet');
}

/** What the specialist would do. */
function handIn(): void {
  writeFileSync(join(root, 'greeting.txt'), 'Hello\n');
  const text =
    '- Status: COMPLETE\n\n## Success Criteria\n\n- [x] `test -s greeting.txt` passes — ran it\n';
  writeFileSync(join(root, 'active_tasks/.desk/greet.0001/result.md'), text);
}

test('one default export, and no other: with an id, and a function for each version', () => {
  expect(Object.keys(loaded)).toEqual(['default']);
  expect(plugin).toMatchObject({
    id: 'contracts',
    server: expect.any(Function),
    setup: expect.any(Function),
  });
});

test('every verb that only a person decides is asked before', () => {
  const text = readFileSync(fileURLToPath(import.meta.resolve(NAME)), 'utf8');
  const [, verbs = ''] = /const DECIDING =\s+'([^']+)'/.exec(text) ?? [];
  const deciding = Object.entries(EFFECTS).filter(([, effect]) => effect === 'decides');
  expect(verbs.split('|').toSorted()).toEqual(deciding.map(([verb]) => verb).toSorted());
});

test('MOCK of OpenCode 2: the tool has a JSON Schema, and is no part of the tool that runs code', async () => {
  const { tool, stop } = await begun();
  expect(tool).toMatchObject({
    name: 'skill_agent',
    options: { codemode: false },
    input: {
      type: 'object',
      properties: { task_id: { type: 'string' }, async: { type: 'boolean' } },
    },
  });
  stop?.();
});

test('MOCK of OpenCode 2: a hand-off is queued when the turn succeeded, and judged when the next did', async () => {
  readyTask();
  const two = await begun();
  const { output, metadata } = await two.tool.execute({ task_id: 'greet' }, two.context);
  expect(output).toMatchObject({ success: true, status: 'HANDOFF_INTENT' });
  expect(metadata).toMatchObject({ handoff: { target_agent: 'builder', session_id: 'ses_1' } });
  expect(two.told).toEqual([]);
  two.say('session.execution.succeeded');
  const prompt = await two.until('prompt');
  expect(prompt).toMatchObject({
    sessionID: 'ses_1',
    delivery: 'queue',
    text: expect.stringContaining('You are builder'),
  });
  expect(two.told[0]).toEqual(['switchAgent', { sessionID: 'ses_1', agent: 'builder' }]);
  handIn();
  two.say('session.execution.started');
  two.say('session.execution.succeeded');
  const note = await two.until('synthetic');
  expect(note).toMatchObject({
    sessionID: 'ses_1',
    resume: false,
    text: expect.stringContaining('greet is in done'),
  });
  two.stop?.();
});

test('MOCK of OpenCode 2: one that is waited for works in a child, and gives its text and the receipts', async () => {
  readyTask();
  const two = await begun();
  const working = two.tool.execute({ task_id: 'greet', async: false }, two.context);
  await two.until('prompt');
  handIn();
  const { output } = await working;
  expect(output).toMatchObject({
    success: true,
    output: 'I did it.',
    state: 'done',
    receipts: [{ passed: true }],
  });
  expect(two.told.map(([name]) => name)).toEqual([
    'create',
    'switchAgent',
    'prompt',
    'wait',
    'context',
  ]);
  expect(two.told[0]?.[1]).toMatchObject({ parentID: 'ses_1' });
  two.stop?.();
});

test('MOCK of OpenCode 2: what a person decides is asked, what nobody may is denied', async () => {
  const two = await begun();
  const judged = (tool: string, input: Fields): Fields => {
    const event = {
      action: tool,
      resources: [],
      effect: 'allow',
      source: { type: 'tool', id: 'call_1' },
    };
    let refused = '';
    try {
      two.hook('tool execute.before', { tool, input, id: 'call_1' });
    } catch (error) {
      refused = String(error);
    }
    two.hook('permission evaluate', event);
    void two.hook('tool execute.after', { tool, input, id: 'call_1', status: 'completed' });
    return { effect: event.effect, refused: refused !== '' };
  };
  expect(judged('shell', { command: 'contracts confirm x' })).toEqual({
    effect: 'ask',
    refused: false,
  });
  expect(
    judged('write', { filePath: `${root}/active_tasks/draft/x/contract.md`, content: 'x' }),
  ).toMatchObject({ effect: 'ask' });
  expect(judged('shell', { command: 'ls' })).toEqual({ effect: 'allow', refused: false });
  const event = { effect: 'deny', source: { id: 'call_1' } };
  two.hook('tool execute.before', {
    tool: 'shell',
    input: { command: 'contracts confirm x' },
    id: 'call_1',
  });
  two.hook('permission evaluate', event);
  expect(event.effect).toBe('deny');
  mkdirSync(join(root, '.contracts/agents'), { recursive: true });
  writeFileSync(
    join(root, '.contracts/agents/build.md'),
    '---\ndescription: gives away\nwrite: []\n---\n\nGive.\n',
  );
  const held = {
    agent: 'build',
    tool: 'write',
    input: { filePath: `${root}/a.txt`, content: 'x' },
    id: 'call_2',
  };
  expect(() => two.hook('tool execute.before', held)).toThrow('by its file in this project');
  two.stop?.();
});

test('MOCK of OpenCode 2: what waits stands before each call of the model', async () => {
  readyTask();
  const two = await begun();
  for (const _ of [1, 2]) {
    const system: Fields[] = [];
    await two.hook('session context', { system });
    expect(system).toMatchObject([{ type: 'text', text: expect.stringContaining('greet') }]);
  }
  two.stop?.();
});

test('MOCK of OpenCode 2: outside of a workspace it does nothing, and in an attempt it judges alone', async () => {
  vi.stubEnv('PWD', '/');
  expect(await plugin.setup({})).toBeUndefined();
  vi.stubEnv('PWD', root);
  vi.stubEnv('CONTRACTS_TASK', 'x');
  vi.stubEnv('CONTRACTS_OUT', join(root, 'desk'));
  const two = await begun();
  expect([two.tool, two.stop]).toEqual([undefined, undefined]);
  const use = { tool: 'write', input: { filePath: `${root}/a.txt`, content: 'x' }, id: 'call_1' };
  expect(() => two.hook('tool execute.before', use)).toThrow('CONTRACTS_PERMISSIONS is missing');
});
