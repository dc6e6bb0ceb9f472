/** `doctor` on agent clients: what is installed, what can be enforced live, which hooks stand. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { contractsIn } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';

let root = '';
let bin = '';
beforeEach(() => {
  root = sealedFolder('doctor');
  // Beside it: a client in the workspace is not asked.
  bin = sealedFolder('bin');
  contracts('init');
});

const contracts = (...argv: readonly string[]): string =>
  contractsIn(root, argv, { env: { ...sealedEnv(), PATH: bin, COLUMNS: '80' } }).stdout;

/** Programs that say a version, and nothing else. */
function install(...names: readonly string[]): void {
  for (const name of names) says(name, 'echo 9.9.9');
}

function says(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n[ "$*" = --version ] || exit 9\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** `yes` or `no`, and what it means, by name. */
function rows(): Map<string, string> {
  const lines = contracts('doctor', '--json').trimEnd().split('\n');
  return new Map(
    lines
      .map((line) => JSON.parse(line) as { name: string; holds: boolean; means: string })
      .map(({ name, holds, means }) => [name, `${holds ? 'yes' : 'no'}: ${means}`]),
  );
}

const HOOK = 'our hook judges each use of a tool before it happens';

test('none is installed: what would bring each', () => {
  const told = rows();
  expect(told.get('opencode')).toBe('no: not installed: npm install -g opencode-ai');
  expect(told.get('claude')).toBe('no: not installed: npm install -g @anthropic-ai/claude-code');
  expect(told.get('codex')).toBe('no: not installed: npm install -g @openai/codex');
  expect(told.get('gemini')).toBe('no: not installed: npm install -g @google/gemini-cli');
  expect(told.get('hooks')).toMatch(/^no: no client asks .* contracts init --hooks$/);
});

test('each that is installed: its version, and what is enforced while it runs', () => {
  install('opencode', 'claude', 'codex', 'gemini');
  const told = rows();
  for (const name of ['claude', 'codex', 'gemini']) {
    expect(told.get(name)).toBe(`yes: installed, 9.9.9; ${HOOK}`);
  }
  expect(told.get('opencode')).toMatch(
    /^yes: installed, 9\.9\.9; its permissions refuse; .*not tried/,
  );
  says('opencode', 'echo 1.18.33');
  expect(rows().get('opencode')).toMatch(/^yes: installed, 1\.18\.33; our plugin .*permissions/);
  says('opencode', 'echo opencode v2.0.24');
  expect(rows().get('opencode')).toBe(
    'yes: installed, 2.0.24; its permissions refuse; nothing else is judged live, and this version was not tried',
  );
  expect(told.get('acp')).toMatch(/^yes: requests of the client are answered/);
  expect(told.get('command, shell')).toMatch(/^no: nothing is judged live/);
});

test('one that is too old, and one that prints no version: told, and nothing fails', () => {
  says('codex', 'echo codex-cli 0.20.0');
  says('gemini', 'echo nightly; exit 1');
  const told = rows();
  expect(told.get('codex')).toBe(
    `yes: installed, but codex 0.20.0 is older than 0.169.0, the oldest version that was tested: npm install -g @openai/codex; ${HOOK}`,
  );
  expect(told.get('gemini')).toBe(
    `yes: installed, but gemini --version prints no version and ends with 1: nightly: npm install -g @google/gemini-cli; ${HOOK}`,
  );
});

// The npm package of OpenCode 2 has this file, which its postinstall replaces (its RFC on the name of the npm executable).
test('a text that stands where an install script puts the program', () => {
  const own = join(bin, 'lib/node_modules/@opencode/cli/bin');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'opencode.exe'), 'The binary was not installed.\n', { mode: 0o755 });
  symlinkSync(join(own, 'opencode.exe'), join(bin, 'opencode'));
  expect(rows().get('opencode')).toMatch(
    /^yes: installed, but opencode is only a text: @opencode\/cli was installed without its scripts \(--ignore-scripts\): npm install -g @opencode\/cli;/,
  );
});

test('the program of a workspace that nobody trusts is not asked for a call', () => {
  says('opencode', `echo asked >> ${bin}/asked; echo opencode v2.0.24`);
  const other = sealedFolder('untrusted');
  mkdirSync(join(other, '.contracts'));
  const config = `adapters: { opencode: { run: [${bin}/opencode] } }\nadapter: opencode\n`;
  writeFileSync(join(other, '.contracts/config.yaml'), config);
  mkdirSync(join(other, 'active_tasks/ready/a'), { recursive: true });
  const contract = '---\ntitle: A\n---\n\n# A\n\n## Success Criteria\n\n- [ ] It is done\n';
  writeFileSync(join(other, 'active_tasks/ready/a/contract.md'), contract);
  const env = { ...sealedEnv(), PATH: `${bin}:/usr/bin:/bin` };
  const { stdout, stderr } = contractsIn(other, ['step'], { env });
  expect(`${stdout}${stderr}`).toMatch(/contracts trust/);
  expect(existsSync(join(bin, 'asked'))).toBe(false);
  contractsIn(other, ['step'], {
    env: { ...env, CONTRACTS_TRUST: '1', CONTRACTS_SANDBOX: 'none' },
  });
  expect(readFileSync(join(bin, 'asked'), 'utf8')).toBe('asked\n');
});

test('hooks: the files where they stand, and whether the command that they name is there', () => {
  writeFileSync(join(root, 'opencode.json'), '{ "plugin": ["./x/opencode-plugin.js"], }');
  expect(rows().get('hooks')).toBe('yes: in opencode.json');
  rmSync(join(root, 'opencode.json'));
  contracts('init', '--hooks');
  rmSync(join(root, '.gemini/settings.json'));
  const files = 'opencode.json, .claude/settings.json, .codex/hooks.json';
  expect(rows().get('hooks')).toBe(
    `no: in ${files}; they call contracts, which is not on the PATH`,
  );
  install('contracts');
  expect(rows().get('hooks')).toBe(`yes: in ${files}`);
});

test('hooks: commented out, or of somebody else, they do not stand', () => {
  mkdirSync(join(root, '.claude'));
  const entry = '{"hooks":[{"command":"contracts hook pre-tool-use --client claude"}]}';
  for (const list of [`// ${entry}\n`, '{"hooks":[{"command":"mine"}]}']) {
    const text = `{"hooks":{"PreToolUse":[${list}]}}`;
    writeFileSync(join(root, '.claude/settings.json'), text);
    expect(rows().get('hooks')).toMatch(/^no: no client/);
  }
});
