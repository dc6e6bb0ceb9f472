/**
 * What a sandbox shows for a folder of programs, as a table: in a home that folder alone, because keys
 * stand beside it; all of a version manager; never a home.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolFolders, toolPlaces } from '../../src/sandbox/engine/tool-paths.ts';

const HOME = '/home/me';

test.each<[string, string, readonly string[]]>([
  ['another user’s cargo', '/home/other/.cargo/bin', ['/home/other/.cargo/bin']],
  ['another user’s own programs', '/home/other/.local/bin', ['/home/other/.local/bin']],
  ['another user’s bin', '/home/other/bin', ['/home/other/bin']],
  ['another user’s home itself', '/home/other', []],
  ['the home of root', '/root/.cargo/bin', ['/root/.cargo/bin']],
  ['root itself', '/root', []],
  ['a home elsewhere', '/var/home/other/.cargo/bin', ['/var/home/other/.cargo/bin']],
  ['a version manager of another user', '/home/other/.nvm/v22/bin', ['/home/other/.nvm']],
  ['a version manager of root', '/root/.pyenv/shims', ['/root/.pyenv']],
  ['the own cargo', '/home/me/.cargo/bin', ['/home/me/.cargo/bin']],
  ['an own version manager', '/home/me/.nvm/versions/node/v22/bin', ['/home/me/.nvm']],
  ['the own home itself', '/home/me', []],
  ['a well-known prefix', '/home/linuxbrew/.linuxbrew/bin', ['/home/linuxbrew/.linuxbrew']],
  ['packages of node', '/srv/app/node_modules/.bin', ['/srv/app/node_modules']],
  ['elsewhere', '/nowhere/tool/bin', ['/nowhere/tool/bin']],
])('%s', (_says, folder, shown) => {
  expect(toolPlaces(folder, HOME)).toEqual(shown);
});

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'contracts-tools-')));
  chmodSync(base, 0o755);
  for (const name of ['bin', 'lib', 'secrets'])
    mkdirSync(join(base, 'tool', name), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('outside of homes: its libraries with it, and nothing else that stands there', () => {
  expect(toolFolders(join(base, 'tool/bin'), HOME, '/w')).toEqual([
    join(base, 'tool/bin'),
    join(base, 'tool/lib'),
  ]);
});

test.runIf(process.getuid?.() === 0)('what another user owns: that folder alone', () => {
  chownSync(join(base, 'tool'), 4711, 4711);
  expect(toolFolders(join(base, 'tool/bin'), HOME, '/w')).toEqual([join(base, 'tool/bin')]);
});
