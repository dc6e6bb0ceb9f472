/** What the front matter of each client's dialect comes to here: one row a dialect. */
import { expect, test } from 'vitest';
import { readAgentHead } from '../../../src/agents/core/agent-head.ts';

const NOTHING = { write: [], create: [], delete: [], append: [] };
const LOOKS = { ...NOTHING, git: [] };
const LOOKING = { tools: ['read', 'search', 'fetch', 'task'], ...LOOKS };
const globs = (...write: string[]) => ({ write, create: write, delete: write, append: write });
const only = (tool: string, ...write: string[]) => ({ tools: ['read', tool], ...globs(...write) });
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
  [
    'OpenCode: nothing',
    { permission: 'deny' },
    { tools: ['read', 'write', 'edit', 'search'], ...LOOKS },
  ],
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
  [
    'OpenCode: nothing but some files',
    { permission: { '*': 'deny', edit: { 'docs/**': 'allow' } } },
    { tools: ['read', 'write', 'edit', 'search'], ...globs('docs/**'), git: [] },
  ],
  [
    'OpenCode: a later rule for all tools',
    { permission: { edit: { 'docs/**': 'allow' }, '*': 'deny' } },
    { tools: ['read', 'write', 'edit', 'search'], ...LOOKS },
  ],
  [
    'OpenCode: some files of a tool that is denied elsewhere',
    { permission: { '*': 'deny', bash: { 'git log*': 'allow' } } },
    { tools: ['read', 'write', 'edit', 'shell(git log*)', 'search'], ...NOTHING },
  ],
  [
    'OpenCode: the last rule wins',
    { permission: { edit: { 'src/**': 'allow', '*': 'deny' } } },
    NOTHING,
  ],
  [
    'OpenCode: a rule before the one for all',
    { permission: { edit: { 'a/**': 'allow', '*': 'deny', 'b/**': 'allow' } } },
    globs('b/**'),
  ],
  ...['Deny', 'DENY', 'denied', false, 'no', 'Off'].map(
    (no) =>
      [
        `OpenCode: ${no}`,
        { permission: { edit: no, bash: no } },
        { tools: shells(), ...LOOKS },
      ] as const,
  ),
  ...['*', '**', '**/*', './**', '/**'].map(
    (all) => [`OpenCode: ${all}`, { permission: { edit: { [all]: 'deny' } } }, NOTHING] as const,
  ),
  ...['write', 'Edit', 'patch', 'ed*', 'multiedit'].map(
    (tool) => [`OpenCode: ${tool}`, { permission: { [tool]: 'deny' } }, NOTHING] as const,
  ),
  ...['no', 'No', 'false', 'FALSE', 'off', 'deny', 0].map(
    (no) =>
      [`OpenCode: tools are ${no}`, { tools: { write: no, edit: no, bash: no } }, LOOKING] as const,
  ),
  [
    'OpenCode: globs of tools',
    { tools: { 'write*': false, 'edit*': false, '*bash': false } },
    LOOKING,
  ],
  [
    'OpenCode: all tools but some',
    { tools: { '*': false, read: true, grep: true } },
    { tools: ['read', 'search'], ...LOOKS },
  ],
  [
    'OpenCode: what is denied by name stays so',
    { tools: { write: false, edit: false, bash: false, '*': true } },
    LOOKING,
  ],
  [
    'a list that takes a tool away',
    { tools: '!Bash, *' },
    { tools: ['read', 'write', 'edit', 'search', 'fetch', 'task'] },
  ],
  ['a list that only takes away', { tools: ['!Write', '!Edit', '!Bash'] }, LOOKING],
  ['Claude: denied by a glob', { disallowedTools: ['Write*', 'Edit', 'Bash'] }, LOOKING],
  ['Codex: another spelling', { sandbox_mode: 'Read-Only' }, LOOKS],
  ...['readOnly', 'read_only', 'readonly'].map((key) => [key, { [key]: true }, LOOKS] as const),
  ['not only to read', { readOnly: false, sandbox: 'none', sandbox_mode: 'workspace-write' }, {}],
  ['another key for it', { sandbox: 'read-only' }, LOOKS],
  ...[
    { permissions: {} },
    { permissions: [] },
    { permission: {} },
    { allowed_models: ['opus'] },
    { devtools: 'yes' },
    { requires_tools: false },
    { permissionMode: 'acceptEdits' },
    { mode: Object.create(null) as object, hooks: { Stop: Object.create(null) as object } },
    { permission: { doom_loop: 'deny', capabilities_list: 'allow', mine: 'deny' } },
  ].map((head) => [`takes nothing away: ${JSON.stringify(head)}`, head, {}] as const),
  ['Claude: some files alone', { tools: 'Read, Edit(docs/**)' }, only('edit', 'docs/**')],
  [
    'Claude: a list of files',
    { tools: ['Read', 'Write(/a/b, ./c/)'] },
    only('write', 'a/b', 'c/**'),
  ],
  ['Claude: a name in any folder', { tools: 'Read, Edit(*.md)' }, only('edit', '**/*.md')],
  ['Claude: no file of the project', { tools: 'Read, Write(//etc/**, ~/x, ../a)' }, only('write')],
  [
    'Claude: one of two tools has all files',
    { tools: 'Edit(docs/**), Write' },
    { tools: ['edit', 'write'] },
  ],
  ['Claude: brackets of all files', { tools: 'Edit(**)' }, { tools: ['edit'] }],
  [
    'ours says more than brackets',
    { tools: 'Edit(docs/**)', write: ['a/**'] },
    { tools: ['edit'], write: ['a/**'] },
  ],
  ...[
    { mode: 'plan' },
    { mode: 'read-only' },
    { mode: 'Ask' },
    { defaultMode: 'plan' },
    { approval_mode: 'plan' },
    { approvalMode: 'plan' },
    { approval_policy: 'untrusted' },
  ].map((head) => [JSON.stringify(head), head, LOOKS] as const),
  ...[
    { mode: 'primary' },
    { approval_mode: 'auto_edit' },
    { approval_policy: 'on-request' },
    { features: { memories: false, shell_tool: true } },
    { features: ['tools', 'search'] },
    { features: { multi: null, b: { c: 1 } } },
    { 'mcp-servers': { a: { command: 'x', tools: ['*'] } } },
    { mcpServers: ['a'] },
    { constraints: [], access: 'write', allow_delegation: false },
  ].map((head) => [`takes nothing away: ${JSON.stringify(head)}`, head, {}] as const),
  // No person can be asked.
  ...['ask', { '*': 'ask' }, { 'a/**': 'allow', '*': 'ask' }].map(
    (ask) =>
      [`OpenCode: edit ${JSON.stringify(ask)}`, { permission: { edit: ask } }, NOTHING] as const,
  ),
  ['OpenCode: ask for all', { permission: { edit: 'allow', '*': 'ask' } }, NOTHING],
  [
    'OpenCode: some files without asking',
    { permission: { edit: { '*': 'ask', 'docs/**': 'allow' } } },
    globs('docs/**'),
  ],
  [
    'OpenCode: a tool that asks',
    { tools: { write: 'ask', edit: 'ask', bash: 'ask' } },
    { tools: ['read', 'shell', 'search', 'fetch', 'task'], ...NOTHING },
  ],
  ['what is denied wins over globs', { permission: { edit: 'deny' }, write: ['**'] }, NOTHING],
];

test.each(rows)('%s', (_, head, expected) => {
  const read = readAgentHead(head, false);
  expect(read.ok && read.value.config).toEqual(expected);
  expect(read.notes).toEqual([]);
});

test.each<readonly [string, unknown]>([
  ['permission', 'read-only'],
  ['permission', 'nothing'],
  ['permission', ['deny']],
  ['permission', { edit: ['deny'] }],
  ['permission', { edit: { '*': 'never ever' } }],
  ['permission', { edit: null }],
  ['permission', { edit: [Object.create(null)] }],
  ['sandbox', Object.create(null, { on: { value: true, enumerable: true } })],
  ['readOnly', [true]],
  ['permissions', { edit: 'deny' }],
  ['default_permissions', ':read-only'],
  ['permissionMode', 'careful'],
  ['sandbox_mode', 'locked'],
  ['sandbox', { enabled: true }],
  ['readOnly', 'mostly'],
  ['tools', { exclude: ['write', 'edit', 'bash'] }],
  ['tools', { write: 'sometimes' }],
  ['tools', { bash: null }],
  ['tool_access', { write: 'sometimes' }],
  ['Tools', ['read']],
  ['Tool_Access', ['read']],
  ['Write', []],
  ['Permission', { edit: 'deny' }],
  ['disallowedTools', [{ name: 'Write' }]],
  ['excludeTools', ['Write']],
  ['forbidden', ['src/**']],
  ['forbidden_paths', ['src/**']],
  ['denied', ['Write']],
  ['allow', ['Read']],
  ['bash', false],
  ['edit', 'deny'],
  ['access', 'read-only'],
  ['access', 'read'],
  ['restrictions', 'no writes'],
  ['constraints', { write: 'none' }],
  ['can_write', false],
  ['allowEdits', 'no'],
  ['mayDelete', 'never'],
  ['approval_mode', 'careful'],
  ['approvalPolicy', { granular: true }],
  ['disallowedTools', 'Edit(src/**)'],
  ['disallowedTools', ['Read', 'Write(src/**)']],
  ['tools', ['*', '!Edit(src/**)']],
  ['features', { shell_tool: false }],
  ['features', { unified_exec: false }],
  ['mcp_servers', { a: { command: 'x', disabled_tools: ['y'] } }],
  ['mcp_servers', { '[mcp_servers.a]': null, enabled_tools: null }],
  ['mcpServers', { a: { excludeTools: ['y'] } }],
])('%s: %j may take something away, and is not understood', (key, value) => {
  for (const ours of [false, true]) {
    const read = readAgentHead({ description: 'x', [key]: value }, ours);
    expect(read).toMatchObject({ ok: false, notes: [{ key, found: key }] });
  }
});

test.each([
  { disable: true },
  { disabled: true },
  { disabled: 'yes' },
  { Disabled: 'true' },
  { enabled: false },
  { enabled: 'no' },
])('switched off: %j', (head) => {
  expect(readAgentHead(head, false)).toMatchObject({ ok: true, value: { disabled: true } });
});

test('not switched off', () => {
  const head = { disable: false, disabled: 'no', enabled: true };
  expect(readAgentHead(head, false)).toMatchObject({ ok: true, value: { disabled: false } });
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

test('of files that are denied below allowed ones, the others are taken over', () => {
  const edit = { '*': 'deny', 'docs/**': 'allow', 'docs/x': 'deny' };
  const read = readAgentHead({ permission: { edit } }, false);
  const note = { key: 'permission', found: 'docs/x' };
  expect(read).toMatchObject({ ok: true, value: { config: globs('docs/**') }, notes: [note] });
});

test('an unknown tool that is taken away is told', () => {
  const read = readAgentHead({ disallowedTools: 'Writ, mcp__docs' }, false);
  expect(read).toMatchObject({ ok: true, notes: [{ key: 'tools', found: 'Writ' }] });
});

test('a long description is cut, not refused', () => {
  const read = readAgentHead({ description: 'x'.repeat(9000) }, false);
  expect(read.ok && read.value.config.description).toHaveLength(2000);
});
