/**
 * Around the folders of a client that an agent in a sandbox shares with the person: calls at once, a runner that is
 * killed, settings that are links, files whose names nobody knows, a home of Gemini's own, an agent that speaks ACP.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';
import { until } from '../support/until.ts';
import { here, makeRoom, settled, step, type Room } from './client-room.ts';

const EVIL =
  'echo evil > "$HOME/.claude/settings.json"; mkdir -p "$HOME/.claude/agents"; echo evil > "$HOME/.claude/agents/x.md"';
const LOCK = '.local/state/contracts/clients.lock';

const stand = (one: Room): boolean => existsSync(join(one.home, '.claude/agents'));

describe.runIf(here)('the folder of a client', () => {
  test('is shut for one call when another ends beside it', async () => {
    const one = makeRoom(
      'claude',
      `case $CONTRACTS_TASK in one) sleep 1;; two) while [ ! -e "$HOME/.claude/history.jsonl" ]; do sleep 0.1; done;; esac
      ${EVIL}
      [ $CONTRACTS_TASK = two ] || echo said >> "$HOME/.claude/history.jsonl"
      [ $CONTRACTS_TASK = one ] || { sleep 2; ${EVIL}; }`,
    );
    renameSync(join(one.root, 'active_tasks/draft/two'), join(one.root, 'active_tasks/ready/two'));
    const config = join(one.root, '.contracts/config.yaml');
    writeFileSync(config, `${readFileSync(config, 'utf8')}parallel: 2\n`);
    step(one, false);
    expect(one.outcome('one')).toContain('outcome: complete');
    expect(one.outcome('two')).toContain('outcome: complete');
    const names = Object.keys(await settled(one)).filter(
      (name) => !/projects\/[^/]*\/$/.test(name),
    );
    expect(names).toEqual(['.claude/history.jsonl', LOCK]);
  });

  test('is shut as long as the agent of a killed runner lives, and clean after it', async () => {
    const one = makeRoom('claude', `sleep 3; ${EVIL}; echo said > "$HOME/.claude/history.jsonl"`);
    const runner = spawn(process.execPath, [BINARY, '-C', one.root, 'step'], {
      env: one.env,
      stdio: 'ignore',
    });
    const ended = once(runner, 'close');
    await until(() => stand(one));
    runner.kill('SIGKILL');
    await ended;
    await until(() => !stand(one));
    expect(Object.values(await settled(one)).filter((text) => text !== '')).toEqual(['said\n']);
  });

  test('is clean after all of it was killed, at the next call', async () => {
    const one = makeRoom('claude', `[ -e "$HOME/.claude/history.jsonl" ] || sleep 60; ${EVIL}`);
    const runner = spawn(process.execPath, [BINARY, '-C', one.root, 'step'], {
      env: one.env,
      stdio: 'ignore',
    });
    const ended = once(runner, 'close');
    await until(() => stand(one));
    runner.kill('SIGKILL');
    await ended;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const line = lineOf(pid);
      if (line.includes(one.room)) process.kill(Number(pid), 'SIGKILL');
    }
    one.put('.claude/history.jsonl', 'said\n');
    await until(() => {
      try {
        step(one, false);
      } catch {
        // What was killed is not gone yet.
        return false;
      }
      return one.outcome().includes('complete');
    });
    expect(
      Object.keys(await settled(one)).filter((name) =>
        /settings|agents/.test(name.replace(/projects\/[^/]*/, '')),
      ),
    ).toEqual([]);
  });

  test('a link of settings is put back, and what it leads to is read-only', async () => {
    const one = makeRoom(
      'claude',
      `grep -q mine "$HOME/.claude/settings.json" || exit 7
      echo evil >> "$HOME/.claude/settings.json"
      rm "$HOME/.claude/settings.json"; ${EVIL}`,
    );
    one.put('dotfiles/settings.json', '{"mine":1}');
    mkdirSync(join(one.home, '.claude'));
    symlinkSync('../dotfiles/settings.json', join(one.home, '.claude/settings.json'));
    step(one, false);
    await settled(one);
    const link = join(one.home, '.claude/settings.json');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(link, 'utf8')).toBe('{"mine":1}');
    expect(one.outcome()).toContain(
      'replaced the link ~/.claude/settings.json, which was restored',
    );
  });

  test('what is new there and has no name that is known is reported', () => {
    const one = makeRoom('codex', 'echo evil > "$HOME/.codex/new.config.toml"');
    step(one, false);
    expect(one.outcome()).toMatch(
      /noticed:\n {2}- .*created ~\/\.codex\/new\.config\.toml beside the settings of its client/,
    );
  });

  test("what is planted in Gemini's home of a call does not come back as settings", async () => {
    const names =
      'GEMINI.md settings.json trustedFolders.json .env keybindings.json extensions.json';
    const one = makeRoom(
      'gemini',
      `for n in ${names}; do rm -f "$GEMINI_CLI_HOME/.gemini/$n"; echo evil > "$GEMINI_CLI_HOME/.gemini/$n"; done
      rm -f "$GEMINI_CLI_HOME/.gemini/oauth_creds.json"; echo renewed > "$GEMINI_CLI_HOME/.gemini/oauth_creds.json"`,
    );
    one.put('.gemini/GEMINI.md', 'mine\n');
    step(one, false);
    const after = await settled(one);
    expect(Object.values(after)).not.toContain('evil\n');
    expect(after['.gemini/GEMINI.md']).toBe('mine\n');
    expect(after['.gemini/oauth_creds.json']).toBe('renewed\n');
  });

  test.each([
    ['claude', '.claude/settings.json'],
    ['codex', '.codex/config.toml'],
    ['gemini', '.gemini/settings.json'],
    ['opencode', '.config/opencode/opencode.json'],
  ] as const)('of %s, called over ACP, is shut too', async (type, file) => {
    const one = makeRoom(
      type,
      `(echo evil > "$HOME/${file}"); echo tried > "$CONTRACTS_OUT/tried.txt"`,
      'acp',
    );
    step(one, false);
    const tried = ['active_tasks', '-name', 'tried.txt'];
    expect(execFileSync('find', tried, { cwd: one.root, encoding: 'utf8' })).not.toBe('');
    expect(Object.values(await settled(one))).not.toContain('evil\n');
  });

  // A bridge brings a Claude that ends at an empty file, which the person's own takes for none.
  test('has an empty object for a missing file inside, and an empty file outside', async () => {
    const look = 'cat "$HOME/.claude/.config.json" > "$CONTRACTS_OUT/inside.txt"';
    const one = makeRoom('claude', `${look}; while [ ! -e stop ]; do sleep 0.1; done`, 'acp');
    const runner = spawn(process.execPath, [BINARY, '-C', one.root, 'step'], {
      env: one.env,
      stdio: 'ignore',
    });
    const ended = once(runner, 'close');
    await until(() => stand(one));
    const outside = readFileSync(join(one.home, '.claude/.config.json'), 'utf8');
    writeFileSync(join(one.root, 'stop'), '');
    await ended;
    const inside = execFileSync('find', ['active_tasks', '-name', 'inside.txt', '-exec', 'cat', '{}', '+'], { cwd: one.root, encoding: 'utf8' }); // prettier-ignore
    expect({ inside, outside }).toEqual({ inside: '{}\n', outside: '' });
    expect(Object.keys(await settled(one))).not.toContain('.claude/.config.json');
  });
});

function lineOf(pid: string): string {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
    );
  } catch {
    return '';
  }
}
