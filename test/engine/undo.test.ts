/** `undo` of commits and merges: the built command, real git, a person who works in the same repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BINARY } from '../support/binary.ts';

let root: string;
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

const at = (path: string): string => join(root, 'w', path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
function write(path: string, text: string): void {
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
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: at(''), env: env(), encoding: 'utf8' });
function contracts(...argv: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
    cwd: at(''),
    env: env(),
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`.replace(/\s+/g, ' ');
}
function configure(more: string): void {
  write('.contracts/config.yaml', `v: 1\n${more}`);
}
/** `script` is what a shell does. */
function task(id: string, script: string, head = 'write: ["*.txt"]\n'): void {
  write(
    `active_tasks/ready/${id}/contract.md`,
    `---\ntitle: Task ${id}\nverify: ["run: test -s a.txt"]\n${head}---\n\n## Success Criteria\n\n- [ ] \`run: test -s a.txt\` passes\n\n## Steps\n\n~~~sh\n${script}\n~~~\n`,
  );
}
const log = (): string[] => git('log', '--format=%s').trim().split('\n');
const status = (): string => git('status', '--porcelain');
const isIn = (state: string, id: string): boolean => existsSync(at(`active_tasks/${state}/${id}`));

describe('undo', () => {
  test('takes a commit back beside a dirty tree, and the task can be done again', () => {
    task('one', 'echo b > b.txt; sed -i s/one/ONE/ a.txt');
    contracts('run');
    write('mine.txt', 'edited\n');
    write('other.txt', 'staged\n');
    git('add', 'other.txt');
    expect(contracts('undo', 'one')).toContain('done → aborted');
    expect(log()).toEqual(['Revert "Task one"', 'Task one', 'one']);
    expect([existsSync(at('b.txt')), read('a.txt').slice(0, 3)]).toEqual([false, 'one']);
    expect(status()).toBe(' M mine.txt\nA  other.txt\n');
    contracts('reopen', 'one');
    contracts('run');
    expect(log()[0]).toBe('Task one');
    expect(contracts('undo', 'one')).toContain('done → aborted');
    expect([log().length, existsSync(at('b.txt'))]).toEqual([5, false]);
  });

  test('refuses a dirty file, later work on the same lines, and a task without a commit', () => {
    task('one', 'sed -i s/one/ONE/ a.txt');
    contracts('run');
    write('a.txt', `${read('a.txt')}more\n`);
    expect(contracts('undo', 'one')).toContain('not taken back: changes are not committed: a.txt');
    git('checkout', '-q', 'a.txt');
    task('two', 'sed -i s/ONE/uno/ a.txt');
    contracts('run');
    const before = [log(), read('a.txt'), status()];
    expect(contracts('undo', 'one')).toContain('not taken back: later commits changed a.txt');
    expect([log(), read('a.txt'), status()]).toEqual(before);
    contracts('undo', 'two');
    expect(contracts('undo', 'one')).toContain('done → aborted');
    expect(read('a.txt')).toContain('one\n');
    configure('');
    task('three', 'echo c > c.txt');
    contracts('run');
    expect(contracts('undo', 'three')).toContain('main has no commit of it');
    expect(isIn('done', 'three')).toBe(true);
  });

  test('a crash between the revert and the move: undo again only moves the task', () => {
    task('one', 'echo b > b.txt');
    contracts('run');
    contracts('undo', 'one');
    renameSync(at('active_tasks/aborted/one'), at('active_tasks/done/one'));
    expect(contracts('undo', 'one')).toContain('taken back already');
    expect([log().length, isIn('aborted', 'one')]).toEqual([3, true]);
  });

  test.each(['fast_forward', 'merge'])('takes a merged worktree back: %s', (how) => {
    configure('isolation: worktree\n');
    task('one', 'echo b > b.txt; sed -i s/one/ONE/ a.txt');
    contracts('run');
    if (how === 'merge') {
      write('mine.txt', 'later\n');
      git('commit', '-qam', 'later');
    }
    contracts('merge', 'one', '--yes');
    expect(existsSync(at('b.txt'))).toBe(true);
    expect(contracts('undo', 'one')).toContain('done → aborted');
    expect(git('diff', 'HEAD', 'HEAD~1^1')).toBe('');
    expect(status()).toBe('');
  });
});
