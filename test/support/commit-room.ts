/** A repository whose tasks are committed when they are done, for the built command. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect } from 'vitest';
import { contractsIn } from './binary.ts';
import { putFile, sealedEnv, sealedFolder } from './sealed-folder.ts';

const SWITCH = fileURLToPath(new URL('killed-at.cjs', import.meta.url));

export let root: string;
/** Call it once at the top of a test file. */
export function useCommitRoom(): void {
  beforeEach(() => {
    root = sealedFolder('commit');
    mkdirSync(join(root, 'home'));
    mkdirSync(join(root, 'w'));
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    write('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    write('mine.txt', 'mine\n');
    git('add', '-A');
    git('commit', '-qm', 'one');
    write('.git/info/exclude', 'active_tasks/\n.contracts/\nLEDGER.md\nAGENTS.md\nCLAUDE.md\n');
    contracts('init');
    configure('commit: done\n');
  });
}

export const at = (path: string): string => join(root, 'w', path);
export const read = (path: string): string => readFileSync(at(path), 'utf8');
export const write = (path: string, text: string): void => putFile(at(path), text);
const env = () => ({
  ...sealedEnv(),
  HOME: join(root, 'home'),
  XDG_STATE_HOME: join(root, 'state'),
  CONTRACTS_TRUST: '1',
  CONTRACTS_SANDBOX: 'none',
  GIT_CONFIG_NOSYSTEM: '1',
});
export const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: at(''), env: env(), encoding: 'utf8' });
const call = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  contractsIn(at(''), argv, { env: { ...env(), ...more } });
export function contracts(...argv: string[]): string {
  const { stdout, stderr } = call(argv);
  return `${stdout}${stderr}`.replace(/\s+/g, ' ');
}

/** Where the command is killed with -9: in place of a change of that path, or behind the nth call of a git command. */
export type Killed =
  | { readonly path: string }
  | { readonly git: string; readonly nth?: number; readonly since?: string };

/** `since`: only calls count that are made once this path is there. */
export function killed(where: Killed, ...argv: string[]): void {
  const { signal, stderr } = call(
    argv,
    'path' in where ? killedOnDisk(where.path) : killedByGit(where),
  );
  expect(signal, stderr).toBe('SIGKILL');
}
const killedOnDisk = (path: string) => ({
  NODE_OPTIONS: `--require ${SWITCH}`,
  CONTRACTS_TEST_KILLED_AT: '0',
  CONTRACTS_TEST_KILLED_OF: at(path),
});
/** The real git in a script that kills its caller. */
function killedByGit({ git: command, nth = 1, since = '' }: Exclude<Killed, { path: string }>) {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const counted = join(root, 'calls');
  const lines = [
    '#!/bin/sh',
    `case " $* " in *" ${command} "*) [ -e '${at(since)}' ] && echo x >> '${counted}'; esac`,
    `if [ "$(cat '${counted}' 2>/dev/null | wc -l)" -ne ${nth} ]; then exec '${real}' "$@"; fi`,
    `'${real}' "$@"`,
    'kill -9 $PPID',
  ];
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/git'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return { PATH: `${join(root, 'bin')}:${process.env['PATH']}` };
}
export function configure(more: string): void {
  write('.contracts/config.yaml', `v: 1\n${more}`);
}
/** `script` is what a shell does. */
export function task(id: string, script: string, head = 'write: ["*.txt"]\n'): void {
  write(
    `active_tasks/ready/${id}/contract.md`,
    `---\ntitle: Task ${id}\nverify: ["run: test -s a.txt"]\n${head}---\n\n## Success Criteria\n\n- [ ] \`run: test -s a.txt\` passes\n\n## Steps\n\n~~~sh\n${script}\n~~~\n`,
  );
}
export const log = (): string[] => git('log', '--format=%s').trim().split('\n');
export const status = (): string => git('status', '--porcelain');
export const isIn = (state: string, id: string): boolean =>
  existsSync(at(`active_tasks/${state}/${id}`));
