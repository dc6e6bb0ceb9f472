/**
 * What the programs that contracts starts inherit, and which are not started at all: agents, checks,
 * on_state, editors, and clients that are asked for their version. The built command, real programs.
 */
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/task/core/base/shell-quote.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { inShell, makeHouse, shellContract, type House } from './house.ts';

const OUTER = {
  CONTRACTS_TRUST: '1',
  SECRET_KEY: 'not for them',
  LC_SECRET: 'not for them',
  XDG_SECRET: 'not for them',
  SSH_AUTH_SOCK: '/not/for/them',
  LC_MESSAGES: 'C',
  XDG_DATA_HOME: '/data',
  DISPLAY: ':7',
};
const NEVER = /^(?:CONTRACTS_TRUST|SECRET_KEY|LC_SECRET|XDG_SECRET|SSH_AUTH_SOCK)=/m;

function program(house: House, path: string, text: string): string {
  house.write(path, `#!/bin/sh\n${text}`);
  chmodSync(house.path(path), 0o755);
  return house.path(path);
}

const notes = (house: House, name: string): string => `env > '${house.path(`env-of-${name}`)}'\n`;

test('agents, checks, on_state and editors inherit what is named, and no trust', () => {
  const house = makeHouse({ neighbour: false });
  const bell = program(house, 'bell', notes(house, 'bell'));
  const editor = program(house, 'editor', notes(house, 'editor'));
  house.write('.contracts/config.yaml', `on_state: [${bell}]\n`);
  house.task('bad', shellContract('bad', { sh: `${notes(house, 'agent')}echo made > bad.txt` }));
  const contract = house.read('active_tasks/ready/bad/contract.md');
  house.write(
    'active_tasks/ready/bad/contract.md',
    contract.replaceAll('test -s bad.txt', 'env > env-of-check'),
  );
  inShell(house, atTerminal(['sh', '-c', '$BIN edit bad']).map(shellWord).join(' '), {
    ...OUTER,
    EDITOR: editor,
  });
  inShell(house, '$BIN run; sleep 1', OUTER);
  expect(house.where('bad')).toEqual(['done']);
  for (const name of ['agent', 'check', 'bell', 'editor']) {
    const env = house.read(`env-of-${name}`);
    expect([name, NEVER.exec(env)?.[0]]).toEqual([name, undefined]);
    expect(env).toContain('LC_MESSAGES=C\n');
    expect(env).toContain('XDG_DATA_HOME=/data\n');
    expect(env.includes('DISPLAY=:7\n')).toBe(name === 'editor');
  }
});

const EVIL = (house: House): string => `echo ran >> '${house.path('ran')}'; echo 9.9.9\n`;

test.each<[string, (house: House) => { config?: string; PATH?: string }]>([
  [
    'a relative path in the settings',
    () => ({
      config: 'adapter: claude\nadapters: { claude: { type: claude, run: [./tools/claude] } }\n',
    }),
  ],
  [
    'an absolute path into the workspace',
    (house) => ({
      config: `adapter: claude\nadapters: { claude: { type: claude, run: [${house.path('tools/claude')}] } }\n`,
    }),
  ],
  ['a relative folder on PATH', () => ({ PATH: 'tools' })],
  ['the folder of today on PATH', () => ({ PATH: '.:tools:' })],
  ['a folder of the workspace on PATH', (house) => ({ PATH: house.path('tools') })],
  [
    'a link on PATH that leads there',
    (house) => {
      mkdirSync(`${house.root}-outside`);
      symlinkSync(house.path('tools/claude'), `${house.root}-outside/claude`);
      return { PATH: `${house.root}-outside` };
    },
  ],
])('%s: not asked for its version, but named', (_how, plant) => {
  const house = makeHouse({ neighbour: false });
  program(house, 'tools/claude', EVIL(house));
  const { config = 'adapter: claude\n', PATH = '' } = plant(house);
  house.write('.contracts/config.yaml', config);
  const env = { ...OUTER, PATH: `${PATH}:${process.env['PATH'] ?? ''}` };
  const doctor = inShell(house, '$BIN doctor', env);
  const agents = inShell(house, '$BIN agents --all; $BIN agents show builder', env);
  expect(house.exists('ran')).toBe(false);
  expect(doctor.out + agents.out).toMatch(/claude is in this workspace or at a relative path/);
  inShell(house, `rm -rf '${house.root}-outside'`);
});

test('a client outside is asked, without the interpreters that the workspace brings', () => {
  const house = makeHouse({ neighbour: false });
  const outside = `${house.root}-outside`;
  mkdirSync(outside);
  program(house, 'tools/helper', EVIL(house));
  program(house, 'claude', `${notes(house, 'client')}helper\necho 2.1.999\n`);
  inShell(house, `mv claude '${outside}/claude'`);
  house.write('.contracts/config.yaml', 'adapter: claude\n');
  const path = `${outside}:${house.path('tools')}:tools:${process.env['PATH'] ?? ''}`;
  const { out } = inShell(house, '$BIN doctor', { ...OUTER, PATH: path });
  inShell(house, `rm -rf '${outside}'`);
  expect(out).toContain('installed, 2.1.999');
  expect(house.exists('ran')).toBe(false);
  expect(readFileSync(house.path('env-of-client'), 'utf8')).not.toMatch(NEVER);
});
