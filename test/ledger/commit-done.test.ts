/** `commit: done` and `diff` leave the ledger out where git does not ignore it: the built command, real git. */
import { expect, test } from 'vitest';
import {
  contracts,
  git,
  read,
  status,
  task,
  useCommitRoom,
  write,
} from '../support/commit-room.ts';

useCommitRoom();

test.each([false, true])('no commit of a task has the ledger in it; in git: %s', (is_tracked) => {
  write('.git/info/exclude', 'active_tasks/\n.contracts/\nAGENTS.md\nCLAUDE.md\n');
  task('one', 'echo one > one.txt', 'write: ["**"]\n');
  expect(contracts('run')).toContain('committed as');
  if (is_tracked) {
    git('add', 'LEDGER.md');
    git('commit', '-qm', 'the ledger');
  }
  // While it works another step writes the ledger.
  const other = 'sed s/Tasks/Task/ LEDGER.md > new; mv new LEDGER.md; echo two > two.txt';
  task('two', other, 'write: ["**"]\n');
  expect(contracts('run')).toContain('committed as');
  expect(git('show', '--format=', '--name-status', 'HEAD')).toBe('A\ttwo.txt\n');
  expect(contracts('diff', 'two')).not.toContain('LEDGER');
  expect(read('LEDGER.md')).toContain('- Tasks: 2 done');
  expect(status()).toBe(is_tracked ? ' M LEDGER.md\n' : '?? LEDGER.md\n');
});
