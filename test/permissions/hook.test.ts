/**
 * The hook as clients call it: the built command as a process, the call on its stdin, the answer in
 * the client's shape, the refusal in the log on the desk. It denies where it cannot judge, and says
 * nothing outside of an attempt.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { narrowed, OPEN, type Permissions } from '../../src/task/core/model/permissions.ts';
import { readAllowed, allowedText } from '../../src/permissions/core/allowed.ts';
import { BINARY, contractsIn } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
let desk = '';

beforeEach(() => {
  root = sealedFolder('hook');
  desk = join(root, 'active_tasks/.desk/hello.0001');
  mkdirSync(desk, { recursive: true });
  mkdirSync(join(root, 'src'));
});

interface Asked {
  readonly client?: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

const SRC: Permissions = narrowed(OPEN, ['src/**']);

function inAttempt(permissions: Permissions = SRC): Record<string, string> {
  return {
    CONTRACTS_TASK: 'hello',
    CONTRACTS_OUT: desk,
    CONTRACTS_ROOT: root,
    CONTRACTS_PERMISSIONS: allowedText({ permissions, root, desk }),
  };
}

function ask({ client = 'claude', tool = 'Write', input = {}, stdin, env, more }: Asked) {
  const call = { session_id: 's', cwd: root, tool_name: tool, tool_input: input, ...more };
  const argv = ['hook', 'pre-tool-use', '--client', client];
  const { status, stdout, stderr } = contractsIn(root, argv, {
    env: { ...sealedEnv(), ...(env ?? inAttempt()) },
    input: stdin ?? JSON.stringify(call),
  });
  const answer: unknown = stdout === '' ? undefined : JSON.parse(stdout);
  return { status, stderr, answer };
}

const write = (path: string) => ({ file_path: path, content: 'x' });
/** Without the line that says that the hook was asked at all. */
const logged = (): Record<string, unknown>[] =>
  lines().filter(({ verdict }) => verdict !== 'asked');
const lines = (): Record<string, unknown>[] =>
  existsSync(join(desk, 'hook.log'))
    ? readFileSync(join(desk, 'hook.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];

describe('what a client is answered', () => {
  test.each(['claude', 'codex'])('%s: a denied write, and it is in the log', (client) => {
    const { status, answer } = ask({ client, input: write(join(root, 'lib/a.ts')) });
    expect(status).toBe(0);
    expect(answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('the contract lets it write src/**'),
      },
    });
    expect(logged()).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        client,
        tool: 'Write',
        verdict: 'deny',
        why: 'create lib/a.ts: the contract lets it write src/**',
        paths: ['lib/a.ts'],
      },
    ]);
  });

  test('gemini has a shape of its own', () => {
    const asked = { client: 'gemini', tool: 'write_file', input: write('lib/a.ts') };
    const { status, answer } = ask({ ...asked, more: { hook_event_name: 'BeforeTool' } });
    expect(status).toBe(0);
    expect(answer).toEqual({ decision: 'deny', reason: expect.stringContaining('lib/a.ts') });
    expect(answer).toEqual({ decision: 'deny', reason: expect.stringContaining(desk) });
  });

  test('what is allowed is passed in silence, so that the client’s own permissions hold', () => {
    for (const path of ['src/a.ts', join(root, 'src/b/c.ts'), join(desk, 'result.md')]) {
      expect(ask({ input: write(path) }), path).toEqual({
        status: 0,
        stderr: '',
        answer: undefined,
      });
    }
    const bash = { tool: 'Bash', input: { command: 'git status && npm test > /dev/null' } };
    expect(ask(bash).answer).toBeUndefined();
    expect(logged()).toEqual([]);
  });

  test('its first call leaves a mark that it was called, and no other does', () => {
    expect(lines()).toEqual([]);
    ask({ input: write('src/a.ts') });
    ask({ input: write('src/b.ts') });
    expect(lines()).toEqual([{ client: 'claude', verdict: 'asked' }]);
  });

  const TOOLS: readonly (readonly [string, object, boolean])[] = [
    ['Write', write('src/a.ts'), true],
    ['write_file', write('src/a.ts'), true],
    ['Read', { file_path: 'src/a.ts' }, true],
    ['Grep', { pattern: 'a' }, true],
    ['TodoWrite', { todos: [] }, true],
    ['Bash', { command: 'git status' }, false],
    ['run_shell_command', { command: 'git status' }, false],
    ['WebFetch', { url: 'https://example.com' }, false],
    ['web_fetch', { prompt: 'https://example.com' }, false],
    ['websearch', { query: 'a' }, false],
    ['Task', { prompt: 'do it' }, false],
    ['Agent', { prompt: 'do it' }, false],
    ['invoke_agent', { prompt: 'do it' }, false],
  ];
  test.each(TOOLS)('an agent with the tools read and write: %s %j', (tool, input, allowed) => {
    const env = inAttempt({ ...SRC, tools: ['read', 'write'] });
    const { answer } = ask({ env, tool, input });
    if (allowed) expect(answer).toBeUndefined();
    else expect(JSON.stringify(answer)).toContain(`${tool} is not among the tools of this agent`);
    expect(ask({ tool, input }).answer).toBeUndefined();
  });

  test('a push in a shell', () => {
    const bash = { tool: 'Bash', input: { command: 'cd src && sh -c "git push origin HEAD"' } };
    expect(JSON.stringify(ask(bash).answer)).toContain('git push');
    expect(logged().map(({ tool, paths }) => ({ tool, paths }))).toEqual([
      { tool: 'Bash', paths: [] },
    ]);
  });

  test('a soft rule lets pass, and is in the log', () => {
    const env = inAttempt({ ...SRC, strength: 'soft' });
    expect(ask({ env, input: write('lib/a.ts') }).answer).toBeUndefined();
    expect(logged().map(({ verdict }) => verdict)).toEqual(['warn']);
  });

  test('a link that leads away is followed', () => {
    symlinkSync('/usr/share', join(root, 'src/link'));
    symlinkSync('nowhere', join(root, 'src/dangling'));
    for (const path of ['src/link/a', 'src/dangling']) {
      expect(ask({ input: write(path) }).answer, path).toBeDefined();
    }
  });

  test('a notepad may only grow', () => {
    mkdirSync(join(root, '.contracts/plans/p'), { recursive: true });
    writeFileSync(join(root, '.contracts/plans/p/notepad.md'), 'first\n');
    const env = inAttempt({ ...SRC, append: ['.contracts/plans/*/notepad.md'] });
    const file_path = '.contracts/plans/p/notepad.md';
    const said = (content: string) => ask({ env, input: { file_path, content } }).answer;
    expect(said('first\nsecond\n')).toBeUndefined();
    expect(said('second\n')).toBeDefined();
  });
});

describe('it denies where it cannot judge', () => {
  test.each([
    ['no permissions', { CONTRACTS_PERMISSIONS: '' }, undefined],
    ['permissions that are none', { CONTRACTS_PERMISSIONS: '{"v":1}' }, undefined],
    ['no JSON', {}, 'not json'],
    ['nothing at all', {}, ''],
    ['half a call', {}, '{"tool_name":"Write"'],
    ['no tool', {}, '{"tool_input":{}}'],
    ['a list', {}, '[1]'],
  ])('%s', (_what, change, stdin) => {
    const env = { ...inAttempt(), ...change };
    const input = write('src/a.ts');
    const { status, answer } = ask(stdin === undefined ? { env, input } : { env, stdin });
    expect(status).toBe(0);
    expect(JSON.stringify(answer)).toContain('could not judge');
    expect(logged().map(({ verdict }) => verdict)).toEqual(['deny']);
  });

  test('without a log too', () => {
    rmSync(desk, { recursive: true });
    expect(ask({ input: write('lib/a.ts') }).answer).toBeDefined();
  });

  test('a log that leads away is not written', () => {
    writeFileSync(join(root, 'precious'), 'x');
    symlinkSync(join(root, 'precious'), join(desk, 'hook.log'));
    expect(ask({ input: write('lib/a.ts') }).answer).toBeDefined();
    expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('x');
  });

  test.each([['after-tool'], ['pre-tool-use', '--clinet', 'x'], ['pre-tool-use', '--client']])(
    'words that are none, with the code that every client takes for a refusal: %s %s',
    (...words) => {
      const argv = [BINARY, 'hook', ...words.filter((word) => typeof word === 'string')];
      const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', input: '' });
      expect([status, stderr]).toEqual([2, expect.stringContaining('denied')]);
    },
  );
});

describe('which attempt it is', () => {
  test('outside of any, and of a workspace, it says nothing and reads nothing', () => {
    const asked = ask({ env: {}, stdin: 'no json', input: write('/etc/passwd') });
    expect(asked).toEqual({ status: 0, stderr: '', answer: undefined });
  });

  test('who empties the environment is found by whom it descends from', () => {
    const call = JSON.stringify({ tool_name: 'Write', tool_input: write('lib/a.ts'), cwd: root });
    const line = `env -i PATH="$PATH" "${process.execPath}" "${BINARY}" hook pre-tool-use --client claude; :`;
    const env = { ...sealedEnv(), ...inAttempt() };
    const { stdout } = spawnSync('sh', ['-c', line], { env, input: call, encoding: 'utf8' });
    expect(stdout).toContain('lib/a.ts');
  });
});

describe('a person’s own session, outside of any attempt', () => {
  const session = (command: string, client = 'claude') =>
    ask({ env: {}, client, tool: 'Bash', input: { command } }).answer;
  beforeEach(() => mkdirSync(join(root, '.contracts')));

  test.each([
    'contracts confirm hello',
    'cd src && contracts approve hello --note fine',
    'npx contracts retry hello --again',
    'contracts trust',
    'CONTRACTS_TRUST=1 contracts step',
    'mv active_tasks/draft/hello active_tasks/ready/hello',
    'echo done > active_tasks/ready/hello/result.md',
    'echo > .contracts/config.yaml',
  ])('the person is asked before %s', (command) => {
    expect(session(command)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask' },
    });
    // Without a terminal it would wait for ever.
    expect(session(command, 'gemini')).toMatchObject({ decision: 'deny' });
    // It has no way to ask: the person does it.
    expect(session(command, 'codex')).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Ask the person'),
      },
    });
  });

  test.each([
    'contracts list',
    'contracts new Hello',
    'echo x > README.md; git push; rm -rf $UNKNOWN',
    'echo x > /etc/elsewhere',
    'cat active_tasks/ready/hello/contract.md',
  ])('nothing is said about %s', (command) => {
    expect(session(command)).toBeUndefined();
  });

  test('file tools, the folder of tasks by its name, and what is no call', () => {
    const asked = (path: string) => ask({ env: {}, input: write(path) }).answer;
    for (const place of ['todo', 'my tasks (é)', '"my tasks" # ours', 'a#b']) {
      writeFileSync(join(root, '.contracts/config.yaml'), `v: 1\nactive_tasks: ${place}\n`);
      const folder = place.replaceAll(/"| # ours/g, '');
      expect(asked(`${folder}/ready/hello/contract.md`), place).toBeDefined();
    }
    expect(asked('active_tasks/ready/hello/contract.md')).toBeUndefined();
    expect(asked('.claude/settings.json')).toBeUndefined();
    expect(ask({ env: {}, stdin: 'no json' }).answer).toBeUndefined();
  });
});

test('permissions are read only as they were written', () => {
  const allowed = { permissions: SRC, root: '/w', desk: '/w/desk' };
  expect(readAllowed(allowedText(allowed))).toEqual(allowed);
  const whole = JSON.parse(allowedText(allowed)) as Record<string, unknown>;
  for (const key of [
    'v',
    'root',
    'desk',
    'write',
    'create',
    'delete',
    'append',
    'git',
    'strength',
  ]) {
    expect(readAllowed(JSON.stringify({ ...whole, [key]: undefined })), key).toBeUndefined();
    expect(readAllowed(JSON.stringify({ ...whole, [key]: ['x', 1] })), key).toBeUndefined();
  }
  for (const text of ['', 'null', '[]', '"x"']) expect(readAllowed(text)).toBeUndefined();
});
