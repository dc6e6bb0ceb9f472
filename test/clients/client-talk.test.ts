/**
 * The clients opened in a terminal: their argv as a table, word for word, and, where the real ones are
 * installed, every option of it in what `--help` of theirs says.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentCall } from '../../src/process/adapter.ts';
import { CLIENT_TYPES, type ClientType } from '../../src/clients/core/records.ts';
import { adapterFor } from '../../src/clients/adapters/registry.ts';
import { clientFolder, clientsMissing } from '../support/clients.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { call } from './calls.ts';

const HOOK = ['/n', '/c.cjs', 'hook'];
const FULL = { model: 'a/model', session: 'id-1', extra_dirs: ['/w/more'], hook: HOOK };

async function opened(type: ClientType, change: Partial<AgentCall> = {}) {
  const adapter = await adapterFor(type, { adapters: {} })?.load?.();
  const invocation = adapter?.prepare(call({ interactive: true, ...change }));
  if (invocation === undefined) throw new Error(`there is no ${type}`);
  return invocation;
}

/** The prompt and what is long by nature, shortened; settings of codex without their values. */
function short(argv: readonly string[]): string[] {
  return argv.map((word) => {
    if (word.startsWith('You are called')) return 'PROMPT';
    if (word.startsWith('{')) return 'SETTINGS';
    return word.includes('=') ? `${word.split('=')[0]}=` : word;
  });
}

const SETTINGS_OF_CODEX = [
  'check_for_update_on_startup=',
  'analytics.enabled=',
  'feedback.enabled=',
  'approval_policy=',
  'sandbox_mode=',
  'sandbox_workspace_write.writable_roots=',
  'sandbox_workspace_write.exclude_slash_tmp=',
  'sandbox_workspace_write.exclude_tmpdir_env_var=',
];
const codex = (...more: string[]): string[] =>
  [...SETTINGS_OF_CODEX, ...more].flatMap((key) => ['-c', key]);
const POLICY = ['--policy', '/w/desk/gemini-policy.toml'];

const FIRST: Readonly<Record<ClientType, readonly string[]>> = {
  opencode: ['opencode', '--prompt', 'PROMPT'],
  claude: ['claude', 'PROMPT', '--settings', 'SETTINGS'],
  codex: ['codex', 'PROMPT', '--disable', 'plugins', ...codex()],
  gemini: ['gemini', '-i', 'PROMPT', ...POLICY],
};

const CODEX_AGAIN = 'codex resume id-1 PROMPT --disable plugins --dangerously-bypass-hook-trust';
const GEMINI_AGAIN = '--include-directories /w/more -m a/model --resume id-1';
const CLAUDE_AGAIN =
  'claude PROMPT --settings SETTINGS --add-dir /w/more --model a/model --resume id-1';
const AGAIN: Readonly<Record<ClientType, readonly string[]>> = {
  opencode: 'opencode --prompt PROMPT -m a/model --session id-1'.split(' '),
  claude: CLAUDE_AGAIN.split(' '),
  codex: [...CODEX_AGAIN.split(' '), ...codex('hooks.PreToolUse='), '-m', 'a/model'],
  gemini: [...FIRST.gemini, ...GEMINI_AGAIN.split(' ')],
};

describe.each(CLIENT_TYPES)('%s', (type) => {
  test('opened for the first time, and again with all that there can be', async () => {
    expect(short((await opened(type)).argv)).toEqual(FIRST[type]);
    expect(short((await opened(type, FULL)).argv)).toEqual(AGAIN[type]);
  });

  test('the prompt says where the brief lies, and that somebody is there', async () => {
    for (const change of [{}, FULL]) {
      const { argv } = await opened(type, change);
      const prompt = argv.find((word) => word.startsWith('You are called'));
      expect(prompt).toContain('Read your brief in /w/desk/brief.md');
      expect(prompt).toContain('A person is at this terminal');
      expect(prompt).not.toMatch(/comes with this message|Nobody reads/);
    }
  });

  test('nothing of it forbids to ask the person', async () => {
    const { argv } = await opened(type, FULL);
    expect(argv.join(' ')).not.toMatch(/"never"|dontAsk|acceptEdits|auto_edit|--json|stream-json/);
  });

  test('another program keeps its first words', async () => {
    const config = { adapters: { mine: { type, run: ['npx', 'it'], env: [] } } };
    const adapter = await adapterFor('mine', config)?.load?.();
    const argv = adapter?.prepare(call({ interactive: true, session: 'id-1' })).argv ?? [];
    expect(argv.slice(0, 2)).toEqual(['npx', 'it']);
    expect(argv).toContain('id-1');
  });

  test.runIf(clientsMissing([type]).length === 0)(
    'the real one knows each option of it',
    async () => {
      const { argv } = await opened(type, FULL);
      const words = argv.slice(1).filter((word) => /^--?[a-z]/.test(word));
      expect(words.length).toBeGreaterThan(1);
      const said = help(type, type === 'codex' ? ['resume'] : []);
      // It is listed at the start of a line, behind its short form, or before it.
      const known = new Set(said.match(/(?<=^\s*|, )--?[a-zA-Z][\w-]*/gm));
      expect([...known]).toEqual(expect.arrayContaining(words));
    },
  );
});

function help(type: ClientType, verb: readonly string[]): string {
  const home = sealedFolder('help');
  const { stdout, stderr } = spawnSync(join(clientFolder(type), type), [...verb, '--help'], {
    cwd: home,
    env: { ...sealedEnv(), HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // OpenCode says it on stderr.
  return `${stdout}\n${stderr}`;
}
