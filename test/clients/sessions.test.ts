/**
 * A person's session in each real client with the hooks of `contracts init --hooks`, against the scripted model: what
 * contracts gives is in what the model gets; with the workspace gone the client works as without. Two of the clients,
 * which the commit chooses, and at night all.
 */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINARY, contractsIn } from '../support/binary.ts';
import {
  CLIENT_NAMES,
  clientFolder,
  clientsMissing,
  makeHome,
  type ClientName,
} from '../support/clients.ts';
import { startModel, type ModelServer } from '../support/model/server.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';
import { isInShare } from '../support/share.ts';
import { openTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const PROMPT = 'please find out why the login fails, and fix it';

/** Said to the agent that tries, or to the person who is asked. */
const REFUSED = 'contracts confirm say-hello is reserved for people';

/** What the model gets of each capability, once. One of another capability is a row here, and its files in `makeRoom`. */
const GIVEN: readonly (readonly [what: string, words: string])[] = [
  ['what waits', '- say-hello (draft): Say hello → contracts confirm say-hello'],
  ['open counts', '- 1 draft'],
  ['the advice of the router', `Next: contracts plan new --workflow debug '`],
  ['a learning that fits', 'Sign-in needs the clock of the server to be right'],
  ['the direction', 'Ship the shop in May'],
];

type Arguments = (model: string, root: string, prompt: string) => readonly string[];

const codexIn = (root: string): readonly string[] => [
  '--disable',
  'plugins',
  '--dangerously-bypass-hook-trust',
  '-C',
  root,
  '--sandbox',
  'workspace-write',
];

const ARGUMENTS: Readonly<Record<ClientName, Arguments>> = {
  claude: (model, _, prompt) => ['-p', prompt, '--model', model, '--allowedTools', 'Bash'],
  codex: (_, root, prompt) => ['exec', ...codexIn(root), prompt],
  gemini: (model, _, prompt) => ['-p', prompt, '-m', model, '--approval-mode', 'yolo'],
  opencode: (model, _, prompt) => ['run', '-m', model, '--title', 'Login', prompt],
};

/** In the client's own screen. */
const AT_A_TERMINAL: Readonly<Record<ClientName, Arguments>> = {
  claude: (model, _, prompt) => ['--model', model, prompt],
  codex: (_, root, prompt) => [...codexIn(root), '--ask-for-approval', 'never', prompt],
  gemini: (model, _, prompt) => ['-i', prompt, '-m', model, '--approval-mode', 'yolo'],
  opencode: (model, _, prompt) => ['-m', model, '--prompt', prompt],
};

/** No look-up beyond loopback. */
const OFFLINE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  GEMINI_CLI_NO_RELAUNCH: 'true',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  npm_config_offline: 'true',
};

interface Room {
  readonly root: string;
  readonly env: Record<string, string>;
  /** Its prompt once, in a session of its own. Returns the exit code and what it printed. */
  play(prompt?: string): Promise<{ readonly code: number | null; readonly printed: string }>;
  /** The same in the client's own screen. */
  open(prompt: string): Terminal;
}

function makeRoom(client: ClientName, model: ModelServer): Room {
  const room = sealedFolder('host-session');
  const root = join(room, 'shop');
  const bin = join(room, 'bin');
  for (const folder of [root, bin]) fs.mkdirSync(folder);
  const own = makeHome(client, room, model.url);
  const env = { ...OFFLINE, ...own.env, PATH: `${bin}:${own.env['PATH']}` };
  const script = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
  fs.writeFileSync(join(bin, 'contracts'), script, { mode: 0o755 });
  spawnSync('git', ['init', '--quiet', root]);
  const learning = ['memory', 'add', 'Sign-in needs the clock of the server to be right'];
  const other = ['memory', 'add', 'Paint the fence in green'];
  const draft = ['new', 'Say hello', '--id', 'say-hello', '--adapter', 'human'];
  for (const argv of [['init', '--hooks'], draft, learning, other])
    expect(contractsIn(root, argv, { env }).status).toBe(0);
  fs.writeFileSync(
    join(root, '.contracts/direction.md'),
    '# Direction\n\n- Ship the shop in May\n',
  );
  if (client === 'codex') {
    const trusted = `\n[projects."${root}"]\ntrust_level = "trusted"\n`;
    fs.appendFileSync(join(room, 'home/.codex/config.toml'), trusted);
  }
  const play = (prompt = PROMPT) =>
    played(client, ARGUMENTS[client](own.model, root, prompt), root, env);
  const open = (prompt: string): Terminal => {
    if (client === 'claude') putFile(join(room, 'home/.claude.json'), onboarded(root, env));
    const settings = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const program = join(clientFolder(client), client);
    const argv = [program, ...AT_A_TERMINAL[client](own.model, root, prompt)];
    return openTerminal(root, ['env', '-i', 'TERM=screen-256color', ...settings, ...argv]);
  };
  return { root, env, play, open };
}

/** As Claude Code leaves it once a person has answered its first questions. */
function onboarded(root: string, env: Readonly<Record<string, string>>): string {
  const known = env['ANTHROPIC_API_KEY']?.slice(-20) ?? '';
  return JSON.stringify({
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [known], rejected: [] },
    projects: { [root]: { hasTrustDialogAccepted: true } },
  });
}

function played(client: ClientName, argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<Awaited<ReturnType<Room['play']>>>((resolve, reject) => {
    const child = spawn(client, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }); // prettier-ignore
    const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    const timer = setTimeout(end, Number(process.env['CONTRACTS_TEST_LIMIT_MS']));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, printed });
    });
  });
}

describe.each(CLIENT_NAMES.map((client, at) => [client, at] as const))('%s', (client, at) => {
  let model: ModelServer;
  beforeAll(async () => {
    model = await startModel('idle');
  });
  afterAll(() => model.close());
  /** All that was said in the last request with tools. */
  const asked = (from: number): string => {
    const meant = model.asked.slice(from).findLast(({ turn }) => (turn?.tools.length ?? 0) > 0);
    return (meant?.turn?.said ?? []).map(({ text }) => text).join('\n');
  };

  const is = clientsMissing([client]).length === 0 && isInShare(at, 2);
  test.runIf(is)('the model gets what waits and the advice', async () => {
    const { root, play } = makeRoom(client, model);
    const from = model.asked.length;
    const { code, printed } = await play();
    expect(code, printed).toBe(0);
    const text = asked(from);
    expect(text).toContain(PROMPT);
    for (const [what, words] of GIVEN) expect(text.split(words), what).toHaveLength(2);
    expect(text).not.toContain('Paint the fence');
    const marker = fs.readFileSync(join(root, '.contracts/cache/session.md'), 'utf8');
    expect(marker).toMatch(new RegExp(`^initialized: [^\\n]+Z\\nclient: ${client}\\nsession: [\\w-]{8,}\\n$`)); // prettier-ignore
    // The end of the session was reported, too.
    expect(fs.readdirSync(join(root, '.contracts/cache/sessions'))).toEqual([]);
    const status = spawnSync('git', ['status', '--porcelain', '--ignored=no'], { cwd: root });
    expect(status.stdout.toString()).not.toContain('cache');
  });

  test.runIf(is)(
    'the agent does not decide for the person, and nothing waits for ever',
    async () => {
      const { root, play } = makeRoom(client, model);
      const contract = join(root, 'active_tasks/draft/say-hello/contract.md');
      const before = fs.readFileSync(contract, 'utf8');
      const from = model.asked.length;
      const { code, printed } = await play('Go on. [story:persons say-hello]');
      expect(code, printed).toBe(0);
      expect(fs.readFileSync(contract, 'utf8')).toBe(before);
      expect(asked(from)).toContain(REFUSED);
    },
  );

  test.runIf(is && terminalMissing() === undefined)(
    'nor does it at a terminal, where Claude Code and OpenCode ask the person',
    async () => {
      const { root, open } = makeRoom(client, model);
      const contract = (state: string): string =>
        join(root, 'active_tasks', state, 'say-hello/contract.md');
      const before = fs.readFileSync(contract('draft'), 'utf8');
      const from = model.asked.length;
      const screen = open('Go on. [story:persons say-hello]');
      const dialogs: Readonly<Record<string, readonly string[]>> = {
        claude: [REFUSED, 'Do you want to proceed?'],
        opencode: ['$ contracts confirm say-hello', 'Allow once'],
      };
      if (dialogs[client] !== undefined) {
        for (const words of dialogs[client]) await screen.shows(words);
        expect(fs.readFileSync(contract('draft'), 'utf8')).toBe(before);
        // It is the person who says yes.
        screen.press('Enter');
        await until('the task is confirmed', () => fs.existsSync(contract('ready')) || undefined);
        return;
      }
      await screen.shows('I tried both.');
      expect(asked(from)).toContain(REFUSED);
      expect(fs.readFileSync(contract('draft'), 'utf8')).toBe(before);
    },
  );

  test.runIf(is)('with the workspace gone nothing breaks', async () => {
    const { root, play } = makeRoom(client, model);
    fs.rmSync(join(root, '.contracts'), { recursive: true });
    fs.rmSync(join(root, 'active_tasks'), { recursive: true });
    const from = model.asked.length;
    const { code, printed } = await play();
    expect(code, printed).toBe(0);
    expect(printed).not.toMatch(/hook (?:failed|error)/i);
    expect(asked(from)).toContain(PROMPT);
    expect(asked(from)).not.toContain('From contracts');
    expect(fs.existsSync(join(root, '.contracts'))).toBe(false);
  });
});
