/**
 * The script that brings the real clients, with an npm of ours in front: what it installs, that it
 * does so once, and what it says when it cannot.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { sealedFolder } from '../support/sealed-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/install-clients.mjs', import.meta.url));
const VERSION = '0.61.0';

let room = '';
beforeEach(() => {
  room = sealedFolder('install');
  mkdirSync(join(room, 'bin'));
});

/** An npm that fails so often, then installs a Gemini that says so of its version. */
function npm(options: { readonly fails?: number; readonly says?: string } = {}): void {
  const { fails = 0, says = VERSION } = options;
  const program = `#!/usr/bin/env node
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(join(room, 'npm.log'))}, process.argv.slice(2).join(' ') + '\\n');
const times = fs.readFileSync(${JSON.stringify(join(room, 'npm.log'))}, 'utf8').split('\\n').length - 1;
if (times <= ${fails}) { console.error('the registry is away'); process.exit(1); }
const at = 'node_modules/@google/gemini-cli/bundle';
fs.mkdirSync(at, { recursive: true });
fs.writeFileSync(at + '/gemini.js', '#!/bin/sh\\necho ${says}\\n', { mode: 0o755 });
`;
  writeFileSync(join(room, 'bin/npm'), program);
  chmodSync(join(room, 'bin/npm'), 0o755);
}

function install(...names: string[]): Promise<{ code: number | null; text: string }> {
  const env = {
    PATH: `${join(room, 'bin')}:${process.env['PATH'] ?? ''}`,
    CONTRACTS_CLIENTS: join(room, 'cache'),
    CONTRACTS_CLIENTS_PAUSE_MS: '1',
  };
  const child = spawn(process.execPath, [SCRIPT, ...names], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, text }));
  });
}

const calls = (): string[] => readFileSync(join(room, 'npm.log'), 'utf8').trim().split('\n');
const program = (): string => join(room, `cache/gemini-${VERSION}/bin/gemini`);

test('installs the pinned version without scripts, and then no more', async () => {
  npm();
  const first = await install('gemini');
  expect(first).toEqual({ code: 0, text: expect.stringContaining(program()) });
  expect(calls()).toHaveLength(1);
  expect(calls()[0]).toContain(`@google/gemini-cli@${VERSION}`);
  expect(calls()[0]).toContain('--ignore-scripts');
  expect(await install('gemini')).toEqual({ code: 0, text: `${program()}\n` });
  expect(calls()).toHaveLength(1);
});

test('two at once install it once', async () => {
  npm();
  const both = await Promise.all([install('gemini'), install('gemini')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls()).toHaveLength(1);
  expect(readdirSync(join(room, 'cache'))).toEqual([`gemini-${VERSION}`]);
});

test('tries again when the registry is away for a while', async () => {
  npm({ fails: 2 });
  const ended = await install('gemini');
  expect(ended.code).toBe(0);
  expect(ended.text).toContain('try 2 of 3: the registry is away');
  expect(existsSync(program())).toBe(true);
});

test('what cannot be had is said, and leaves nothing that looks installed', async () => {
  npm({ fails: 3 });
  const ended = await install('gemini');
  expect(ended).toEqual({
    code: 1,
    text: expect.stringContaining('try 3 of 3: the registry is away'),
  });
  expect(readdirSync(join(room, 'cache'))).toEqual([]);
});

test('a program that says another version is not taken', async () => {
  npm({ says: '0.60.0' });
  const ended = await install('gemini');
  expect(ended).toEqual({
    code: 1,
    text: expect.stringContaining(`no program in it is version ${VERSION}`),
  });
  expect(existsSync(program())).toBe(false);
});

test('what an installer left that was killed is cleared, and its lock taken over', async () => {
  npm();
  // The highest pid that Linux gives is 4194304.
  const dead = 4_999_999;
  mkdirSync(join(room, `cache/gemini-${VERSION}.unfinished-${dead}`), { recursive: true });
  writeFileSync(join(room, 'cache/lock'), String(dead));
  expect((await install('gemini')).code).toBe(0);
  expect(readdirSync(join(room, 'cache'))).toEqual([`gemini-${VERSION}`]);
});

test('a name that is no client is refused', async () => {
  expect(await install('cursor')).toEqual({
    code: 2,
    text: 'not a client: cursor; known: opencode, codex, gemini, claude, codex-acp, claude-agent-acp\n',
  });
});
