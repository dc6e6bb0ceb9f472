/**
 * What the caller of the built command has open, a folder at 20 and 200, a socket at 30 and a file at 40,
 * reaches none of the programs that are started: each kind of them lists what it got, and tries to write.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { processesOf } from '../support/sandbox-runs.ts';
import { sandboxMachine } from '../../src/sandbox/engine/machine-view.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { BINARY } from '../support/binary.ts';
import { sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { makeHouse, shellContract, type House } from './house.ts';
import { until } from '../support/until.ts';

const isLinux = process.platform === 'linux';
const here = sandboxMachine(process.env['PATH'] ?? '');
if (!here.works) console.log(`LEFT OUT: descriptors in a sandbox, because ${here.why}`);

let outside: string;
let house: House;
beforeEach(() => {
  outside = sealedFolder('open');
  fs.mkdirSync(join(outside, 'folder'));
  fs.writeFileSync(join(outside, 'file'), 'as it was\n');
  house = makeHouse({ neighbour: false });
  script('seen', `${seeing('$1')}\nexit 0`);
});

/** Notes what it has open, in a file of its kind; tries the folders. No pipe: that would be open too. */
function seeing(kind: string): string {
  return `ls -l /proc/$$/fd >> ${house.root}/seen-${kind}.log
for number in 20 200; do echo evil > "/proc/self/fd/$number/evil"; done 2>/dev/null`;
}

function script(name: string, text: string): string {
  const path = house.path(`${name}.sh`);
  house.write(`${name}.sh`, `#!/bin/sh\n${text}\n`);
  fs.chmodSync(path, 0o755);
  return path;
}

/** The built command with all of that open; its own three streams are pipes. */
function call(argv: readonly string[], env: Record<string, string> = {}) {
  const folder = fs.openSync(join(outside, 'folder'), 'r');
  const file = fs.openSync(join(outside, 'file'), 'r+');
  const stdio = Array.from<unknown, 'ignore' | 'pipe' | number>({ length: 201 }, () => 'ignore');
  for (const fd of [0, 1, 2, 30]) stdio[fd] = 'pipe';
  Object.assign(stdio, { 20: folder, 200: folder, 40: file });
  try {
    const line = [process.execPath, BINARY, '-C', house.root, ...argv];
    const [program = '', ...rest] = argv[0] === 'edit' ? atTerminal(line) : line;
    return spawnSync(program, rest, {
      encoding: 'utf8',
      stdio,
      env: { ...sealedEnv(), CONTRACTS_TRUST: '1', ...env },
    });
  } finally {
    fs.closeSync(folder);
    fs.closeSync(file);
  }
}

/** Above the three streams, without what covers the others and what the shell keeps at 10 and 11. */
function got(kind: string): string[] {
  const own = / (?:[012]|1[01]) -> |-> \/dev\/null$/;
  const lines = house.read(`seen-${kind}.log`).split('\n');
  fs.rmSync(house.path(`seen-${kind}.log`));
  expect(lines.join('\n')).toContain(' 0 -> ');
  return lines.filter((line) => line.includes(' -> ') && !own.test(line));
}

/** Every kind ran, none of them got anything, and nothing outside was changed. */
function expectKept(said: { stdout: string; stderr: string }, kinds: readonly string[]): void {
  const ran = fs.readdirSync(house.root).filter((name) => name.startsWith('seen-'));
  expect(ran, said.stdout + said.stderr).toEqual(kinds.map((kind) => `seen-${kind}.log`));
  for (const kind of kinds) expect(got(kind), kind).toEqual([]);
  expect(fs.readdirSync(join(outside, 'folder'))).toEqual([]);
  expect(fs.readFileSync(join(outside, 'file'), 'utf8')).toBe('as it was\n');
}

const sh = (kind: string): string => `sh ${house.path('seen.sh')} ${kind}`;

test.runIf(isLinux)('the attack is real: without a cover a program gets them all', () => {
  const folder = fs.openSync(join(outside, 'folder'), 'r');
  const stdio = Array.from<unknown, 'ignore' | number>({ length: 21 }, () => 'ignore');
  stdio[20] = folder;
  spawnSync('sh', [house.path('seen.sh'), 'bare'], { stdio });
  fs.closeSync(folder);
  expect(got('bare').join('\n')).toContain(` 20 -> ${outside}/folder`);
  expect(fs.readdirSync(join(outside, 'folder'))).toEqual(['evil']);
});

const modes = ['none', ...(here.works ? ['bwrap'] : [])];
test.runIf(isLinux).each(modes)(
  'agents, an ACP client, checks and on_state; sandbox: %s',
  async (mode) => {
    const config = `sandbox: ${mode}
on_state: [sh, ${house.path('seen.sh')}, on_state]
adapters:
  acp-one: { type: acp, run: [sh, ${house.path('seen.sh')}, acp] }
`;
    house.write('.contracts/config.yaml', config);
    house.task(
      'one',
      shellContract('one', { sh: `${sh('agent')}; echo made > one.txt` }).replace(
        'run: test -s one.txt',
        `run: ${sh('check')}`,
      ),
    );
    house.task('two', shellContract('two', { head: 'adapter: acp-one\nretries_max: 0' }));
    const said = call(['run']);
    expectKept(said, ['acp', 'agent', 'check', 'on_state']);
    // Nobody waits for the last bell.
    await until(() => processesOf(house.root).length === 0);
  },
);

test.runIf(isLinux)('questions for a version, by doctor and agents', () => {
  // One in the workspace would not be asked.
  fs.mkdirSync(join(outside, 'bin'));
  const asked = join(outside, 'bin/asked');
  fs.writeFileSync(asked, `#!/bin/sh\n${seeing('version')}\necho 2.1.330\n`);
  fs.chmodSync(asked, 0o755);
  house.write('.contracts/config.yaml', `adapters:\n  claude: { type: claude, run: [${asked}] }\n`);
  house.write('.contracts/agents/one.md', '---\nname: one\nadapter: claude\n---\nDo it.\n');
  for (const verb of ['doctor', 'agents']) {
    expectKept(call([verb]), ['version']);
  }
});

test.runIf(isLinux)('git, of a worktree and of a look at the index', () => {
  const found = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  fs.mkdirSync(join(outside, 'bin'));
  fs.writeFileSync(join(outside, 'bin/git'), `#!/bin/sh\n${seeing('git')}\nexec ${found} "$@"\n`);
  fs.chmodSync(join(outside, 'bin/git'), 0o755);
  const git = (...args: string[]): void =>
    expect(spawnSync(found, ['-C', house.root, ...args]).status).toBe(0);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one');
  house.task('one', shellContract('one', { head: 'isolation: worktree' }));
  const env = { PATH: `${outside}/bin:${process.env['PATH']}`, CONTRACTS_SANDBOX: 'none' };
  const said = call(['run'], env);
  expect(house.where('one'), said.stdout + said.stderr).toEqual(['done']);
  expectKept(said, ['git']);
  expectKept(call(['check', '--staged'], env), ['git']);
});

test.runIf(isLinux)('the editor of a person', () => {
  house.task('one', shellContract('one'));
  expectKept(call(['edit', 'one'], { EDITOR: sh('editor') }), ['editor']);
});

test.runIf(isLinux)('a program that is missing is reported as ever', () => {
  house.task('one', shellContract('one'));
  const said = call(['edit', 'one'], { EDITOR: 'no-such-editor' });
  expect(said.stdout).toContain('cannot be started: spawn no-such-editor ENOENT');
});
