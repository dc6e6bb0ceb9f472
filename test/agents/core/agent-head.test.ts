/** What the front matter of each client's dialect comes to here: one row a dialect. */
import { expect, test } from 'vitest';
import { readAgentHead } from '../../../src/agents/core/agent-head.ts';

const NOTHING = { write: [], create: [], delete: [], append: [] };
const LOOKS = { ...NOTHING, git: [] };
const shells = (...own: string[]) => ['read', 'write', 'edit', ...own, 'search', 'fetch', 'task'];

const rows: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['nothing at all', {}, {}],
  ['Claude: a list of words', { tools: 'Write, Read' }, { tools: ['write', 'read'] }],
  [
    'Claude: tools that only look',
    { tools: 'Read, Grep, Glob' },
    { tools: ['read', 'search'], ...LOOKS },
  ],
  [
    'Claude: a shell of some commands, and no tool that writes',
    { tools: 'Read, Bash(git:*, npm test)' },
    { tools: ['read', 'shell(git:*)', 'shell(npm test)'], ...NOTHING },
  ],
  ['Claude: a shell can change things', { tools: 'Read, Bash(*)' }, { tools: ['read', 'shell'] }],
  [
    'Claude: a bracket that is not closed is no whole shell',
    { tools: 'Write, Bash(git log:*' },
    { tools: ['write', 'shell(git)', 'log:*'] },
  ],
  [
    'Claude: some commands are denied',
    { tools: 'Write, Bash', disallowedTools: 'Bash(git push:*)' },
    { tools: ['write', 'shell', 'shell(!git push *)'] },
  ],
  [
    'OpenCode: some commands alone',
    { permission: { bash: { 'git log*': 'allow', '*': 'deny' } } },
    { tools: shells('shell(git log*)') },
  ],
  [
    'OpenCode: some commands without asking, where there is no person to ask',
    { permission: { bash: { '*': 'ask', 'git *': 'allow', 'git push*': 'ask' } } },
    { tools: shells('shell(git *)', 'shell(!git push*)') },
  ],
  [
    'OpenCode: some commands are denied',
    { permission: { bash: { '*': 'allow', 'rm *': 'deny' } } },
    { tools: shells('shell', 'shell(!rm *)') },
  ],
  ['OpenCode: no shell', { permission: { bash: 'deny' } }, { tools: shells(), git: [] }],
  [
    'OpenCode: every command is denied',
    { permission: { bash: { '*': 'deny', 'rm *': 'ask' } } },
    { tools: shells('shell(!rm *)') },
  ],
  ['Claude: its model is the caller’s', { model: 'inherit' }, {}],
  ['Claude: plan mode', { permissionMode: 'plan' }, LOOKS],
  [
    'Claude: tools taken away',
    { disallowedTools: 'Write, Edit' },
    { tools: ['read', 'shell', 'search', 'fetch', 'task'], ...NOTHING },
  ],
  ['Claude: an empty line is no list', { tools: '' }, {}],
  ['Claude: skills on one line', { skills: 'a, b' }, { skills: ['a', 'b'] }],
  ['an empty list allows no tool', { tools: [] }, { tools: [], ...LOOKS }],
  ['OpenCode: no edits', { permission: { edit: 'deny', bash: 'ask' } }, NOTHING],
  ['OpenCode: nothing', { permission: 'deny' }, { tools: shells(), ...LOOKS }],
  [
    'OpenCode: some files alone',
    { permission: { edit: { '*': 'deny', 'docs/**': 'allow' } } },
    { write: ['docs/**'], create: ['docs/**'], delete: ['docs/**'], append: ['docs/**'] },
  ],
  [
    'OpenCode: tools switched off',
    { tools: { write: false, edit: false, bash: false } },
    { tools: ['read', 'search', 'fetch', 'task'], ...LOOKS },
  ],
  [
    'OpenCode: one tool switched off',
    { tools: { write: false } },
    { tools: ['read', 'edit', 'shell', 'search', 'fetch', 'task'] },
  ],
  ['OpenCode: limits that say nothing here', { mode: 'subagent', steps: 5, temperature: 0.1 }, {}],
  [
    'Gemini: names of its own',
    { kind: 'local', tools: ['read_file', 'write_file'] },
    { tools: ['read', 'write'] },
  ],
  ['Gemini: minutes', { timeout_mins: 7 }, { timeout: '7m' }],
  [
    'Codex: instructions and a sandbox',
    { developer_instructions: 'Look.', sandbox_mode: 'read-only' },
    { instructions: 'Look.', ...LOOKS },
  ],
  [
    'a skill’s agent',
    { metadata: { tool_access: ['read', 'memory-lane_find'] } },
    { tools: ['read', 'memory-lane_find'], ...LOOKS },
  ],
  [
    'ours',
    { write: ['docs/**'], git: ['add'], adapter: 'mine' },
    { write: ['docs/**'], git: ['add'], adapter: 'mine' },
  ],
  ['ours: one entry', { write: 'docs/**', git: 'add' }, { write: ['docs/**'], git: ['add'] }],
  [
    'ours says more than its tools',
    { tools: ['read', 'edit'], write: ['a/**'] },
    { tools: ['read', 'edit'], write: ['a/**'] },
  ],
  [
    'tools that only look win over globs',
    { tools: ['read'], write: ['**'], git: ['push'] },
    { tools: ['read'], ...LOOKS },
  ],
  ['what is denied wins over globs', { permission: { edit: 'deny' }, write: ['**'] }, NOTHING],
];

test.each(rows)('%s', (_, head, expected) => {
  const read = readAgentHead(head, false);
  expect(read.ok && read.value.config).toEqual(expected);
  expect(read.notes).toEqual([]);
});

test('a wrong type leaves the agent out, and says at which key', () => {
  expect(readAgentHead({ timeout: 3 }, false)).toMatchObject({
    ok: false,
    notes: [{ key: 'timeout' }],
  });
  expect(readAgentHead({ git: ['fly'] }, false)).toMatchObject({
    ok: false,
    notes: [{ key: 'git.0' }],
  });
});

test('a key that nobody knows is told in our own folder alone', () => {
  const head = { description: 'x', retires_max: 1, temperature: 1 };
  expect(readAgentHead(head, false)).toMatchObject({ ok: true, notes: [] });
  expect(readAgentHead(head, true)).toMatchObject({
    ok: true,
    notes: [{ key: 'retires_max', fix: 'Did you mean retries_max?' }],
  });
});

test('one that would narrow the agent is not passed over: the agent is left out', () => {
  for (const key of ['wirte', 'appends', 'tool', 'strenght']) {
    expect(readAgentHead({ [key]: [] }, true), key).toMatchObject({
      ok: false,
      notes: [{ key }],
    });
  }
});

test('files that are denied one by one cannot be taken over, and that is told', () => {
  const read = readAgentHead({ permission: { edit: { '*': 'allow', '.env': 'deny' } } }, false);
  expect(read).toMatchObject({ ok: true, value: { config: {} }, notes: [{ found: '.env' }] });
});

test('a long description is cut, not refused', () => {
  const read = readAgentHead({ description: 'x'.repeat(9000) }, false);
  expect(read.ok && read.value.config.description).toHaveLength(2000);
});
