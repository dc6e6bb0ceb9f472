/**
 * The checks of the tasks of a merge, on the tree that it would give, in a worktree of its own: nothing is
 * moved. What an interrupted merge left of that worktree, the next one removes.
 */
import { join } from 'node:path';
import { Fault, ok, type Result } from '../../task/core/model/problem.ts';
import type { Receipt } from '../../task/core/attempts/record.ts';
import type { Context, Emit } from '../../workspace/tasks/attempt-context.ts';
import { prepare, type Checkout } from '../../worktrees/engine/checkout.ts';
import { placeOf } from '../../worktrees/engine/place.ts';
import { workdirOf } from '../../worktrees/engine/workdir-record.ts';
import { makeTree } from '../../worktrees/engine/worktree.ts';
import { removeTree } from '../../task/store/disk/disk.ts';
import { runChecks } from '../verify/run-checks.ts';
import { prepareTree } from '../work/prepare-tree.ts';
import { endedAttempt } from './clean-up.ts';
import { halve, type Left } from './halve.ts';
import { lockMerge } from './merge-lock.ts';
import type { Mergeable } from './merge-task.ts';

/** No task can have this name. */
const NAME = '_merged';

export type NotMerged = Mergeable & { readonly reason: string };

interface Failure {
  readonly of: string;
  readonly receipt: Receipt;
}

/** `passed` pass together. `head`: where the branch is. After Ctrl-C the result means nothing. */
export async function checkMerged(
  context: Context,
  checkout: Checkout,
  tasks: readonly Mergeable[],
  head: string,
): Promise<Result<{ readonly passed: readonly Mergeable[]; readonly left: readonly NotMerged[] }>> {
  const lock = lockMerge(context.ws, checkout);
  if (!lock.ok) return lock;
  const { git } = checkout;
  let round = 0;
  const among =
    tasks.length > 1
      ? ` with all ${tasks.length} merged; smaller groups are checked next`
      : ' on the merged tree';
  // The first round shows what fails; the others find out with which tasks.
  const emit: Emit = (event) => {
    if (round > 1) return;
    const failed = event.event === 'checked' && !event.passed;
    context.emit(failed ? { ...event, reason: `${event.reason}${among}` } : event);
  };
  const fails = async (some: readonly Mergeable[]): Promise<Failure | undefined> => {
    round += 1;
    let tip = head;
    for (const task of some) {
      if (git.commitOf(task.commit) === undefined || git.holds(task.commit, tip)) continue;
      const joined = prepare(checkout, task, tip);
      // One in conflict with those before it goes to blocked when its turn comes.
      if ('to' in joined) tip = joined.to;
    }
    const inside = some.filter(({ commit }) => git.holds(commit, tip) && !git.holds(commit, head));
    // Verified as it is: the receipts are of this commit.
    const isVerified = inside.every(({ commit, approved }) => commit === tip && approved);
    if (context.signal.aborted || isVerified) return undefined;
    return runAll({ ...context, emit }, checkout, inside, tip);
  };
  try {
    const needs = (task: Mergeable, other: Mergeable) => git.holds(other.commit, task.commit);
    const { passed, left } = await halve(tasks, fails, needs);
    return ok({ passed, left: left.map((one) => ({ ...one.task, reason: reasonOf(one) })) });
  } finally {
    lock.value();
  }
}

async function runAll(
  context: Context,
  checkout: Checkout,
  tasks: readonly Mergeable[],
  base: string,
): Promise<Failure | undefined> {
  const { ws, signal } = context;
  const { repo, branch } = checkout;
  drop(context, checkout);
  try {
    const tree = makeTree(ws, repo, NAME, base);
    const workdir = workdirOf(repo, tree, { v: 1, branch, base, files: [] });
    for (const { id } of tasks) {
      const running = endedAttempt(context, id);
      const contract = running?.contract;
      if (running === undefined || contract === undefined) continue;
      await prepareTree(running, workdir);
      const receipts = await runChecks(running, contract.checks, { contract, workdir });
      if (signal.aborted) return undefined;
      const receipt = receipts.find(({ passed }) => !passed);
      if (receipt !== undefined) return { of: id, receipt };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const fix = `${error.fix}. To merge without these checks: contracts merge --no-check`;
    const why = `nothing is merged, its tree was not checked: ${error.message}`;
    throw new Fault(error.fault, why, { fix });
  } finally {
    drop(context, checkout);
  }
}

/** A new one each time: what the checks of another selection built proves nothing. */
function drop({ ws }: Context, { git }: Checkout): void {
  const folder = join(placeOf(ws), NAME);
  const remove = ['worktree', 'remove', '--force', '--force', folder];
  if (git.run(remove).code === 0 || ws.disk.stat(folder) === undefined) return;
  removeTree(ws.disk, folder);
  git.run(remove);
}

function reasonOf({ task, failure, together, needs }: Left<Mergeable, Failure>): string {
  if (needs !== undefined) return `it is built on ${needs.id}, which is not merged`;
  const { of, receipt } = failure;
  const what = `\`${receipt.check}\` of ${of} fails on the merged tree (${receipt.reason}). See contracts logs ${of}`;
  if (together.length === 0) return what;
  const names = [...together, task].map(({ id }) => id).join(' and ');
  return `${names} pass apart and fail together: ${what}`;
}
