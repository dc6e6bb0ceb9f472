/** Gemini's home for one call: the person's folder by links, with other settings. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gemini } from '../../src/clients/gemini/gemini.ts';
import { clientHome } from '../../src/engine/call/client-home.ts';
import { Fault } from '../../src/task/core/model/problem.ts';
import { makeWorld } from '../support/world.ts';
import { call } from './calls.ts';
import { folder } from './rig.ts';

const invocation = gemini.prepare(call({ hook: ['/n', 'hook'] }), ['gemini']);
const world = makeWorld();

function opened(settings?: string) {
  const home = folder();
  const own = join(home, '.gemini');
  mkdirSync(join(own, 'commands'), { recursive: true });
  writeFileSync(join(own, 'oauth_creds.json'), 'token');
  if (settings !== undefined) writeFileSync(join(own, 'settings.json'), settings);
  const { ws } = world.process({ ports: { env: { TMPDIR: home } } });
  const made = clientHome(ws, { state_dirs: [own] }, invocation);
  if (made === undefined) throw new Error('no home was made');
  const path = made.env.GEMINI_CLI_HOME;
  return { own, made, path, below: join(path, '.gemini') };
}

test('a login has one copy, and what the client writes belongs to the person', () => {
  const { own, made, path, below } = opened();
  writeFileSync(join(below, 'oauth_creds.json'), 'new token');
  writeFileSync(join(below, 'installation_id'), 'id');
  mkdirSync(join(below, 'tmp/shop/chats'), { recursive: true });
  expect(readFileSync(join(own, 'oauth_creds.json'), 'utf8')).toBe('new token');
  const isLink = (name: string): boolean => lstatSync(join(below, name)).isSymbolicLink();
  expect(readdirSync(below).filter((name) => !isLink(name))).toEqual(['settings.json']);
  expect(lstatSync(path).mode & 0o777).toBe(0o700);
  // A token that is renewed by a rename takes the place of the link.
  writeFileSync(join(below, 'renewed'), 'newest token', { mode: 0o600 });
  renameSync(join(below, 'renewed'), join(below, 'oauth_creds.json'));
  made.remove();
  expect(readFileSync(join(own, 'oauth_creds.json'), 'utf8')).toBe('newest token');
  expect(lstatSync(join(own, 'oauth_creds.json')).mode & 0o777).toBe(0o600);
  expect(() => lstatSync(path)).toThrow('ENOENT');
  expect(readdirSync(own).toSorted()).toEqual(
    ['commands', 'history', 'installation_id', 'oauth_creds.json', 'tmp'].toSorted(),
  );
  expect(readdirSync(join(own, 'tmp/shop'))).toEqual(['chats']);
});

test('settings of the person stay, with ours over them; their file is not changed', () => {
  const text = `{
    // the login
    "security": { "auth": { "selectedType": "oauth-personal" } },
    "telemetry": { "enabled": true },
    "hooks": { "BeforeTool": [{ "matcher": "write_file" }], "AfterTool": [{ "matcher": "x" }] },
  }`;
  const { own, made, below } = opened(text);
  const settings: unknown = JSON.parse(readFileSync(join(below, 'settings.json'), 'utf8'));
  expect(settings).toMatchObject({
    security: { auth: { selectedType: 'oauth-personal' } },
    telemetry: { enabled: false },
    context: { fileFiltering: { respectGitIgnore: false } },
    hooks: {
      BeforeTool: [
        { matcher: '.*', hooks: [{ command: "'/n' 'hook' 'gemini'" }] },
        { matcher: 'write_file' },
      ],
      AfterTool: [{ matcher: 'x' }],
    },
  });
  expect(readFileSync(join(own, 'settings.json'), 'utf8')).toBe(text);
  made.remove();
});

test('settings that are no JSON are named, and nothing is made', () => {
  expect(() => opened('{ nothing')).toThrow(Fault);
});
