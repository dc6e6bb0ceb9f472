/**
 * What init asks, in a real terminal (tmux): any number of things to be ticked, and exactly those are
 * written. Without tmux it says so and is left out.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { contracts } from '../support/binary.ts';
import { gitOf } from '../support/git.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { runInTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const missing = terminalMissing();
const sandbox = sandboxMachine(process.env['PATH'] ?? '');
if (missing !== undefined) console.log(`LEFT OUT: the tests of what init asks, because ${missing}`);

let root: string;
let at: Terminal | undefined;
beforeEach(() => {
  root = sealedFolder('init-asks');
  gitOf(root)('init -q');
});

/** What stands beside the folders of tasks and settings that every init makes. */
function beside(): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const own =
    /^(?:\.git\/(?!hooks\/pre-commit$)|\.git$|active_tasks|\.contracts$|\.contracts\/(?!schemas))/;
  return files.filter((file) => !own.test(file) && file.includes('.')).sort();
}

const WHO = 'Who works, where a task names nobody?';
const HOW = 'Which of these do you want? Space selects, Enter continues';
const QUESTION = 'What is written? Space selects, Enter continues';

/** Up to the files, with no client. */
async function toFiles(who = 'shell'): Promise<Terminal> {
  at = runInTerminal(root, ['init'], { env: { PATH: '/usr/bin:/bin' } });
  await at.choose(WHO, who);
  await at.shows(HOW, 'notify: bell');
  at.press('Enter');
  await at.shows(QUESTION, '.gitignore');
  return at;
}

describe.runIf(missing === undefined)('init at a terminal', () => {
  test('two of them are ticked, and only these are written', async () => {
    const at = await toFiles();
    expect(existsSync(join(root, '.contracts'))).toBe(false);
    // Ticked: .gitignore, .gitattributes and skills.
    at.press('Down', 'Space', 'Down', 'Space', 'Down', 'Down', 'Down', 'Space', 'Enter');
    expect(await at.ended()).toBe(0);
    expect(beside()).toEqual(['.git/hooks/pre-commit', '.gitignore']);
    expect(at.screen()).not.toContain('Optional, not created');
  });

  test('what was ticked and unticked again is not written; nothing is fine', async () => {
    const at = await toFiles();
    at.press('Space', 'Down', 'Space', 'Up', 'Up', 'Up', 'Space', 'Enter');
    expect(await at.ended()).toBe(0);
    expect(beside()).toEqual([]);
    expect(existsSync(join(root, 'active_tasks/ready'))).toBe(true);
  });

  test.runIf(sandbox.works)(
    'checks run without a network only after a yes, which closes it',
    async () => {
      writeFileSync(join(root, 'Makefile'), 'test:\n\techo ran >ran.txt\n');
      const config = (): string => readFileSync(join(root, '.contracts/config.yaml'), 'utf8');
      const env = { PATH: '/usr/bin:/bin', CONTRACTS_SANDBOX: 'auto' };
      const ASKED = 'Run make test in a sandbox without a network';
      const answered = async (who: boolean, key: string): Promise<void> => {
        at = runInTerminal(root, ['init'], { env });
        if (who) {
          await at.choose(WHO, 'shell');
          await at.shows(HOW);
          at.press('Enter');
        }
        await at.shows(QUESTION);
        at.press('Enter');
        await at.shows(ASKED);
        at.press(key);
        expect(await at.ended()).toBe(0);
      };
      await answered(true, 'Enter');
      expect(existsSync(join(root, 'ran.txt'))).toBe(false);
      expect(config()).not.toMatch(/^network:/m);
      await at?.close();
      writeFileSync(join(root, 'Makefile'), 'test:\n\techo ran >ran.txt; false\n');
      await answered(false, 'y');
      await at?.shows('The network stays open: without it make test fails');
      expect(config()).not.toMatch(/^network:/m);
      await at?.close();
      // Where nobody can be asked, and with --yes, nothing runs.
      rmSync(join(root, 'ran.txt'));
      writeFileSync(join(root, 'Makefile'), 'test:\n\techo ran >ran.txt\n');
      const { stdout } = await contracts(root, ['init', '--yes'], [], { ...process.env, ...env });
      expect(stdout).toContain(
        'If these pass without a network, write network: agents into .contracts/config.yaml: make test',
      );
      expect(existsSync(join(root, 'ran.txt'))).toBe(false);
      await answered(false, 'y');
      expect(readFileSync(join(root, 'ran.txt'), 'utf8')).toBe('ran\n');
      expect(config()).toMatch(/^network: agents$/m);
      // It is a stricter setting, which needs no new trust.
      const asks = { ...process.env, ...env, CONTRACTS_TRUST: '' };
      const trust = await contracts(root, ['trust', '--dry-run'], [], asks);
      expect(trust.stdout + trust.stderr).toContain('nothing has changed since');
      const closed = config();
      writeFileSync(join(root, '.contracts/config.yaml'), closed.replace('network: agents', ''));
      const open = await contracts(root, ['trust', '--dry-run'], [], asks);
      expect(open.stdout + open.stderr).toContain('network of checks: open');
      writeFileSync(join(root, '.contracts/config.yaml'), closed);
      await at?.close();
      at = runInTerminal(root, ['init'], { env });
      await at.shows(QUESTION);
      at.press('Enter');
      expect(await at.ended()).toBe(0);
      expect(at.screen()).not.toContain(ASKED);
    },
  );

  test.runIf(sandbox.works)('Ctrl-C ends a check that runs', async () => {
    writeFileSync(join(root, 'Makefile'), 'test:\n\techo ran >ran.txt; sleep 61\n');
    const env = { PATH: '/usr/bin:/bin', CONTRACTS_SANDBOX: 'auto' };
    at = runInTerminal(root, ['init'], { env });
    await at.choose(WHO, 'shell');
    await at.shows(HOW);
    at.press('Enter');
    await at.shows(QUESTION);
    at.press('Enter');
    await at.shows('Run make test in a sandbox without a network');
    at.press('y');
    await until(() => existsSync(join(root, 'ran.txt')));
    at.press('C-c');
    expect(await at.ended()).toBe(130);
    expect(existsSync(join(root, '.claude'))).toBe(false);
    const left = (): boolean =>
      execFileSync('ps', ['axo', 'args'], { encoding: 'utf8' }).includes(`--chdir ${root}`);
    await until(() => !left());
    expect(readFileSync(join(root, '.contracts/config.yaml'), 'utf8')).not.toMatch(/^network:/m);
  });

  test('Ctrl-C with a tick: nothing is written, 130', async () => {
    const at = await toFiles();
    at.press('Space', 'C-c');
    expect(await at.ended()).toBe(130);
    expect(readdirSync(root)).toEqual(['.git']);
  });

  test('a program of the person’s own becomes the agent of all tasks', async () => {
    at = runInTerminal(root, ['init'], { env: { PATH: '/usr/bin:/bin' } });
    await at.choose(WHO, 'command');
    await at.answer('Which program?', 'node agent.mjs');
    await at.shows(HOW, 'gate: person: you approve each result before it is done');
    at.press('Space', 'Enter');
    await at.shows(QUESTION, 'the settings above');
    at.press('Enter');
    expect(await at.ended()).toBe(0);
    expect(readFileSync(join(root, '.contracts/config.yaml'), 'utf8')).toContain(
      '\nadapter: mine\nadapters: { mine: { type: command, run: ["node","agent.mjs"] } }\ngate: person\n',
    );
  });

  test('a notice goes into the person’s own settings, and stays when the rest is taken back', async () => {
    const home = sealedFolder('home');
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'notify-send'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, XDG_CONFIG_HOME: '' };
    const before = readdirSync(root, { recursive: true });
    at = runInTerminal(root, ['init'], { env });
    await at.choose(WHO, 'shell');
    await at.shows(HOW, 'notify: desktop: a notice when something needs you');
    expect(at.screen()).not.toContain('gate: person');
    at.press('Space', 'Enter');
    await at.shows(QUESTION, 'Into your own settings, for all workspaces: notify: desktop');
    at.press('Enter');
    expect(await at.ended()).toBe(0);
    const own = join(home, '.config/contracts/config.yaml');
    expect(readFileSync(own, 'utf8')).toBe('notify: desktop\n');
    await at.close();
    at = runInTerminal(root, ['init', '--remove'], { env });
    await at.shows('removes .gitignore', 'Take back this, and the folders of the workspace');
    at.press('n');
    expect(await at.ended()).toBe(0);
    expect(existsSync(join(root, '.gitignore'))).toBe(true);
    await at.close();
    at = runInTerminal(root, ['init', '--remove'], { env });
    await at.shows('Take back this, and the folders of the workspace');
    at.press('Enter');
    expect(await at.ended()).toBe(0);
    expect(readdirSync(root, { recursive: true })).toEqual(before);
    expect(existsSync(own)).toBe(true);
  });

  test('what comes into files of a client is seen before it is agreed to', async () => {
    const bin = sealedFolder('bin');
    for (const name of ['claude', 'contracts'])
      writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    at = runInTerminal(root, ['init'], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    await at.choose(WHO, 'human');
    await at.shows(HOW);
    at.press('Enter');
    const screen = await at.shows('For the installed clients, hooks:', QUESTION);
    expect(screen).toContain('  claude plugin install contracts@contracts --scope local');
    expect(screen).toMatch(/◻ one plugin with the skill/);
    expect(screen).toContain('.claude/skills/contracts/SKILL.md: ');
    expect(screen).toContain(
      '.mcp.json: mcpServers.contracts: {"command":"contracts","args":["mcp"]}',
    );
    expect(screen).toContain('.claude/settings.json: hooks.PreToolUse, hooks.SessionStart,');
    expect(existsSync(join(root, '.mcp.json'))).toBe(false);
    at.press('Enter');
    expect(await at.ended()).toBe(0);
    expect(existsSync(join(root, '.mcp.json'))).toBe(true);
  });

  test('a stand-in for a client that is logged in stands first, and one that is not is not offered', async () => {
    const bin = join(root, '.git/bin');
    mkdirSync(bin);
    for (const [name, version, code] of [
      ['gemini', '0.61.0', 0],
      ['claude', '2.1.330', 0],
    ]) {
      const text = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\nexit ${code}\n`;
      writeFileSync(join(bin, `${name}`), text);
      chmodSync(join(bin, `${name}`), 0o755);
    }
    const sub = join(root, 'sub');
    mkdirSync(sub);
    at = runInTerminal(sub, ['init'], { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: sub } });
    await at.shows('gemini    0.61.0, no login is in the files');
    const screen = await at.shows(WHO, '● claude: 2.1.330, logged in');
    expect(screen).not.toContain('○ gemini');
    at.press('Enter');
    await at.shows(HOW);
    at.press('Enter');
    await at.shows('  adapter: claude', QUESTION);
    at.press('Enter');
    expect(await at.ended()).toBe(0);
    await at.shows('Next: contracts do "What you want"');
  });

  test.each([
    ['y', 'result   no'],
    ['n', 'Try it with one tiny call: contracts agents test claude'],
  ])(
    'a stand-in for a client whose login is not known is called once after %s',
    async (key, shown) => {
      const bin = join(root, '.git/bin');
      mkdirSync(bin);
      const text = `#!/bin/sh\necho "$1" >>${bin}/called\n[ "$1" = --version ] && echo 2.1.330 && exit\nexit 7\n`;
      writeFileSync(join(bin, 'claude'), text);
      chmodSync(join(bin, 'claude'), 0o755);
      const sub = join(root, 'sub');
      mkdirSync(sub);
      at = runInTerminal(sub, ['init'], { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: sub } });
      await at.shows(WHO, '● claude: 2.1.330, login not known');
      at.press('Enter');
      await at.shows(HOW);
      at.press('Enter');
      await at.shows(QUESTION);
      at.press('Enter');
      await at.shows('Is claude logged in? Try it with one tiny call?');
      at.press(key);
      expect(await at.ended()).toBe(key === 'y' ? 1 : 0);
      await at.shows(shown);
      const calls = readFileSync(join(bin, 'called'), 'utf8').trim().split('\n');
      expect(calls.filter((one) => !/^(?:--version|auth)$/.test(one))).toHaveLength(
        key === 'y' ? 1 : 0,
      );
    },
  );
});
