/** A repository whose tasks are committed when they are done, for the built command. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { BINARY } from './binary.ts';

export let root: string;
/** Call it once at the top of a test file. */
export function useCommitRoom(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'contracts-commit-'));
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
  afterEach(() => rmSync(root, { recursive: true, force: true }));
}

export const at = (path: string): string => join(root, 'w', path);
export const read = (path: string): string => readFileSync(at(path), 'utf8');
export function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
const env = () => ({
  PATH: process.env['PATH'],
  HOME: join(root, 'home'),
  XDG_STATE_HOME: join(root, 'state'),
  CONTRACTS_TRUST: '1',
  CONTRACTS_SANDBOX: 'none',
  GIT_CONFIG_NOSYSTEM: '1',
});
export const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: at(''), env: env(), encoding: 'utf8' });
export function contracts(...argv: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    cwd: at(''),
    env: env(),
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.replace(/\s+/g, ' ');
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
