/** Which word of a command line is a program that has to be installed, and when it is. */
import { describe, expect, it } from 'vitest';
import { isInstalled, programOf } from '../../src/process/program.ts';

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
