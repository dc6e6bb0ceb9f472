/** Adapters as tables: call in, invocation out; line in, events out. The shell driver also runs. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  agentEnvironment,
  namesFor,
  secretValues,
  type Adapter,
} from '../../src/process/adapter.ts';
import { commandAdapter } from '../../src/clients/adapters/command.ts';
import { shellAdapter } from '../../src/clients/adapters/shell.ts';
import { hostAdapter, humanAdapter } from '../../src/clients/adapters/registry.ts';
import { adapterFor, adapterNames } from '../../src/clients/adapters/registry.ts';
import { Fault } from '../../src/task/core/model/problem.ts';
import { call } from './calls.ts';
import { folder, logOf, run, spawnIn } from './rig.ts';

const argvOf = (run_: readonly string[], change = {}): readonly string[] =>
  commandAdapter('mine', { run: run_ }).prepare(call(change)).argv;

describe('command', () => {
  const filled: readonly [string, string[], object, string[]][] = [
    ['no placeholder', ['node', 'a.mjs', '-x'], {}, ['node', 'a.mjs', '-x']],
    [
      'every placeholder',
      'p {{brief_file}} {{contract_file}} {{desk}} {{root}} {{task}} {{attempt}} {{agent}} {{model}} {{kind}} {{session}}'.split(
        ' ',
      ),
      { model: 'm', session: 's' },
      [
        'p',
        '/w/desk/brief.md',
        '/w/desk/contract.md',
        '/w/desk',
        '/w',
        'build_20261121_login_k3f9',
        '0002',
        'builder',
        'm',
        'work',
        's',
      ],
    ],
    ['inside an element', ['p', '--m={{model}}/{{agent}}'], { model: 'x' }, ['p', '--m=x/builder']],
    ['blanks stay one element', ['p', '{{brief_file}}'], { brief_file: '/a b/c' }, ['p', '/a b/c']],
    [
      'a shell sees nothing of it',
      ['p', '{{agent}}'],
      { agent: '$(touch pwned); `x` "\n\'' },
      ['p', '$(touch pwned); `x` "\n\''],
    ],
    ['values are not filled again', ['p', '{{agent}}'], { agent: '{{root}}' }, ['p', '{{root}}']],
    ['$& is no pattern', ['p', 'a{{agent}}b'], { agent: '$&$1' }, ['p', 'a$&$1b']],
    ['unknown yet is empty', ['p', '{{model}}', '-m={{session}}'], {}, ['p', '', '-m=']],
    ['an option takes any value', ['p', '--m={{model}}'], { model: '-x' }, ['p', '--m=-x']],
    ['the program may lie in the root', ['{{root}}/agent'], {}, ['/w/agent']],
  ];
  test.each(filled)('%s', (_what, template, change, argv) => {
    expect(argvOf(template, change)).toEqual(argv);
  });

  const refused: readonly [string, string[], object, RegExp][] = [
    ['an unknown placeholder', ['p', '{{brif_file}}'], {}, /\{\{brif_file\}\}/],
    ['a name of Object', ['p', '{{constructor}}'], {}, /\{\{constructor\}\}/],
    ['an empty placeholder', ['p', '{{}}'], {}, /\{\{\}\}/],
    ['blanks in a placeholder', ['p', '{{ desk }}'], {}, /\{\{ desk \}\}/],
    ['a value that becomes an option', ['p', '{{model}}'], { model: '--yolo' }, /option/],
    ['the beginning of one', ['p', '{{model}}x'], { model: '-' }, /option/],
    ['a program chosen by the contract', ['{{agent}}'], {}, /\{\{agent\}\}/],
    ['a NUL', ['p', '{{agent}}'], { agent: 'a\0b' }, /NUL/],
    ['no program', [], {}, /no program/],
    ['an empty program', [''], {}, /no program/],
  ];
  test.each(refused)('refuses %s', (_what, template, change, words) => {
    expect(() => argvOf(template, change)).toThrow(words);
    expect(() => argvOf(template, change)).toThrow(Fault);
  });

  test('runs in the root, without stdin, and is data besides', () => {
    const adapter = commandAdapter('mine', { run: ['p', '{{session}}'], env: ['MY_KEY'] });
    expect(adapter).toMatchObject({
      name: 'mine',
      mode: 'process',
      writes_result_itself: true,
      program: 'p',
      resumable: true,
      env_names: ['MY_KEY'],
    });
    expect(adapter.prepare(call())).toMatchObject({ cwd: '/w', stdin: 'null', env: {}, files: {} });
    expect(adapter.read('a line')).toEqual([{ kind: 'line', text: 'a line' }]);
    expect(adapter.read('')).toEqual([]);
    expect(commandAdapter('mine', { run: ['{{root}}/p'] }).program).toBeUndefined();
    expect(commandAdapter('mine', { run: ['p'] }).resumable).toBe(false);
  });
});

describe('shell', () => {
  interface Ran {
    readonly code: number | null;
    readonly log: string;
    readonly desk: string;
  }
  async function ran(steps: readonly string[]): Promise<Ran> {
    const root = folder();
    const desk = join(root, 'the "desk"');
    mkdirSync(desk);
    const one = call({ root, desk, steps });
    const invocation = shellAdapter.prepare(one);
    for (const [name, text] of Object.entries(invocation.files)) {
      writeFileSync(join(desk, name), text);
    }
    const env = { ...agentEnvironment(one, process.env, 'steps'), ...invocation.env };
    const spawn = spawnIn(root, invocation.argv, { env, cwd: invocation.cwd });
    const exit = await run(spawn);
    return { code: exit.code, log: logOf(spawn), desk };
  }

  test('writes each block to its own file, as it is', () => {
    const { files, argv, cwd } = shellAdapter.prepare(call({ steps: ['a "$b"', 'c\n'] }));
    expect(Object.keys(files)).toEqual(['steps.sh', 'step-1.sh', 'step-2.sh']);
    expect([files['step-1.sh'], files['step-2.sh']]).toEqual(['a "$b"\n', 'c\n']);
    expect(argv).toEqual(['sh', '/w/desk/steps.sh']);
    expect(cwd).toBe('/w');
  });

  test('refuses a contract without blocks', () => {
    expect(() => shellAdapter.prepare(call())).toThrow(Fault);
  });

  test('runs blocks in order, in the root, each in its own shell', async () => {
    const { code, log } = await ran([
      'x=1; pwd >here',
      'echo "${x-unset}"; exit 0',
      'test -s here',
    ]);
    expect(code).toBe(0);
    expect(log).toBe('== step 1 of 3\n== step 2 of 3\nunset\n== step 3 of 3\n');
  });

  // Shells differ in the code for their own complaints; then only "not 0" is promised.
  const stops: readonly [string, string, number | undefined][] = [
    ['a failing command', 'false\necho after', 1],
    ['its own exit code', 'exit 42', 42],
    ['an unset variable', 'echo "$nowhere_set"', undefined],
    ['a missing program', 'no-such-program-here', 127],
    ['a syntax error', 'if true', undefined],
  ];
  test.each(stops)('stops at %s', async (_what, step, code) => {
    const result = await ran([step, 'echo second']);
    if (code === undefined) expect(result.code).not.toBe(0);
    else expect(result.code).toBe(code);
    expect(result.log).not.toContain('second');
    expect(result.log).not.toContain('after');
  });

  test.each(['questions.md', 'result.md'])('stops quietly once %s is written', async (name) => {
    const { code, log, desk } = await ran([`echo words >"$CONTRACTS_OUT/${name}"`, 'echo second']);
    expect(code).toBe(0);
    expect(log).toBe('== step 1 of 2\n');
    expect(existsSync(join(desk, name))).toBe(true);
  });

  test('tells its steps', () => {
    expect(shellAdapter.read('== step 2 of 3')).toEqual([
      { kind: 'tool', name: 'step', detail: '2 of 3' },
    ]);
    expect(shellAdapter.read('words == step 2 of 3')).toEqual([
      { kind: 'line', text: 'words == step 2 of 3' },
    ]);
  });
});

test.each([humanAdapter, hostAdapter])('$name is nothing to start', (adapter) => {
  expect(adapter.mode).toBe(adapter.name);
  expect(adapter.read('anything')).toEqual([]);
  expect(() => adapter.prepare(call())).toThrow(/bug/);
});

describe('registry', () => {
  const adapters = {
    mine: { type: 'command', run: ['node', '{{model}}'], env: ['MY_KEY'], model: 'm1' },
    short: { run: ['p'] },
    steps: { type: 'shell', env: ['TOKEN'] },
    shell: { env: ['OTHER'] },
    boss: { type: 'human' },
    odd: { type: 'telepathy' },
    bare: {},
  };
  const known: readonly [string, object | undefined][] = [
    ['human', { name: 'human', mode: 'human' }],
    ['host', { name: 'host', mode: 'host' }],
    ['mine', { name: 'mine', mode: 'process', env_names: ['MY_KEY'] }],
    ['short', { name: 'short', mode: 'process', program: 'p' }],
    ['steps', { name: 'steps', writes_result_itself: false, env_names: ['TOKEN'] }],
    ['shell', { name: 'shell', writes_result_itself: false, env_names: ['OTHER'] }],
    ['boss', { name: 'boss', mode: 'human' }],
    ['odd', undefined],
    ['bare', undefined],
    ['nobody', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
  ];
  test.each(known)('%s', (name, adapter) => {
    const found = adapterFor(name, { adapters });
    if (adapter === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(adapter);
  });

  test('names what can be called, sorted', () => {
    expect(adapterNames({ adapters: {} })).toEqual([
      'claude',
      'codex',
      'gemini',
      'host',
      'human',
      'opencode',
      'shell',
    ]);
    expect(adapterNames({ adapters })).toEqual([
      'boss',
      'claude',
      'codex',
      'gemini',
      'host',
      'human',
      'mine',
      'opencode',
      'shell',
      'short',
      'steps',
    ]);
  });
});

describe('environment', () => {
  const ambient = {
    PATH: '/bin',
    HOME: '/home/me',
    LC_TIME: 'C',
    XDG_STATE_HOME: '/s',
    GITHUB_TOKEN: 'a-token-of-mine',
    MY_KEY: 'a-key-of-mine',
    LCD: 'no',
    UNSET: undefined,
    CONTRACTS_TASK: 'outer',
    CONTRACTS_MARK: 'outer',
    CONTRACTS_EXTRA: 'outer',
  };

  test('is the allowlist, the named and ours', () => {
    const env_names = ['MY_KEY', 'MISSING', 'CONTRACTS_MARK', 'CONTRACTS_EXTRA', '__proto__'];
    expect(agentEnvironment(call({ env_names }), ambient, 'inner')).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LC_TIME: 'C',
      XDG_STATE_HOME: '/s',
      MY_KEY: 'a-key-of-mine',
      CONTRACTS_TASK: 'build_20261121_login_k3f9',
      CONTRACTS_OUT: '/w/desk',
      CONTRACTS_BRIEF: '/w/desk/brief.md',
      CONTRACTS_ATTEMPT: '0002',
      CONTRACTS_ROOT: '/w',
      CONTRACTS_KIND: 'work',
      CONTRACTS_AGENT: 'builder',
      CONTRACTS_PERMISSIONS: JSON.stringify({
        v: 1,
        root: '/w',
        desk: '/w/desk',
        ...call().permissions,
      }),
      CONTRACTS_MARK: 'inner',
    });
  });

  test('has a PATH even where the runner has none', () => {
    expect(agentEnvironment(call(), {}, 'm')['PATH']).toBe('/usr/local/bin:/usr/bin:/bin');
  });

  describe('of Claude', () => {
    const always = {
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'opus',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'sonnet',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'haiku',
      ANTHROPIC_SMALL_FAST_MODEL: 'small',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: team-secret\nX-Two: other-secret',
      ANTHROPIC_BEDROCK_BASE_URL: 'http://bedrock',
      ANTHROPIC_VERTEX_BASE_URL: 'http://vertex',
    };
    const bedrock = {
      AWS_REGION: 'eu-central-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_PROFILE: 'work',
      AWS_ACCESS_KEY_ID: 'aws-id',
      AWS_SECRET_ACCESS_KEY: 'aws-secret',
      AWS_SESSION_TOKEN: 'aws-session',
      AWS_BEARER_TOKEN_BEDROCK: 'aws-bearer',
      AWS_CONFIG_FILE: '/h/aws-config',
      AWS_SHARED_CREDENTIALS_FILE: '/h/aws-credentials',
    };
    const vertex = {
      CLOUD_ML_REGION: 'europe-west1',
      ANTHROPIC_VERTEX_PROJECT_ID: 'project',
      GOOGLE_APPLICATION_CREDENTIALS: '/h/google.json',
      GOOGLE_CLOUD_PROJECT: 'project-2',
    };
    const there = { ...always, ...bedrock, ...vertex };
    const CLOUDS: readonly (readonly [object, object])[] = [
      [{}, {}],
      [{ CLAUDE_CODE_USE_BEDROCK: '1' }, bedrock],
      [{ CLAUDE_CODE_USE_BEDROCK: 'true' }, bedrock],
      [{ CLAUDE_CODE_USE_BEDROCK: '0' }, {}],
      [{ CLAUDE_CODE_USE_VERTEX: '1' }, vertex],
      [
        { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: 'true' },
        { ...bedrock, ...vertex },
      ],
    ];
    const config = { adapters: { mine: { type: 'acp', run: ['claude-agent-acp'] } } };

    describe.each(['claude', 'mine'])('%s', (name) => {
      const adapter: Partial<Adapter> = adapterFor(name, config) ?? {};

      test.each(CLOUDS)('with %j', (switched, reaches) => {
        const ambient = { ...there, ...switched };
        const env = agentEnvironment(call({ env_names: namesFor(adapter, ambient) }), ambient, 'm');
        const names = new Set([...Object.keys(there), ...Object.keys(switched)]);
        expect(Object.fromEntries(Object.entries(env).filter(([one]) => names.has(one)))).toEqual({
          ...always,
          ...switched,
          ...reaches,
        });
      });

      test('its keys are secrets, its addresses are not', () => {
        const all = { ...there, CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '1' };
        const names = namesFor(adapter, all).filter(
          (one) => adapter.plain_env?.includes(one) !== true,
        );
        expect(secretValues(names, all).toSorted()).toEqual([
          'X-Team: team-secret\nX-Two: other-secret',
          'aws-bearer',
          'aws-id',
          'aws-secret',
          'aws-session',
          'other-secret',
          'team-secret',
        ]);
        expect(
          adapter.reads_env?.map((one) => Object.entries(all).find(([key]) => key === one)?.[1]),
        ).toEqual(['/h/aws-config', '/h/aws-credentials', '/h/google.json']);
      });
    });
  });

  test('secrets are the values of what was named, not of what everybody has', () => {
    expect(secretValues(['MY_KEY', 'HOME', 'MISSING', 'UNSET'], ambient)).toEqual([
      'a-key-of-mine',
    ]);
  });
});
