/**
 * `init` in a folder that brings links and settings of somebody else: nothing is made outside, and with
 * settings that cannot be read nothing is made at all. The built command.
 */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { init } from '../../src/index.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { inShell, makeHouse, type House } from './house.ts';

function bare(): House {
  const house = makeHouse({ neighbour: false });
  expect(inShell(house, 'git init -q in').code).toBe(0);
  rmSync(house.path('in/.git/hooks'), { recursive: true, force: true });
  mkdirSync(house.path('out'));
  rmSync(house.path('.contracts'), { recursive: true });
  rmSync(house.path('active_tasks'), { recursive: true });
  return house;
}

const LINKS = (
  '.claude .vscode .gemini .codex .git/hooks .contracts active_tasks .contracts/schemas ' +
  '.contracts/archive active_tasks/ready'
).split(' ');

test.each(LINKS)('%s is a link: nothing is made behind it', (name) => {
  const house = bare();
  mkdirSync(dirname(house.path(`in/${name}`)), { recursive: true });
  symlinkSync(house.path('out'), house.path(`in/${name}`));
  const { code, out, err } = inShell(house, 'cd in && $BIN init --with all --hooks < /dev/null');
  expect(readdirSync(house.path('out'))).toEqual([]);
  const words = [`${name} is not a folder`, `${name} was not changed`];
  const says = words.some((one) => `${out}${err}`.includes(one)) || code === 2;
  expect(says || ['.contracts/archive', 'active_tasks/ready'].includes(name)).toBe(true);
});

test('a hook behind a link is not made executable', () => {
  const house = bare();
  writeFileSync(house.path('out/pre-commit'), 'contracts check --staged\n', { mode: 0o644 });
  symlinkSync(house.path('out'), house.path('in/.git/hooks'));
  inShell(house, 'cd in && $BIN init --with pre-commit < /dev/null');
  expect(inShell(house, 'ls -l out').out).toContain('-rw-r--r--');
});

test.each(['active_tasks: /etc\n', 'active_tasks: ../out\n', 'parallel: [\n', 'parallel: no\n'])(
  'settings %j: nothing is made, by the command and by the library',
  (config) => {
    const house = bare();
    house.write('in/.contracts/config.yaml', config);
    const { code, out, err } = inShell(house, 'cd in && $BIN init --with all --hooks < /dev/null');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('config.yaml:');
    expect(() => init(realDisk, house.path('in'))).toThrow(/config\.yaml/);
    expect(readdirSync(house.path('in')).toSorted()).toEqual(['.contracts', '.git']);
    expect(readdirSync(house.path('in/.contracts'))).toEqual(['config.yaml']);
  },
);
