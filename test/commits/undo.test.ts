/** `undo` of commits and merges: the built command, real git, a person who works in the same repository. */
import { existsSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  at,
  configure,
  contracts,
  git,
  isIn,
  killed,
  log,
  read,
  status,
  task,
  write,
  useCommitRoom,
  type Killed,
} from '../support/commit-room.ts';

useCommitRoom();

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
    contracts('retry', 'one', '--again');
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

  test.each<[string, Killed]>([
    ['behind git commit-tree', { git: 'commit-tree' }],
    ['behind the last git commit-tree', { git: 'commit-tree', nth: 3 }],
    ['behind git merge', { git: 'merge' }],
    ['before the move to aborted', { path: 'active_tasks/aborted/one' }],
  ])('killed with -9 %s: undo again makes one revert in all', (_, where) => {
    task('one', 'echo b > b.txt; sed -i s/one/ONE/ a.txt');
    contracts('run');
    write('mine.txt', 'edited\n');
    killed(where, 'undo', 'one');
    expect(isIn('done', 'one')).toBe(true);
    expect(contracts('undo', 'one')).toContain('done → aborted');
    expect(log()).toEqual(['Revert "Task one"', 'Task one', 'one']);
    expect(git('diff', 'HEAD', 'HEAD~2')).toBe('');
    expect([status(), isIn('aborted', 'one')]).toEqual([' M mine.txt\n', true]);
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
