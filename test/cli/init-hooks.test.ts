/** `init --hooks`: what it adds to the settings of clients, and the plugin that it names, loaded as it is. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { narrowed, OPEN } from '../../src/task/core/model/permissions.ts';
import { allowedText } from '../../src/permissions/core/allowed.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
beforeEach(() => void (root = sealedFolder('init-hooks')));

const FILES = [
  '.claude/settings.json',
  '.gemini/settings.json',
  '.codex/hooks.json',
  'opencode.json',
];

/** Of sessions, as Claude Code names them. */
const EVENTS = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'user-prompt',
  SessionEnd: 'session-end',
};

function init(): {
  made: string[];
  added_to: string[];
  by_hand: { file: string; text: string; why: string }[];
} {
  const argv = [BINARY, 'init', '--hooks', '--json'];
  const env = sealedEnv();
  const said = execFileSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' });
  return JSON.parse(said) as ReturnType<typeof init>;
}
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('all four are made, each in its own shape, and a second time changes nothing', () => {
  expect(init().made).toEqual(expect.arrayContaining(FILES));
  for (const file of FILES.slice(0, 3)) expect(read(file)).toContain('contracts hook pre-tool-use');
  expect(read('opencode.json')).toContain('opencode-plugin.js');
  const before = FILES.map(read);
  expect(init()).toMatchObject({ made: [], added_to: [], by_hand: [] });
  expect(FILES.map(read)).toEqual(before);
});

test('of installed clients alone: a stand-in for claude has its file, and no other is made', () => {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 2.1.330\n', { mode: 0o755 });
  const env = { ...sealedEnv(), PATH: `${bin}:/usr/bin:/bin` };
  const where = join(root, 'project');
  mkdirSync(where);
  execFileSync(process.execPath, [BINARY, 'init', '--hooks'], { cwd: where, env });
  const made = ['.claude/settings.json', '.gemini', '.codex', 'opencode.json'];
  expect(made.map((file) => existsSync(join(where, file)))).toEqual([true, false, false, false]);
});

test('events of sessions fail open, and are added where only the hook of tools is', () => {
  init();
  const whole = read('.claude/settings.json');
  for (const file of FILES.slice(0, 3))
    for (const event of Object.values(EVENTS))
      expect(read(file)).toMatch(new RegExp(`"contracts hook ${event} --client \\w+ \\|\\| true"`));
  type Settings = { hooks: Record<string, unknown> };
  const { hooks } = JSON.parse(whole) as Settings;
  const earlier = { hooks: { PreToolUse: hooks['PreToolUse'], SessionEnd: [{ hooks: [] }] } };
  writeFileSync(join(root, '.claude/settings.json'), JSON.stringify(earlier));
  expect(init().added_to).toEqual(['.claude/settings.json']);
  const now = JSON.parse(read('.claude/settings.json')) as Settings;
  const own = [{ hooks: [] }, ...(hooks['SessionEnd'] as object[])];
  expect(now.hooks).toEqual({ ...hooks, SessionEnd: own });
});

test('a plugin of another version stays, and is told', () => {
  init();
  const plugin = join(root, '.contracts/opencode-plugin.js');
  writeFileSync(plugin, '// older\n');
  expect(init().by_hand).toEqual([
    {
      file: '.contracts/opencode-plugin.js',
      text: 'Remove it, and run: contracts init --hooks',
      why: 'it is of another version',
    },
  ]);
  expect(read('.contracts/opencode-plugin.js')).toBe('// older\n');
});

test('what stands there stays, comments too', () => {
  mkdirSync(join(root, '.claude'));
  const own = { model: 'x', hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [] }], Stop: [] } };
  writeFileSync(join(root, '.claude/settings.json'), JSON.stringify(own, null, 4));
  writeFileSync(join(root, 'opencode.json'), '{ // mine\n}');
  const done = init();
  expect(done.added_to).toEqual(['opencode.json', '.claude/settings.json']);
  expect(read('opencode.json')).toBe(
    '{\n  "plugin": [\n    "./.contracts/opencode-plugin.js"\n  ] // mine\n}',
  );
  const merged = JSON.parse(read('.claude/settings.json')) as typeof own;
  expect(merged).toMatchObject({ model: 'x', hooks: { Stop: [] } });
  expect(merged.hooks.PreToolUse[0]).toEqual(own.hooks.PreToolUse[0]);
  expect(merged.hooks.PreToolUse).toHaveLength(2);
  expect(read('.claude/settings.json')).toContain('\n    "model"');
});

test.each([
  ['half a file', '{ "model": ', 'it does not parse as a JSON object'],
  ['a list', '[]', 'it does not parse as a JSON object'],
  ['another shape', '{ "plugin": "mine" }', 'its plugin is not a list'],
])('%s: left as it is, with the reason and what to add', (_what, text, why) => {
  writeFileSync(join(root, 'opencode.json'), text);
  const [left, ...others] = init().by_hand;
  expect(others).toEqual([]);
  expect(left).toMatchObject({ file: 'opencode.json', why: expect.stringContaining(why) });
  expect(left?.text).toBe('plugin: ["./.contracts/opencode-plugin.js"]');
  expect(read('opencode.json')).toBe(text);
  const argv = [BINARY, 'init', '--hooks'];
  const said = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8' });
  expect(said).toContain(`opencode.json was not changed: ${why}`);
});

test('put there by hand, between comments, it stands; commented out it does not', () => {
  const entryOf = (event: string): string =>
    `{"type":"command","command":"contracts hook ${event} --client claude"}`;
  const entry = entryOf('pre-tool-use');
  const file = join(root, '.claude/settings.json');
  mkdirSync(join(root, '.claude'));
  const others = Object.entries(EVENTS).map(([name, event]) => `"${name}": [${entryOf(event)}]`);
  const held = (hooks: string): string =>
    `{ // "mine"\n"hooks": {"PreToolUse": [${hooks}], ${others.join()}}, }`;
  writeFileSync(file, held(`{"matcher":"*","hooks":[${entry}]}`));
  expect(init().by_hand).toEqual([]);
  writeFileSync(file, held(`/* ${entry} */`));
  expect(init().added_to).toEqual(['.claude/settings.json']);
  expect(read('.claude/settings.json')).toContain(`/* ${entry} */`);
});

test('a folder in the place of a file is left', () => {
  mkdirSync(join(root, 'opencode.json'));
  expect(init().by_hand).toMatchObject([
    { file: 'opencode.json', why: 'it is not a regular file' },
  ]);
});

test("nothing that is committed has a path of this machine, and a file in a folder's place is told", () => {
  writeFileSync(join(root, '.codex'), '');
  const { made, by_hand } = init();
  expect(by_hand).toMatchObject([{ file: '.codex/hooks.json', why: '.codex is not a folder' }]);
  expect(made).toContain('.contracts/opencode-plugin.js');
  const { plugin } = JSON.parse(read('opencode.json')) as { plugin: string[] };
  expect(plugin).toEqual(['./.contracts/opencode-plugin.js']);
  const package_root = dirname(dirname(dirname(BINARY)));
  for (const file of made.filter((one) => !one.endsWith('/')))
    expect(read(file)).not.toContain(package_root);
});

test.each([
  [
    'a refusal is thrown',
    'echo \'{"hookSpecificOutput":{"permissionDecisionReason":"no"}}\'',
    'no',
  ],
  ['silence lets it pass', 'cat > asked', 'passed'],
  ['a failure is thrown', 'echo why >&2; exit 2', 'why\n'],
  ['what is not installed is not asked', undefined, 'passed'],
])('the plugin in the project, MOCK command: %s', (_, script, wanted) => {
  init();
  const bin = join(root, 'bin');
  mkdirSync(bin);
  if (script !== undefined)
    writeFileSync(join(bin, 'contracts'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const plugin = pathToFileURL(join(root, '.contracts/opencode-plugin.js')).href;
  const code = `const { default: { server } } = await import(${JSON.stringify(plugin)});
    const before = (await server({ directory: '/w' }))['tool.execute.before'];
    await before({ tool: 'bash' }, { args: { command: 'ls' } }).then(
      () => process.stdout.write('passed'), (error) => process.stdout.write(error.message));`;
  const PATH = script === undefined ? bin : `${bin}:${process.env['PATH'] ?? ''}`;
  const play = (env: Record<string, string>): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { PATH, ...env },
      encoding: 'utf8',
    });
  expect(play({ CONTRACTS_TASK: 'a' })).toBe(wanted);
  expect(play({})).toBe('passed');
  if (script === 'cat > asked')
    expect(JSON.parse(read('asked'))).toEqual({
      tool_name: 'bash',
      tool_input: { command: 'ls' },
      cwd: '/w',
    });
});

test('in an attempt the plugin ends what told OpenCode that npm is offline, and nowhere else', () => {
  const file = pathToFileURL(join(dirname(BINARY), '../opencode-plugin.js')).href;
  const script = `const { Contracts } = await import(${JSON.stringify(file)}); await Contracts({});
    process.stdout.write(String(process.env.npm_config_offline));`;
  const left = (more: Record<string, string>): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...sealedEnv(), npm_config_offline: 'true', ...more },
      encoding: 'utf8',
    });
  expect(left({})).toBe('true');
  expect(left({ CONTRACTS_TASK: 'a' })).toBe('undefined');
});

test('the plugin throws what is refused, and nothing outside of an attempt', () => {
  const file = pathToFileURL(join(dirname(BINARY), '../opencode-plugin.js')).href;
  const script = `const { Contracts } = await import(${JSON.stringify(file)});
    const hook = (await Contracts({}))['tool.execute.before'];
    for (const filePath of ['src/a.ts', 'lib/a.ts']) {
      await hook({ tool: 'write' }, { args: { filePath, content: '' } }).then(
        () => console.log('fine ' + filePath), (error) => console.log(error.message));
    }`;
  const played = (more: Record<string, string>): string => {
    const env = { ...sealedEnv(), ...more };
    const argv = ['--input-type=module', '-e', script];
    return execFileSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' });
  };
  expect(played({})).toBe('fine src/a.ts\nfine lib/a.ts\n');
  const permissions = narrowed(OPEN, ['src/**']);
  const allowed = allowedText({ permissions, root, desk: join(root, 'desk') });
  mkdirSync(join(root, 'desk'));
  const said = played({ CONTRACTS_OUT: join(root, 'desk'), CONTRACTS_PERMISSIONS: allowed });
  expect(said).toMatch(/^fine src\/a\.ts\ncontracts: .*create lib\/a\.ts/);
});
