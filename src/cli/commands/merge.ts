/** merge: what is done in worktrees goes into the branch of the main checkout. */
import {
  mergeTask,
  planMerge,
  type Mergeable,
  type Merged,
  type Merging,
} from '../../engine/merge/merge-task.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import type { Unheld } from '../../engine/merge/unheld-work.ts';
import { checkMerged, type NotMerged } from '../../engine/merge/check-merged.ts';
import { openPullRequest } from '../../engine/merge/pull-request.ts';
import type { Checkout } from '../../worktrees/engine/checkout.ts';
import { cleanUp } from '../../engine/merge/clean-up.ts';
import { dropDeadLock } from '../../engine/merge/merge-lock.ts';
import { diffTree } from '../../engine/attempt/attempt-diff.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import type { Asker } from '../terminal/ask.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { colourState } from '../output/output.ts';
import { refuseUse, idsOf, unwrap, verb, type Verb } from '../terminal/verb-context.ts';

/** `check`: false with `--no-check`. */
type MergeFlags = Partial<Record<'yes' | 'dryRun' | 'pr' | 'check', boolean>>;

const HASH_CHARACTERS = 10;

export const runs = {
  merge: verb(async (verb, flags: MergeFlags, typed: readonly string[]) => {
    if (flags.pr === true && typed.length === 0)
      refuseUse(verb, '--pr needs a task', 'contracts merge ID --pr');
    const plan = planMerge(verb.ws, idsOf(verb, typed), flags.pr);
    const { checkout, tasks, left = [] } = unwrap(verb, plan);
    const into = checkout.branch;
    for (const one of left) printLeft(verb, one, into);
    if (flags.dryRun !== true) dropDeadLock(verb.ws, checkout);
    if (tasks.length + left.length === 0) return verb.out.print('All finished work is merged.');
    const chosen: Mergeable[] = [];
    const unasked: Mergeable[] = [];
    for (const task of tasks) {
      const already = checkout.git.holds(task.commit, 'HEAD');
      if (!already)
        for (const one of task.noticed)
          verb.out.printWrapped(`${task.id}  look: ${escapeText(one)}`);
      if (flags.dryRun === true || (already && flags.pr === true))
        printPlanned(verb, task, into, already);
      else if (already || flags.yes === true) chosen.push(task);
      else if (verb.ask === undefined) unasked.push(task);
      else if (await agreed(verb, verb.ask, task, into, flags.pr)) chosen.push(task);
    }
    if (unasked.length > 0) {
      const what = [...unasked.map(({ id }) => id), ...(flags.pr === true ? ['--pr'] : [])];
      const why = 'a merge needs your confirmation, and this is not a terminal';
      refuseUse(verb, why, `Confirm it: contracts merge ${what.join(' ')} --yes`);
    }
    if (flags.pr === true) {
      for (const task of chosen) printPullRequest(verb, checkout, task);
      return;
    }
    if (chosen.length === 0) return;
    await interruptible((signal) =>
      mergeAll(verb, { checkout, tasks: chosen }, flags.check !== false, signal),
    );
  }),
};

async function mergeAll(
  verb: Verb,
  { checkout, tasks }: Merging,
  isChecked: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { ws, out, frame } = verb;
  const { git, branch: into } = checkout;
  const context = { ws, emit: out.event, signal };
  let head = git.out(['rev-parse', 'HEAD']);
  const checking = (some: readonly Mergeable[]): void =>
    out.printWrapped(`checking ${some.map(({ id }) => id).join(', ')} on the merged tree …`);
  const { passed, left } = isChecked
    ? unwrap(verb, await checkMerged(context, checkout, tasks, head, checking))
    : { passed: tasks, left: [] };
  if (signal.aborted) {
    frame.code = EXIT.interrupted;
    return out.print('Interrupted: nothing is merged.');
  }
  for (const task of passed) {
    await cleanUp(context, task);
    const stat = statOf(verb, task).at(-1);
    const merged = unwrap(verb, mergeTask(ws, checkout, task, head));
    if (merged.how !== 'conflict') head = merged.commit;
    printMerged(verb, task, into, merged, stat);
  }
  for (const one of left) printLeft(verb, one, into);
}

function printPullRequest({ ws, out }: Verb, checkout: Checkout, task: Mergeable): void {
  const url = unwrap({ out }, openPullRequest(ws, checkout, task));
  const { id, branch } = task;
  out.data({ v: 1, event: 'pull_request', task: id, branch, into: checkout.branch, url });
  out.print(`${id}  ${url}`);
}

function printLeft(verb: Verb, left: NotMerged | Unheld, into: string): void {
  const { id, branch, reason } = left;
  verb.out.data({ v: 1, event: 'not_merged', task: id, branch, into, reason });
  verb.out.printWrapped(`${id}  not merged: ${escapeText(reason)}`);
  const second = 'fix' in left ? `abort ${id}` : `merge ${id} --no-check`;
  verb.out.printWrapped(
    `Next: ${'fix' in left ? left.fix : `contracts retry ${id} --again`}, or contracts ${second}`,
  );
  verb.frame.code = EXIT.people;
}

async function agreed(verb: Verb, ask: Asker, task: Mergeable, into: string, pr = false) {
  for (const line of statOf(verb, task)) verb.out.print(line);
  const what = pr ? `Push ${task.branch} for a pull request to` : `Merge ${task.branch} into`;
  const initial = task.noticed.length === 0;
  return ask.yes(`${what} ${into}? ${task.title}`, initial);
}

/** Lines of git about what it changed: one for each file, and the sum in the last. */
function statOf({ ws }: Verb, { id, folder }: Mergeable): readonly string[] {
  const { attempts } = readAttempts(ws, folder, id);
  const text = diffTree(ws, folder, attempts, ['--stat=76', '--stat-count=10']) ?? '';
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => escapeText(line));
}

function printPlanned(verb: Verb, task: Mergeable, into: string, already: boolean): void {
  const { id, branch, commit, noticed } = task;
  const action = { kind: 'merge', branch, commit, into, already, noticed } as const;
  verb.out.data({ v: 1, event: 'planned', task: id, action });
  const what = already ? 'is merged already' : `would: ${branch} ${short(commit)} → ${into}`;
  const stat = already ? '' : andStat(statOf(verb, task).at(-1));
  verb.out.printWrapped(`${id}  ${escapeText(what)}${stat}`);
}

function andStat(last = ''): string {
  return last === '' ? '' : `; ${last.trim()}`;
}

/** `stat`: what it changed, in a line. */
function printMerged(verb: Verb, task: Mergeable, into: string, merged: Merged, stat?: string) {
  const { id, branch } = task;
  if (merged.how === 'conflict') {
    const { reason, moved } = merged;
    verb.out.data({ v: 1, event: 'merge_conflict', task: id, branch, into, reason, moved });
    const to = moved ? `${colourState('done')} → ${colourState('blocked')}  ` : '';
    verb.out.printWrapped(`${id}  ${to}${escapeText(reason)}`);
    if (moved) verb.out.printWrapped(`Next: contracts retry ${id} "…", then contracts run`);
    verb.frame.code = EXIT.people;
    return;
  }
  const { how, commit, removed, kept } = merged;
  verb.out.data({ v: 1, event: 'merged', task: id, branch, into, how, commit, removed, kept });
  const moved = `${branch} → ${into} ${short(commit)}${andStat(stat)}`;
  const words = how === 'already' ? `is merged already` : moved;
  const rest = removed ? 'worktree and branch removed' : `worktree kept: ${kept}`;
  verb.out.printWrapped(`${id}  ${escapeText(words)}; ${escapeText(rest)}`);
}

function short(commit: string): string {
  return commit.slice(0, HASH_CHARACTERS);
}
