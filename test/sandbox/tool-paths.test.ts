/**
 * What a sandbox shows for a folder of programs, as a table: in a home that folder alone, because keys
 * stand beside it; all of a version manager; never a home.
 */
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { programPlaces, toolFolders, toolPlaces } from '../../src/sandbox/engine/tool-paths.ts';
import { putFile, sealedFolder } from '../support/sealed-folder.ts';

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
  base = sealedFolder('tools');
  chmodSync(base, 0o755);
  for (const name of ['bin', 'lib', 'secrets'])
    mkdirSync(join(base, 'tool', name), { recursive: true });
});

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

/** Paths and `from` of what is shown for a program, below `base`, after a home with keys was made there. */
function shownFor(program: string, root = 'ws'): readonly (readonly [string, string?])[] {
  const at = { home: join(base, 'home'), root: join(base, root) };
  const below = (path: string): string => path.replace(`${base}/`, '');
  return programPlaces([join(base, program)], '', at).map(({ path, from }) =>
    from === undefined ? [below(path)] : [below(path), below(from)],
  );
}

const put = (path: string, text: string): void => putFile(join(base, path), text);

function link(path: string, target: string): void {
  mkdirSync(join(base, path, '..'), { recursive: true });
  symlinkSync(target, join(base, path));
}

test('a link to a home shows the program in it alone', () => {
  put('home/run', 'x');
  link('short', 'home');
  expect(shownFor('short/run')).toEqual([['short/run', 'home/run']]);
});

test('a link above a home shows nothing of it', () => {
  put('home/bin/run', 'x');
  link('short', '.');
  expect(shownFor('short/home/bin/run').flat()).not.toContain('short');
  expect(shownFor('short/run').flat()).not.toContain(base);
});

test('a linked folder whose links lead out of it is shown where they lead, from where that is', () => {
  put('home/stow/x/lib/main', 'x');
  link('home/stow/x/bin/run', '../lib/main');
  link('home/.local/bin', '../stow/x/bin');
  const shown = shownFor('home/.local/bin/run');
  expect(shown).toContainEqual(['home/.local/bin']);
  expect(shown).toContainEqual(['home/.local/lib', 'home/stow/x/lib']);
  expect(shown).toContainEqual(['home/stow/x/lib']);
});

test('the interpreter of a script is shown, behind its links; that of a file in the workspace is not', () => {
  put('home/a/real', 'x');
  link('home/b/sh', '../a/real');
  put('home/.ssh/key', 'the key');
  put('home/bin/run', `#! ${join(base, 'home/b/sh')} -e\n`);
  put('ws/run', `#!${join(base, 'home/.ssh/key')}\n`);
  link('ws/link', join(base, 'home/.ssh/key'));
  expect(shownFor('home/bin/run')).toEqual(
    ['home/bin', 'home/b', 'home/a'].flatMap((one) => [[one], [one]]),
  );
  expect(shownFor('ws/run').flat()).not.toContain('home/.ssh');
  expect(shownFor('ws/link').flat()).not.toContain('home/.ssh');
});

test('links in a circle come to an end', () => {
  link('a/run', '../b/run');
  link('b/run', '../a/run');
  expect(new Set(shownFor('a/run').flat())).toEqual(new Set(['a', 'b']));
});
