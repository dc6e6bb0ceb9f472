/**
 * A home with one project in it, anew for each test of the file that imports this, and the built command
 * in it as in a shell of a person: without CONTRACTS_TRUST.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { STATES } from '../../src/task/core/model/state.ts';
import { BINARY } from '../support/binary.ts';
import { putFile, sealedEnv, sealedFolder } from '../support/sealed-folder.ts';
import { shellContract } from './house.ts';

export let base = '';
export let home = '';
export let root = '';
beforeEach(() => {
  base = sealedFolder('trust');
  home = join(base, 'home');
  root = join(home, 'clone');
  mkdirSync(root, { recursive: true });
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('LEFT OUT: files of other users, because only root can make them');
/** Gives files to another user. */
export const asRoot = test.runIf(isRoot);

export const write = (path: string, text: string, at = root): void => putFile(join(at, path), text);

type Environment = Readonly<Record<string, string>>;

export function said(argv: readonly string[], env: Environment = {}, cwd = root) {
  const line = [process.execPath, BINARY, ...argv];
  // An editor opens only where a terminal is.
  const [program = '', ...rest] = argv[0] === 'edit' ? atTerminal(line) : line;
  const ran = spawnSync(program, rest, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...sealedEnv(),
      HOME: home,
      CONTRACTS_SANDBOX: 'none',
      SECRET_KEY: 'not-for-you',
      ...env,
    },
    input: '',
    timeout: 60_000,
  });
  return { code: ran.status, text: ran.stdout + ran.stderr };
}

export const git = (cwd: string, ...argv: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...argv], {
    cwd,
    encoding: 'utf8',
    env: { ...sealedEnv(), HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

export const CONFIG = 'adapters:\n  own: { type: command, run: [prog] }\n';

const asksNow = (at: string, env: Environment): boolean =>
  /contracts trust/.test(said(['step'], env, at).text);

/** Whether a step asks before it starts something: there is a task for an agent. */
export function isAsked(at = root, env: Environment = {}): boolean {
  write('active_tasks/ready/asked/contract.md', shellContract('asked'), at);
  const is = asksNow(at, env);
  for (const state of STATES)
    rmSync(join(at, 'active_tasks', state, 'asked'), { recursive: true, force: true });
  return is;
}

export function ownClone(): void {
  expect(said(['init']).code).toBe(0);
  write('.contracts/config.yaml', CONFIG);
  git(root, 'init', '-q');
  expect(said(['trust']).text).toContain('Trusted.');
  expect(isAsked()).toBe(false);
}
