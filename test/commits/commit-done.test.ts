/** `commit: done`: the built command, real git, a person who works in the same repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
  root,
  useCommitRoom,
  type Killed,
} from '../support/commit-room.ts';

useCommitRoom();

describe('commit: done', () => {
  test('commits the files of the task, and nothing of a dirty tree or index', () => {
    git('config', 'commit.gpgSign', 'true');
    git('config', 'gpg.program', 'false');
    write('.git/hooks/pre-commit', '#!/bin/sh\ntouch hooked\nexit 1\n');
    execFileSync('chmod', ['+x', at('.git/hooks/pre-commit')]);
    write('mine.txt', 'mine, staged\n');
    git('add', 'mine.txt');
    write('mine.txt', 'mine, staged and edited\n');
    write('new of mine.md', 'x\n');
    const before = git('diff', '--cached');
    task('one', 'sed -i s/one/ONE/ a.txt; echo b > b.txt; echo no > not-allowed.md');
    const out = contracts('run');
    expect(out).toContain('committed as');
    expect(git('show', '--format=', '--name-status', 'HEAD')).toBe('M\ta.txt\nA\tb.txt\n');
    expect(git('log', '-1', '--format=%an <%ae> %s%n%(trailers)').trim()).toBe(
      'Ada <ada@example.org> Task one\nContract: one\nAgent: builder\nReceipts: passed run: test -s a.txt',
    );
    expect(git('diff', '--cached')).toBe(before);
    expect(read('mine.txt')).toBe('mine, staged and edited\n');
    expect(status().split('\n').sort().join('\n').trim()).toBe(
      '?? "new of mine.md"\n?? not-allowed.md\nMM mine.txt',
    );
    expect(existsSync(at('hooked'))).toBe(false);
    contracts('run');
    expect(log()).toEqual(['Task one', 'one']);
  });

  test('is off where nothing is configured', () => {
    configure('');
    task('one', 'echo b > b.txt');
    contracts('run');
    expect([isIn('done', 'one'), log()]).toEqual([true, ['one']]);
  });

  test.each([
    ['edited before', () => write('a.txt', 'one\nmine\n'), ''],
    ['staged before', () => (write('a.txt', 'one\nmine\n'), git('add', 'a.txt')), ''],
    ['edited since', () => undefined, 'echo mine >> a.txt'],
  ])('makes no commit of a file that the person %s', (_, first, then) => {
    first();
    task('one', 'echo end >> a.txt', `verify: ["run: true", "run: ${then || 'true'}"]\n`);
    write(
      'active_tasks/ready/one/contract.md',
      `---\ntitle: Task one\nquality_gate: person\nverify: ["run: true"]\n---\n\n## Success Criteria\n\n- [ ] \`run: true\` passes\n\n## Steps\n\n~~~sh\necho end >> a.txt\n~~~\n`,
    );
    contracts('run');
    if (then !== '') execFileSync('sh', ['-c', then], { cwd: at('') });
    const [index, text] = [git('diff', '--cached'), read('a.txt')];
    contracts('approve', 'one');
    const out = contracts('run');
    expect(out).toContain('one is not committed: a.txt also has changes of yours');
    expect([log(), isIn('done', 'one')]).toEqual([['one'], true]);
    expect([git('diff', '--cached'), read('a.txt')]).toEqual([index, text]);
    expect(contracts('run')).not.toContain('not committed');
  });

  test('names the gates that approved', () => {
    task('one', 'echo b > b.txt', 'write: ["*.txt"]\nquality_gate: person\n');
    contracts('run');
    contracts('approve', 'one');
    contracts('run');
    expect(git('log', '-1', '--format=%(trailers:key=Reviewer)').trim()).toBe('Reviewer: person');
  });

  test('makes no commit where another task worked at the same time', () => {
    configure('commit: done\nconflicts: ignore\nparallel: 2\n');
    const wait = 'touch at-$$; while [ "$(ls at-* | wc -l)" -lt 2 ]; do sleep 0.05; done';
    for (const one of ['x', 'y']) task(one, `${wait}; echo ${one} > ${one}.txt; sleep 0.2`);
    const out = contracts('run', '--parallel', '2');
    expect(out).toContain('not committed: x.txt also has changes of yours, or of another task');
    expect(log()).toEqual(['one']);
  });

  test('a crash between the move and the commit: the next step commits once', () => {
    task('one', 'echo b > b.txt');
    contracts('run');
    // As a runner leaves it that dies there: moved, marked, and no commit.
    const before = git('rev-parse', 'HEAD~1').trim();
    git('reset', '-q', '--soft', 'HEAD~1');
    write('.contracts/cache/commits/one', before);
    expect(contracts('step')).toContain('committed as');
    contracts('step');
    expect([log(), status()]).toEqual([['Task one', 'one'], '']);
    // Or as one leaves it that dies behind the commit.
    write('.contracts/cache/commits/one', before);
    write('b.txt', 'edited\n');
    expect(contracts('step')).not.toContain('not committed');
    expect(log()).toEqual(['Task one', 'one']);
  });

  const MARK = '.contracts/cache/commits/one';
  test.each<[string, Killed]>([
    ['before the mark', { path: MARK }],
    ['before the move to done', { path: 'active_tasks/done/one' }],
    ...['read-tree', 'update-index', 'write-tree', 'commit-tree', 'update-ref'].map(
      (git): [string, Killed] => [`behind git ${git}`, { git, since: MARK }],
    ),
    ['behind the change of the index', { git: 'update-index', nth: 2, since: MARK }],
  ])('a runner killed with -9 %s: the next steps make one commit with its trailers', (_, where) => {
    task('one', 'sed -i s/one/ONE/ a.txt; echo b > b.txt');
    write('mine.txt', 'edited\n');
    killed(where, 'run');
    contracts('step');
    contracts('run');
    expect([log(), isIn('done', 'one'), existsSync(at(MARK))]).toEqual([
      ['Task one', 'one'],
      true,
      false,
    ]);
    expect(git('show', '--format=%(trailers)', '--name-status', 'HEAD')).toBe(
      'Contract: one\nAgent: builder\nReceipts: passed run: test -s a.txt\n\n\nM\ta.txt\nA\tb.txt\n',
    );
    expect(status()).toBe(' M mine.txt\n');
  });

  test("an agent's own commit is left as it is, and only the rest is committed", () => {
    const own = 'git add b.txt; git -c user.name=g -c user.email=g@localhost commit -qm own b.txt';
    task('one', `echo b > b.txt; ${own}; echo c > c.txt`);
    contracts('run');
    expect(log()).toEqual(['Task one', 'own', 'one']);
    expect(git('show', '--format=', '--name-only', 'HEAD')).toBe('c.txt\n');
  });

  test('works where the workspace is below the top of the repository', () => {
    renameSync(at(''), join(root, 'below'));
    mkdirSync(at(''));
    renameSync(join(root, 'below'), at('below'));
    renameSync(at('below/.git'), at('.git'));
    for (const one of ['active_tasks', '.contracts'])
      rmSync(at(`below/${one}`), { recursive: true });
    git('add', '-A');
    git('commit', '-qm', 'below');
    task('one', 'echo b > b.txt');
    mkdirSync(at('below/active_tasks'), { recursive: true });
    renameSync(at('active_tasks/ready'), at('below/active_tasks/ready'));
    rmSync(at('active_tasks'), { recursive: true });
    contracts('-C', 'below', 'init');
    write('below/.contracts/config.yaml', 'commit: done\n');
    contracts('-C', 'below', 'run');
    expect(git('show', '--format=%s', '--name-only', 'HEAD')).toBe('Task one\n\nbelow/b.txt\n');
  });
});

test('killed with -9 before the move to done: pull request and merge have the receipts of that review', () => {
  configure('isolation: worktree\n');
  write('.gitignore', 'made/\n');
  git('add', '.gitignore');
  git('commit', '-qm', 'ignore');
  task('one', 'echo b > b.txt; mkdir made; echo m > made/m.txt', 'write: ["**"]\n');
  killed({ path: 'active_tasks/done/one' }, 'run');
  contracts('run');
  expect(contracts('merge', 'one', '--pr', '--yes')).toContain('there is no remote named origin');
  const body = read('active_tasks/done/one/attempts/0003/pull-request.md');
  expect(body).toContain('## Receipts\n\n- [x] run: test -s a.txt');
  // The only copy of a file that the checks passed with is kept.
  expect(contracts('merge', 'one', '--yes')).toContain(
    'made/ is ignored by git, the checks passed with it, and it exists only in',
  );
  expect(read('b.txt')).toBe('b\n');
});

test('a merge commit has the trailers of its task', () => {
  configure('isolation: worktree\n');
  task('one', 'echo b > b.txt');
  contracts('run');
  write('mine.txt', 'later\n');
  git('commit', '-qam', 'later');
  contracts('merge', 'one', '--yes');
  expect(git('log', '-1', '--format=%P%n%(trailers)').trim()).toMatch(
    /^\S+ \S+\nContract: one\nAgent: builder\nReceipts: passed run: test -s a.txt$/,
  );
});
