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
import { lockMerge } from './merge-lock.ts';
import type { Mergeable } from './merge-task.ts';

/** No task can have this name. */
const NAME = '_merged';

export type NotMerged = Mergeable & { readonly reason: string };

interface Failure {
  readonly of: string;
  readonly receipt: Receipt;
}

/**
 * `passed` pass together. `head`: where the branch is. `checking`: told before the checks of some run.
 * After Ctrl-C the result means nothing.
 */
export async function checkMerged(
  context: Context,
  checkout: Checkout,
  tasks: readonly Mergeable[],
  head: string,
  checking: (some: readonly Mergeable[]) => void,
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
    checking(inside);
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

interface Left<T, F> {
  readonly task: T;
  readonly failure: F;
  /** Tasks that pass apart from the task and fail together with it; empty where it fails alone. */
  readonly together: readonly T[];
  /** The one that was left out, without which it cannot be merged. */
  readonly needs?: T;
}

/** `passed` pass together, in the given order. `fails` is asked once for each selection; `needs`: whether the first brings the second along. */
export async function halve<T extends { readonly id: string }, F>(
  all: readonly T[],
  fails: (some: readonly T[]) => Promise<F | undefined>,
  needs: (task: T, other: T) => boolean,
): Promise<{ readonly passed: readonly T[]; readonly left: readonly Left<T, F>[] }> {
  const known = new Map<string, F | undefined>();
  const left: Left<T, F>[] = [];
  const failure = async (some: readonly T[]): Promise<F | undefined> => {
    const key = some.map(({ id }) => id).join(' ');
    if (!known.has(key)) known.set(key, await fails(some));
    return known.get(key);
  };
  const isFree = (task: T): boolean => {
    const other = left.find((one) => needs(task, one.task));
    if (other !== undefined) left.push({ ...other, task, together: [], needs: other.task });
    return other === undefined;
  };
  const add = async (base: readonly T[], given: readonly T[]): Promise<readonly T[]> => {
    const more = given.filter(isFree);
    const [first] = more;
    const why = first && (await failure([...base, ...more]));
    if (first === undefined || why === undefined) return [...base, ...more];
    if (more.length > 1) {
      const [some, rest] = inHalves(more);
      return add(await add(base, some), rest);
    }
    const alone = base.length === 0 ? why : await failure([first]);
    const among = alone === undefined ? base : [];
    left.push(await partners(among, first, alone ?? why));
    return base;
  };
  const partners = async (together: readonly T[], task: T, why: F): Promise<Left<T, F>> => {
    for (const half of together.length > 1 ? inHalves(together) : []) {
      const found = await failure([...half, task]);
      if (found !== undefined) return partners(half, task, found);
    }
    return { task, failure: why, together };
  };
  return { passed: await add([], all), left };
}

function inHalves<T>(all: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
