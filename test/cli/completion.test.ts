/**
 * Completion in real shells: bash by its own variables, fish by `complete -C`, zsh in a pseudo terminal
 * (tmux) with the Tab key. A shell that is missing is said and left out. What is half typed never runs.
 */
import { CAPABILITIES } from '../../src/capabilities.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { candidates } from '../../src/cli/startup/complete.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { BINARY } from '../support/binary.ts';
import { sealedFolder } from '../support/sealed-folder.ts';
import { openTerminal, terminalMissing } from '../support/terminal.ts';
import { VERBS } from '../support/verbs.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const fish = has('fish');
const zsh = has('zsh') && terminalMissing() === undefined;
const bash = has('bash');
for (const [name, there] of Object.entries({ bash, fish, zsh })) {
  if (!there) console.log(`LEFT OUT: completion in ${name}, because it is not installed`);
}

let root: string;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  root = sealedFolder('completion');
  init(realDisk, root);
  for (const [state, id] of [
    ['draft', 'build_draft-1'],
    ['draft', 'build_draft-2'],
    ['questions', 'build_asks'],
    ['review', 'build_judge'],
    ['blocked', 'build_stuck'],
    ['done', 'build_done'],
    ['aborted', 'build_gone'],
    ['ready', 'build_ready'],
  ] as const) {
    mkdirSync(join(root, 'active_tasks', state, id), { recursive: true });
  }
  // Not an id, so it is never offered, whatever it would do to a shell.
  mkdirSync(join(root, 'active_tasks/draft/$(touch hacked)'));
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/contracts'), `#!/bin/sh\nexec node ${BINARY} "$@"\n`);
  chmodSync(join(root, 'bin/contracts'), 0o755);
  writeFileSync(join(root, 'given.md'), '# Given\n');
  env = { ...process.env, PATH: `${root}/bin:${process.env['PATH'] ?? ''}`, HOME: root };
});

/** What the shells are told; the last word is the one that is being typed. */
async function told(...words: string[]): Promise<string[]> {
  const lines = await candidates(['-C', root, ...words], CAPABILITIES);
  return lines.map((line) => line.split('\t')[0] ?? '');
}

describe('candidates', () => {
  test('only ids that make sense for the verb', async () => {
    expect(await told('confirm', '')).toEqual(['build_draft-1', 'build_draft-2']);
    expect(await told('answer', '')).toEqual(['build_asks']);
    for (const verb of ['approve', 'needs-work', 'reject']) {
      expect(await told(verb, '')).toEqual(['build_judge']);
    }
    expect(await told('archive', '')).toEqual(['build_done', 'build_gone']);
    expect(await told('retry', '')).toEqual(['build_stuck', 'build_done', 'build_gone']);
    expect(await told('delegate', '')).toEqual(['build_ready']);
    expect(await told('step', '--only', 'build_r')).toEqual(['build_ready']);
    expect(await told('show', '')).not.toContain('build_done');
    expect(await told('show', 'build_d')).toEqual(['build_draft-1', 'build_draft-2', 'build_done']);
    expect(await told('confirm', 'build_draft-1', '')).toEqual(['build_draft-2']);
  });

  test('verbs, flags, states, files of a task, and file names where a file is meant', async () => {
    expect(await told('')).toEqual([...VERBS.map(({ name }) => name), 'help']);
    expect(await told('re')).toContain('review');
    expect(await told('step', '--dry')).toEqual(['--dry-run']);
    expect(await told('list', '--state', 'b')).toEqual(['blocked']);
    expect(await told('edit', 'build_asks', 'q')).toEqual(['questions']);
    expect(await told('new', '--from', 'g')).toEqual([':files']);
    expect(await told('answer', 'build_asks', '')).toEqual([]);
    expect(await told('no-such-verb', '')).toEqual([]);
  });

  test('say nothing where no workspace is, and read no file of a task', async () => {
    expect(await told('-C', '/', 'confirm', '')).toEqual([]);
    writeFileSync(
      join(root, 'active_tasks/draft/build_draft-1/contract.md'),
      '\u001b]0;owned\u0007',
    );
    expect(await told('confirm', 'build_draft-1')).toEqual(['build_draft-1']);
  });
});

/** A half-typed line that would run something if a script evaluated it. */
const EVIL = '$(touch hacked) `touch hacked` ; touch hacked';
const notHacked = (): void => expect(existsSync(join(root, 'hacked'))).toBe(false);

describe.runIf(bash)('bash', () => {
  const complete = (...words: string[]): string[] => {
    const script = `source <(contracts completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _contracts_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { cwd: root, env, encoding: 'utf8' } as const;
    const argv = ['--norc', '-c', script, 'bash', 'contracts', ...words];
    return execFileSync('bash', argv, options)
      .split('\n')
      .filter((line) => line !== '');
  };

  test('offers verbs, live ids, flags and states', () => {
    expect(complete('conf')).toEqual(['confirm']);
    expect(complete('confirm', '')).toEqual(['build_draft-1', 'build_draft-2']);
    expect(complete('list', '--state', 'q')).toEqual(['questions']);
    expect(complete('step', '--par')).toEqual(['--parallel']);
  });

  test('runs nothing of what is typed', () => {
    expect(complete('note', EVIL, '$(touch hacked)')).toEqual([]);
    expect(complete('confirm', '`touch hacked`')).toEqual([]);
    notHacked();
  });
});

describe.runIf(fish)('fish', () => {
  const complete = (line: string): string[] => {
    const script = `contracts completion fish | source; complete -C ${JSON.stringify(line).replaceAll('$', '\\$')}`;
    const run = spawnSync('fish', ['--no-config', '-c', script], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    return run.stdout.split('\n').filter((one) => one !== '');
  };

  test('offers verbs, live ids with their state, flags and files', () => {
    expect(complete('contracts conf')).toEqual([
      'confirm\ta draft may be worked on: draft → ready',
    ]);
    expect(complete('contracts confirm ')).toEqual([
      'build_draft-1\tdraft',
      'build_draft-2\tdraft',
    ]);
    expect(complete('contracts list --state q')).toEqual(['questions']);
    expect(complete('contracts step --par')[0]).toMatch(/^--parallel\t/);
    expect(complete('contracts new --from gi')[0]).toMatch(/^given\.md/);
  });

  test('runs nothing of what is typed', () => {
    complete('contracts note "$(touch hacked)" (touch hacked) ');
    notHacked();
  });
});

describe.runIf(zsh)('zsh', () => {
  test('offers verbs, live ids with their state, and runs nothing of what is typed', async () => {
    const at = openTerminal(root, [
      'env',
      `HOME=${root}`,
      `PATH=${env['PATH']}`,
      'zsh',
      '-f',
      '-i',
    ]);
    try {
      at.type('PS1="%# "; source <(contracts completion zsh); echo re\'\'ady');
      at.press('Enter');
      await at.shows('\nready');
      at.type('contracts confirm ');
      at.press('Tab');
      await at.shows('contracts confirm build_draft-');
      at.press('Tab');
      await at.shows(
        'contracts confirm build_draft-',
        'build_draft-1  -- draft',
        'build_draft-2  -- draft',
      );
      at.press('C-u');
      at.type('contracts answ');
      at.press('Tab');
      await at.shows('contracts answer ');
      at.press('Tab');
      await at.shows('contracts answer build_asks');
      at.press('C-u');
      at.type('contracts list --state bl');
      at.press('Tab');
      await at.shows('contracts list --state blocked');
      at.press('C-u');
      at.type('contracts new --from giv');
      at.press('Tab');
      await at.shows('contracts new --from given.md');
      at.press('C-u');
      at.type('contracts note "$(touch hacked)" `touch hacked` appr');
      at.press('Tab');
      at.press('C-u');
      at.type("echo en''ded");
      at.press('Enter');
      await at.shows('\nended');
      notHacked();
    } finally {
      await at.close();
    }
  });
});
