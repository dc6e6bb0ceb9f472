/**
 * A stand for agents that try what they must not: a home with a key, a folder elsewhere, a remote and
 * a workspace that is a repository, and a running program to be found. What an agent brought about is
 * read from its own notes on the desk and from the disk afterwards.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { STATES } from '../../src/task/core/model/state.ts';
import { init } from '../../src/engine/setup/init.ts';
import { realDisk } from '../../src/task/store/disk/real-disk.ts';
import { textHere } from './command-room.ts';
import { putFile, sealedFolder } from './sealed-folder.ts';

/** Tried in a sub-shell each, so that one that fails leaves the others their turn. */
const DID = `did() { if (eval "$2") </dev/null >>"$CONTRACTS_OUT/said.txt" 2>&1; then echo "$1 yes"; else echo "$1 no"; fi >>"$CONTRACTS_OUT/deeds.txt"; }`;

export interface Stand {
  readonly base: string;
  readonly root: string;
  readonly home: string;
  /** A word in the command line of the running program, and nowhere else. */
  readonly word: string;
  /** Relative to the workspace. */
  write(path: string, text: string): void;
  read(path: string): string;
  exists(path: string): boolean;
  task(id: string, head: string, sh: string): void;
  call(...argv: string[]): Promise<string>;
  step(...argv: string[]): Promise<string>;
  /** The folder of its first attempt, relative, in whatever state it stands. */
  attempt(id: string, number?: string): string;
  /** Name of a deed -> whether that attempt, the first one, brought it about. */
  deeds(id: string, number?: string): Readonly<Record<string, boolean>>;
  /** Whether the program still runs. */
  isAlive(): boolean;
}

export type Deeds = Readonly<Record<string, string>>;

export function scriptOf(deeds: Deeds): string {
  const lines = Object.entries(deeds).map(([name, sh]) => `did ${name} '${sh}'`);
  return [DID, ...lines].join('\n');
}

export function makeStand(sandbox: 'bwrap' | 'none' | 'auto', config = ''): Stand {
  const base = sealedFolder('confined');
  const [root, home] = [join(base, 'home', 'dev', 'ws'), join(base, 'home')];
  putFile(join(home, '.ssh', 'id_key'), 'the key\n');
  putFile(join(home, 'letter.txt'), 'private\n');
  putFile(join(base, 'elsewhere', 'file.txt'), 'as it was\n');
  putFile(join(root, 'README.md'), 'as it was\n');
  putFile(join(root, 'src/a.txt'), 'a\n');
  init(realDisk, root);
  putFile(join(root, '.contracts/config.yaml'), `sandbox: ${sandbox}\n${config}`);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], { cwd: root });
  git('init', '-q', '--bare', join(base, 'remote.git'));
  git('init', '-q');
  git('config', 'user.name', 'Stand');
  git('config', 'user.email', 'stand@example.org');
  git('remote', 'add', 'origin', join(base, 'remote.git'));
  git('add', 'src', 'README.md');
  git('commit', '-q', '-m', 'as it was');
  const word = `word${process.pid}x${Math.floor(performance.now())}`;
  const program = spawn('sh', ['-c', 'while :; do sleep 1000; done', word], { detached: true });
  const closed = once(program, 'close');
  // All of the group have its output: once that is closed nobody of it lives.
  onTestFinished(async () => {
    try {
      // What it started lives on where an agent ended the program alone.
      if (program.pid !== undefined) process.kill(-program.pid, 'SIGKILL');
    } catch {
      // Nothing of its group is left.
    }
    await closed;
  });
  const attempt = (id: string, number = '0001'): string => {
    const state = STATES.find((one) => existsSync(join(root, 'active_tasks', one, id)));
    return `active_tasks/${state}/${id}/attempts/${number}`;
  };
  const call = async (...argv: string[]): Promise<string> =>
    (await textHere(['-C', root, ...argv])).text;
  return {
    base,
    root,
    home,
    word,
    write: (path, text) => putFile(join(root, path), text),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    exists: (path) => existsSync(join(root, path)),
    task: (id, head, sh) =>
      putFile(join(root, 'active_tasks', 'ready', id, 'contract.md'), contract(id, head, sh)),
    call,
    step: (...argv) => call('step', ...argv),
    attempt,
    deeds: (id, number) =>
      Object.fromEntries(
        readFileSync(join(root, attempt(id, number), 'desk', 'deeds.txt'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => [line.split(' ')[0], line.endsWith(' yes')]),
      ),
    isAlive: () => program.exitCode === null && program.signalCode === null,
  };
}

function contract(id: string, head: string, sh: string): string {
  return `---
v: 1
title: ${id}
retries_max: 0
${head}
---

# ${id}

## Objective

Do it.

## Success Criteria

- [ ] It is done

## Steps

\`\`\`sh
${sh}
\`\`\`
`;
}
