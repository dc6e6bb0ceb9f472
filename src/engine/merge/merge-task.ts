/**
 * `merge`: takes verified work from worktrees into the branch of the main checkout, dependencies first.
 * Only the commit of an outcome is merged, and only of a task that is done. A conflict leaves the checkout
 * as it was and blocks the task.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { basename, join } from 'node:path';
import { checkName } from '../../task/core/model/contract.ts';
import { inOrder } from '../../task/core/base/expand-order.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { isFirst, noticedIn } from '../../task/core/attempts/noticed.ts';
import { lastEnded } from '../../task/core/attempts/counters.ts';
import { openAttempt } from '../../task/core/attempts/open-attempt.ts';
import type { State } from '../../task/core/model/state.ts';
import { transition } from '../../task/core/model/transitions.ts';
import { shown } from '../../task/store/tasks/layout.ts';
import { put } from '../../task/store/disk/put.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { isTaskId } from '../../task/core/model/id.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { renderBlocked } from '../attempt/blocked-file.ts';
import { whyUntrusted } from '../../trust/trust.ts';
import { notifyState } from '../attempt/notify.ts';
import { readContract } from '../../workspace/tasks/read-contract.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import {
  checkoutOf,
  forward,
  hindrance,
  noBranch,
  prepare,
  type Checkout,
} from '../../worktrees/engine/checkout.ts';
import { conflictMessage, writeConflict } from '../../worktrees/engine/conflict.ts';
import { mergeAtWork, mergingAlone } from './merge-lock.ts';
import { unheldWork, type Unheld } from './unheld-work.ts';
import { removeMerged } from '../../worktrees/engine/remove.ts';
import { mainName, recordOf } from '../../worktrees/engine/start-attempt.ts';
import { trailersOf } from '../../worktrees/engine/trailers.ts';
import { branchOf, treesOf } from '../../worktrees/engine/worktree.ts';
import { folderOf, verifiedCommit, type Verified } from '../../worktrees/engine/verified-commit.ts';

export interface Mergeable extends Verified {
  readonly title: string;
  readonly objective: string;
  readonly trailers: string;
  readonly depends_on: readonly string[];
  readonly deliverables: readonly string[];
  readonly checks: readonly string[];
  /** Files that it wrote and that run by themselves, a line each. */
  readonly noticed: readonly string[];
}

export interface Merging {
  readonly checkout: Checkout;
  /** Dependencies first. */
  readonly tasks: readonly Mergeable[];
  /** Without ids: other done work that is in no branch of the person. */
  readonly left?: readonly Unheld[];
}

/** Without ids all that is done and has a worktree. `pr`: the checkout is not touched. */
export function planMerge(ws: Workspace, ids: readonly string[], pr?: boolean): Result<Merging> {
  const distrusted = whyUntrusted(ws);
  if (distrusted !== undefined) return refused([distrusted]);
  const none = noBranch(ws, ids);
  if (none !== undefined) return refused([none]);
  const checkout = checkoutOf(ws);
  const other = mergeAtWork(ws, checkout.repo);
  if (other !== undefined) return refused([other]);
  const wanted = ids.length > 0 ? ids : withWork(ws, checkout);
  const found = wanted.map((id) => mergeable(ws, id, ids.length > 0));
  const left = found.flatMap((one) => (one.ok ? [] : one.problems));
  if (ids.length > 0 && left.length > 0) return refused(left);
  const sorted = sortedOf(found.flatMap((one) => (one.ok ? one.value : [])));
  const unmerged = sorted.filter(({ commit }) => !checkout.git.holds(commit, 'HEAD'));
  const early = unmerged.flatMap((task) => builtOnUndone(ws, checkout, task, unmerged));
  if (early.length > 0) return refused(early);
  const why = pr === true || unmerged.length === 0 ? undefined : hindrance(ws, checkout, unmerged);
  const merging = { checkout, tasks: sorted };
  if (why === undefined)
    return ok(ids.length > 0 ? merging : { ...merging, left: unheldWork(ws, merging) });
  return refused([
    mergeAtWork(ws, checkout.repo) ?? inTheWay(`nothing can be merged: ${why.why}`, why.fix),
  ]);
}

/** A branch, or a worktree: the folder of worktrees may be gone, and the work is in its commits. */
function withWork(ws: Workspace, { git, repo }: Checkout): readonly string[] {
  const how = ['--format=%(refname:lstrip=3)', 'refs/heads/contracts/'];
  const branches = git.out(['for-each-ref', ...how]);
  const trees = treesOf(ws, repo).map(({ folder }) => basename(folder));
  return [...new Set([...branches.split('\n'), ...trees])].filter(isTaskId);
}

function mergeable(ws: Workspace, id: string, by_name: boolean): Result<Mergeable> {
  const found = folderOf(ws, id);
  const refuse = (message: string, fix = `contracts show ${id}`): Result<never> =>
    refused({
      code: 'bad_value',
      file: found === undefined ? id : shown(ws.layout, found.folder),
      message,
      fix,
    });
  if (found === undefined) return refuse(`there is no task ${id}`, 'contracts list --all');
  const { state, folder } = found;
  if (!hasEnded(state)) return refuse(`${id} is in ${state}: only what is done is merged`);
  const task = state === 'done' ? readTask(ws, state, id) : undefined;
  if (task !== undefined && openAttempt(task) !== undefined)
    return refuse(`an attempt of ${id} is still open`, 'contracts step');
  const verified = verifiedCommit(ws, id, folder);
  if (verified === undefined) {
    return refuse(
      `the last work on ${id} left no commit: it was not done in a worktree, or outside its permissions`,
    );
  }
  const read = readContract(ws, folder, id).contract;
  const { attempts } = readAttempts(ws, folder, id);
  const { code, reason = '' } = lastEnded(attempts, 'work')?.outcome ?? {};
  if (code === 'git_cannot_take')
    return refuse(
      `the commit of ${id} is a part of its work: ${reason}`,
      `contracts retry ${id} --again`,
    );
  // A decision is no work: its commit only joins what it looked at.
  const isDecision = kindOf(ws, read.ok ? read.value : undefined).decision !== undefined;
  const isJoined = isDecision && attempts.every(({ outcome }) => !outcome?.changed.length);
  if (!verified.approved && !isJoined && !by_name) {
    return refuse(
      `${id} is done by hand and was not verified`,
      `Name it, if it is meant: contracts merge ${id}`,
    );
  }
  const { title = id, objective = '', head, checks: all = [] } = read.ok ? read.value : {};
  const { depends_on = [], deliverables = [] } = head ?? {};
  const checks = all.map(checkName);
  const noticed = noticedIn(attempts).filter(isFirst);
  const trailers = trailersOf(ws, id, folder, attempts);
  return ok({ ...verified, title, objective, trailers, depends_on, deliverables, checks, noticed });
}

function hasEnded(state: State | 'archived'): boolean {
  return state === 'done' || state === 'archived';
}

/** Dependencies first, else by id. */
function sortedOf(tasks: readonly Mergeable[]): readonly Mergeable[] {
  const byId = new Map(
    tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((one) => [one.id, one]),
  );
  const needs = new Map([...byId].map(([id, { depends_on }]) => [id, depends_on]));
  return inOrder(needs).order.flatMap((id) => byId.get(id) ?? []);
}

/** A task that began with another branch brings it along: its task must be done as well. */
function builtOnUndone(
  ws: Workspace,
  { git }: Checkout,
  task: Mergeable,
  all: readonly Mergeable[],
): readonly Problem[] {
  return task.depends_on.flatMap((id) => {
    if (all.some((other) => other.id === id)) return [];
    const found = folderOf(ws, id);
    const other = found === undefined ? undefined : verifiedCommit(ws, id, found.folder);
    if (found === undefined || other === undefined || git.commitOf(other.commit) === undefined)
      return [];
    if (git.holds(other.commit, 'HEAD') || !git.holds(other.commit, task.commit)) return [];
    const file = shown(ws.layout, task.folder);
    const [why, fix] = hasEnded(found.state)
      ? ['which is not merged', `contracts merge ${id} ${task.id}`]
      : [`and ${id} is in ${found.state}`, `Let ${id} come to done first: contracts show ${id}`];
    const message = `${task.id} is built on ${other.branch}, ${why}`;
    return problem({ code: 'unknown_dependency', file, message, fix });
  });
}

export type Merged =
  | Pick<LineData<'merged'>, 'how' | 'commit' | 'removed' | 'kept'>
  | ({ readonly how: 'conflict' } & Pick<LineData<'merge_conflict'>, 'reason' | 'moved'>);

/** One task into the checkout, or into `blocked`; refused where something is in its way, or HEAD is not `from` or on another branch. */
export function mergeTask(ws: Workspace, checkout: Checkout, task: Mergeable, from?: string) {
  return mergingAlone(ws, checkout, () => {
    const { git, branch } = checkout;
    // While checks run a person may switch to another branch, even at the same commit.
    const isHere = mainName(git) === branch;
    if (isHere && (from === undefined || git.out(['rev-parse', 'HEAD']) === from))
      return merge(ws, checkout, task);
    const what = isHere ? 'was moved just now' : 'is no longer checked out';
    const fix = 'Merge again: the checks run on the tree as it is now';
    return refused([inTheWay(`${task.id} is not merged: ${branch} ${what}`, fix)]);
  });
}

function merge(ws: Workspace, checkout: Checkout, task: Mergeable): Result<Merged> {
  const { git } = checkout;
  if (git.commitOf(task.commit) === undefined) {
    const reason = `the commit ${task.commit} is not in this repository`;
    return ok({ how: 'conflict', reason, moved: false });
  }
  const already = git.holds(task.commit, 'HEAD');
  const prepared = already ? undefined : prepare(checkout, task);
  if (prepared !== undefined && 'files' in prepared)
    return ok(block(ws, checkout, task, prepared.files));
  const why = prepared === undefined ? undefined : forward(checkout, prepared);
  if (why !== undefined) {
    return refused([inTheWay(`${task.id} is not merged: ${why.why}`, why.fix)]);
  }
  const { removed, why: kept } = removeMerged(ws, checkout, task.id, task);
  // Others may have committed since then.
  const commit = prepared?.to ?? git.out(['rev-parse', 'HEAD']);
  return ok({ how: prepared?.how ?? 'already', commit, removed, kept });
}

function inTheWay(message: string, fix: string): Problem {
  return problem({ code: 'environment', file: '.', message, fix });
}

function block(
  ws: Workspace,
  { git, branch }: Checkout,
  verified: Mergeable,
  files: readonly string[],
): Merged {
  const { id, folder, commit, newest } = verified;
  const head = git.out(['rev-parse', 'HEAD']);
  const sides = { ours: { name: branchOf(id), commit }, theirs: { name: branch, commit: head } };
  const conflict = recordOf(git, { ...sides, files, tree: '' }, true);
  const reason = conflictMessage(conflict);
  const task = readTask(ws, 'done', id);
  const to = transition('done', 'merge_conflict');
  if (task === undefined || to === undefined) return { how: 'conflict', reason, moved: false };
  writeConflict(ws, newest, conflict);
  const text = renderBlocked(ws, task, reason, folder);
  put(ws.putting, join(folder, 'blocked.md'), Buffer.from(text));
  const moved = moveTask(ws.disk, ws.layout, id, 'done', to) === 'moved';
  if (moved) notifyState(ws, { task: id, from: 'done', to, reason });
  return { how: 'conflict', reason, moved };
}
