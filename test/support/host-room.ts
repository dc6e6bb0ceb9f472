/**
 * A project in which a person works with a client, against the scripted model: what they type, and what the client is
 * asked to do, as who we are or as an ordinary user.
 */
import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OrdinaryUser } from './as-user.ts';
import { BINARY } from './binary.ts';
import { makeHome, type ClientName } from './clients.ts';
import type { ModelServer } from './model/server.ts';
import { sealedEnv, sealedFolder } from './sealed-folder.ts';

/** No look-up beyond loopback. */
const OFFLINE = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  ENABLE_TOOL_SEARCH: 'false',
  GEMINI_CLI_NO_RELAUNCH: 'true',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  npm_config_offline: 'true',
};

export function hostRoom(client: ClientName, model: ModelServer, user?: OrdinaryUser) {
  const room = sealedFolder('mcp-client');
  const [root, bin] = [join(room, 'shop'), join(room, 'bin')];
  for (const folder of [root, bin]) fs.mkdirSync(folder);
  const own = makeHome(client, room, model.url);
  const { before = [], binary = BINARY, programs = '' } = user ?? {};
  const PATH = [bin, ...(programs === '' ? [] : [programs]), own.env['PATH']].join(':');
  const env = { ...OFFLINE, ...own.env, PATH };
  const script = `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`;
  fs.writeFileSync(join(bin, 'contracts'), script, { mode: 0o755 });
  spawnSync('git', ['init', '--quiet', root]);
  /** Returns both streams of a command line that must end with 0. */
  const called = (...argv: readonly string[]) => {
    user?.own(room);
    const [program = '', ...words] = [...before, ...argv];
    const how = { cwd: root, env: { ...sealedEnv(), ...env }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(program, words, how);
    expect(status, stdout + stderr).toBe(0);
    return { stdout, stderr };
  };
  const typed = (...argv: readonly string[]) => called(process.execPath, binary, ...argv).stdout;
  const play = (words: readonly string[]) => {
    user?.own(room);
    return played([...before, client, ...words], root, env);
  };
  return { root, home: join(room, 'home'), model: own.model, called, typed, play };
}

function played([program = '', ...argv]: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }); // prettier-ignore
    const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    const timer = setTimeout(end, Number(process.env['CONTRACTS_TEST_LIMIT_MS']));
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(printed);
    });
  });
}
