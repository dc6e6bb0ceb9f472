/** Which word of a command line is a program that has to be installed, and when it is. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInstalled, programOf, programsBeyond } from '../../src/process/program.ts';
import { sealedFolder } from '../support/sealed-folder.ts';

describe('programOf', () => {
  it.each([
    ['npm test', 'npm'],
    ['  g++-12 a.cc', 'g++-12'],
    ['spell;true', 'spell'],
    ['spell>out', 'spell'],
    ['spell', 'spell'],
  ])('%j calls %j', (command, program) => {
    expect(programOf(command)).toBe(program);
  });

  it.each([
    './bin/spell',
    'bin/spell x',
    '/usr/bin/spell',
    'A=1 spell',
    'cd app && npm test',
    'if spell; then exit 1; fi',
    '[ -f a ]',
    '! grep a b',
    '. ./env',
    '"$TOOL" x',
    '$TOOL x',
    "'spell' x",
    '(spell)',
    '',
  ])('%j names none that can be told', (command) => {
    expect(programOf(command)).toBeUndefined();
  });
});

describe('isInstalled', () => {
  it('finds sh on the path and nothing on an empty one', () => {
    expect(isInstalled('sh', process.env['PATH'] ?? '', '/')).toBe(true);
    expect(isInstalled('sh', '/nowhere', '/')).toBe(false);
  });
});

it('leaves folders of PATH out that are in the workspace, or may be made there', () => {
  const above = sealedFolder('path');
  const root = join(above, 'ws');
  for (const folder of ['ws/bin', 'own/bin']) mkdirSync(join(above, folder), { recursive: true });
  symlinkSync('ws', join(above, 'link'));
  symlinkSync('ws/tools', join(above, 'tools'));
  const out = ['ws/bin', 'link/bin', 'link/.venv/bin', 'tools'].map((one) => join(above, one));
  const path = (all: string) => programsBeyond(() => [root], all);
  for (const one of out) expect(path('').isBeyond(one), one).toBe(false);
  const own = join(above, 'own/bin');
  expect(path(['/usr/bin', ...out, own, 'relative'].join(':')).path).toBe(`/usr/bin:${own}`);
  // Nor when it is made while the command runs.
  mkdirSync(join(root, 'tools'));
  mkdirSync(join(root, '.venv/bin'), { recursive: true });
  for (const one of out) expect(path('').isBeyond(one), one).toBe(false);
});
