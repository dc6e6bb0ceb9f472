/**
 * Checks as they were before the first call of this round of work, in `before.md` of that attempt: one that
 * passed then proves nothing new, and one that failed is named in the brief.
 */
import { roundStart } from '../../task/core/attempts/counters.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import { factsOf, type Contract } from '../../task/core/model/contract.ts';
import { put } from '../../task/store/disk/put.ts';
import { fingerprint, snapshot } from '../../task/store/snapshots/fingerprint.ts';
import { attemptFolder } from '../../task/store/tasks/layout.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { atPlace, bytesOf, type Running } from '../../workspace/tasks/attempt-context.ts';
import { putAt } from '../../worktrees/engine/worktree.ts';
import { layoutOn, type Workdir } from '../../worktrees/engine/workdir.ts';
import { guardChecks } from '../call/guarded-call.ts';
import { leftToReview, runChecks } from './run-checks.ts';

/** Returns what the checks changed outside the permissions. Leaves no record when Ctrl-C cuts it short. */
export async function checkBeforeWork(running: Running, contract: Contract, workdir: Workdir) {
  const { ws, task, number } = running;
  const from = roundStart(task.attempts);
  const begun = task.attempts.some(
    ({ number, agent, outcome }) =>
      number > from && (agent ?? outcome?.seconds ?? outcome?.exit_code) !== undefined,
  );
  if (begun || contract.checks.length === 0) return [];
  const { worktree } = workdir;
  const how = ['status', '--porcelain=v1', '-z', '--untracked-files=all'];
  const isClean = worktree?.git.list(how).length === 0;
  const around = guardChecks(running, contract, contract.checks, workdir);
  const options = { contract, workdir, log: 'before.log' };
  const receipts: Receipt[] = [];
  for (const check of contract.checks.filter((one) => factsOf(one).before !== 'not looked at')) {
    const run = runChecks({ ...running, emit: () => undefined }, [check], options);
    receipts.push(...((await run.catch(leftToReview)) ?? []));
  }
  const noticed = around();
  // The work is committed whole: what a check creates must not be in it.
  if (isClean && worktree !== undefined) putAt(ws, worktree, worktree.base);
  if (running.signal.aborted) return noticed;
  // After they ran: what they wrote themselves is no work.
  const tree = fingerprint(snapshot(ws.disk, layoutOn(running, workdir)));
  const record = { v: 1, contract: running.owner.contract, tree, receipts };
  atPlace(running, ({ folder }) => {
    const attempt = attemptFolder(folder, number);
    const text = renderRecord(record, '# Checks before the first call\n');
    put(ws.putting, `${attempt}/before.md`, bytesOf(text));
    // With that record of a process beside it, a living agent would be judged by its dead check.
    for (const path of [`${attempt}/check.md`, `${attempt}/${options.log}`])
      if (ws.disk.stat(path) !== undefined) ws.disk.remove(path);
  });
  return noticed;
}
