/**
 * Ways in which a command of a person leads into the workspace although none of its words is a path there:
 * the home, links, /proc, the folder that it is started in, variables, PATH. The built command, real
 * sandboxes; a key in the home stands for all that must not be read.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { orNothing, realBelow } from '../../src/process/path-kind.ts';
import { isInstalled } from '../../src/process/program.ts';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { personsOwnIn } from '../../src/workspace/open/persons-own.ts';
import { processesOf } from '../support/sandbox-runs.ts';
import { BINARY, shellContract } from './house.ts';
import { base, git, home, root, said, write } from './trust-room.ts';
import { until } from '../support/until.ts';
import { share } from '../support/share.ts';

const PATH = process.env['PATH'] ?? '';
const here = sandboxMachine(PATH);
if (!here.works) console.log(`LEFT OUT: named places, because ${here.why}`);
const confined = test.runIf(here.works);
const withTerminal = test.runIf(here.works && isInstalled('script', PATH, '/'));

const BOX = { CONTRACTS_SANDBOX: '' };
const stolen = (): boolean => existsSync(join(base, 'stolen'));
const theft = (): string => `cat ${home}/.ssh/id > ${base}/stolen; echo ran >> ${root}/ran.txt`;
const js = (): string => `require('node:child_process').execSync(${JSON.stringify(theft())});\n`;

function script(path: string, text: string, at = root): void {
  write(path, text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`, at);
  chmodSync(join(at, path), 0o755);
}

/** Nothing waits for a bell, and a folder that it still uses cannot be removed. */
afterEach(async () => {
  await until(() => processesOf(base).length === 0);
});
beforeEach(() => {
  write('.ssh/id', 'the-key-of-a-person', home);
  expect(said(['init']).code).toBe(0);
  git(root, 'init', '-q');
});

function settings(lines: string): void {
  write('.contracts/config.yaml', `adapter: shell\nsandbox: bwrap\n${lines}`);
  expect(said(['trust']).text).toMatch(/rusted/);
}

describe('on_state runs in a sandbox', () => {
  const REST = ' > /dev/null 2>&1';
  const WAYS: readonly (readonly [string, () => readonly string[]])[] = [
    ['~', () => ['sh', '-c', '. ~/clone/y.sh']],
    ['${HOME}', () => ['sh', '-c', '. "${HOME}/clone/y.sh"']],
    ['a glob', () => ['sh', '-c', 'for x in ~/cl*/y.sh; do . "$x"; done']],
    ['a folder of the home', () => ['node', 'clone']],
    ['find', () => ['find', 'clone/tools', '-name', 'n.sh', '-exec', 'sh', '{}', ';']],
    [
      'a shell of find',
      () => ['find', '/dev/null', '-exec', 'sh', '-c', '. "$CONTRACTS_ROOT/y.sh"', ';'],
    ],
    ['an alias of git', () => ['git', '-c', 'alias.x=!. $CONTRACTS_ROOT/y.sh', 'x']],
    ['a joined option', () => ['sed', `-nf${root}/x.sed`, '/etc/passwd']],
    ['.. behind a link', () => ['sh', `${home}/link/../y.sh`]],
    ['/proc', () => ['sh', '-c', `. /proc/self/cwd/clone/y.sh${REST}`]],
  ];
  // One in two, which the commit chooses; at night all.
  confined.each(share(WAYS, 2))('%s', (_name, command) => {
    for (const file of ['y.sh', 'tools/n.sh']) write(file, theft());
    write('index.js', js());
    write('x.sed', `1e ${theft()}\n`);
    mkdirSync(join(root, 'deep'));
    symlinkSync(join(root, 'deep'), join(home, 'link'));
    settings(`on_state: ${JSON.stringify(command())}\n`);
    expect(said(['check'], BOX).text).toContain('so it runs in the sandbox of a check');
  });
});

describe('the editor reads nothing of the workspace', () => {
  const edit = (env: Record<string, string>) => {
    settings('');
    write('active_tasks/draft/a/contract.md', shellContract('a'));
    return said(['edit', 'a'], { ...BOX, ...env });
  };

  confined.each([
    ['ed.js', 'node ed', js],
    ['ed', `sh -c 'sh e?'`, theft],
    ['ed', `sh -c 'sh e""d'`, theft],
    ['node_modules/ed/index.js', 'node -r ed -e 1', js],
  ])('%s by %s', (file, EDITOR, text) => {
    write(file, text());
    edit({ EDITOR });
    expect(stolen()).toBe(false);
  });

  confined('and gets no variable that names a file there', () => {
    write('x.vim', '');
    const names = ['VIMINIT', 'VIMRUNTIME', 'XDG_DATA_DIRS', 'LESS'];
    script('ed', `echo ${names.map((one) => `"$${one}"`).join('/')} > ${base}/seen`, home);
    edit({
      EDITOR: `${home}/ed`,
      VIMINIT: 'source x.vim',
      VIMRUNTIME: `${root}/later`,
      XDG_DATA_DIRS: `/usr/share:${root}/share`,
      LESS: 'FRX',
    });
    expect(readFileSync(join(base, 'seen'), 'utf8')).toBe('///FRX\n');
  });

  confined('nor a program behind /proc on PATH, which another process finds elsewhere', () => {
    script('bin/ed', theft());
    script('bin/setsid', theft());
    settings('');
    write('active_tasks/draft/a/contract.md', shellContract('a'));
    const env = { ...BOX, EDITOR: 'ed', PATH: `/proc/self/cwd/bin:${PATH}` };
    said(['-C', root, 'edit', 'a'], env, '/');
    expect(stolen()).toBe(false);
  });
});

describe('a client outside of the workspace whose interpreter PATH finds in it', () => {
  const prepare = (): void => {
    script('bin/node', `${theft()}; exec ${process.execPath} "$@"`);
    script('bin/claude', `#!/usr/bin/env node\nconsole.log('2.1.0 (Claude Code)');\n`, home);
    mkdirSync(join(root, 'deep'));
    symlinkSync(join(root, 'deep'), join(home, 'link'));
    write('.contracts/config.yaml', 'adapter: claude\nsandbox: bwrap\n');
    expect(said(['trust']).text).toMatch(/rusted/);
  };

  withTerminal('delegate --interactive', () => {
    prepare();
    write('active_tasks/ready/a/contract.md', shellContract('a'));
    const line = `${process.execPath} ${BINARY} delegate a --interactive`;
    const env = { PATH: `${root}/bin:${home}/bin:${PATH}`, HOME: home, TERM: 'xterm' };
    const ran = spawnSync('script', ['-qec', line, '/dev/null'], { cwd: root, env, input: '' });
    expect(ran.stdout.toString()).toContain('2.1.0');
    expect(stolen()).toBe(false);
  });

  confined('doctor, with .. behind a link on PATH', () => {
    prepare();
    const text = said(['doctor'], { ...BOX, PATH: `${home}/link/../bin:${home}/bin:${PATH}` }).text;
    expect(text).toContain('2.1.0');
    expect(stolen()).toBe(false);
  });
});

describe('a workspace that holds what the person obeys, by a way around', () => {
  const refused = (env: Record<string, string>, at = root): void => {
    for (const one of ['.contracts', 'active_tasks/ready'])
      mkdirSync(join(at, one), { recursive: true });
    write('active_tasks/ready/a/contract.md', shellContract('a', { sh: 'echo a > a.txt' }), at);
    const { text } = said(['step'], { ...BOX, CONTRACTS_TRUST: '1', ...env }, at);
    expect(text).toMatch(/this workspace (?:holds|is the folder of) your (?:home|own settings)/);
    expect(existsSync(join(at, 'a.txt'))).toBe(false);
  };

  test('the folder of the settings of contracts is a link into it', () => {
    mkdirSync(join(root, 'dotfiles'));
    mkdirSync(join(home, '.config'));
    symlinkSync(join(root, 'dotfiles'), join(home, '.config/contracts'));
    refused({});
  });
  test('XDG_CONFIG_HOME is a link to what an agent could make', () => {
    symlinkSync(join(root, 'later'), join(home, 'link'));
    refused({ XDG_CONFIG_HOME: join(home, 'link') });
  });
  test('HOME ends with .. behind a link', () => {
    mkdirSync(join(home, 'deep'));
    symlinkSync(join(home, 'deep'), join(base, 'link'));
    refused({ HOME: `${base}/link/..` }, home);
  });
  test('HOME is relative', () => refused({ HOME: 'x' }));
  const known = orNothing(() => userInfo());
  test.runIf(known)('HOME is not set: that of the user counts', () => {
    expect(personsOwnIn({ env: {} }, known?.homedir ?? '')?.message).toContain('your home');
    expect(personsOwnIn({ env: {} }, root)).toBeUndefined();
  });
  test('links that lead to each other end the search', () => {
    symlinkSync(join(home, 'b'), join(home, 'a'));
    symlinkSync(join(home, 'a'), join(home, 'b'));
    expect(realBelow(join(home, 'a/c'))).toBe(join(home, 'a/c'));
  });
});

test('a list that hides nothing is more than no list', () => {
  settings('');
  write('.contracts/config.yaml', 'adapter: shell\nsandbox: bwrap\nhide: []\n');
  write(
    'active_tasks/ready/due/contract.md',
    '---\ntitle: Due\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] it\n\n## Steps\n\n```sh\ntrue\n```\n',
  );
  expect(said(['step']).text).toContain('contracts trust');
});
