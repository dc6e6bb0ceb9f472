/** merge: what is done in worktrees goes into the branch of the main checkout. */
import {
  mergeTask,
  planMerge,
  type Mergeable,
  type Merged,
} from '../../engine/merge/merge-task.ts';
import { escapeText } from '../../task/text/markdown/escape-terminal.ts';
import { cleanUp } from '../../engine/merge/clean-up.ts';
import { EXIT } from '../terminal/frame.ts';
import { interruptible } from '../terminal/interruptible.ts';
import { colourState } from '../output/output.ts';
import { idsOf, misused, refuse, unwrap, verb, type Verb } from '../terminal/verb-context.ts';

interface MergeFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const HASH_CHARACTERS = 10;

export const runs = {
  merge: verb(async (verb, flags: MergeFlags, typed: readonly string[]) => {
    const { checkout, tasks } = unwrap(verb, planMerge(verb.ws, idsOf(verb, typed)));
    if (tasks.length === 0) return verb.out.print('All finished work is merged.');
    const into = checkout.branch;
    for (const task of tasks) {
      const already = checkout.git.holds(task.commit, 'HEAD');
      if (!already)
        for (const one of task.noticed)
          verb.out.printWrapped(`${task.id}  look: ${escapeText(one)}`);
      if (flags.dryRun === true) printPlanned(verb, task, into, already);
      else if (already || flags.yes === true || (await agreed(verb, task, into))) {
        const emit = verb.out.event;
        await interruptible((signal) => cleanUp({ ws: verb.ws, emit, signal }, task));
        printMerged(verb, task, into, unwrap(verb, mergeTask(verb.ws, checkout, task)));
      }
    }
  }),
};

async function agreed(verb: Verb, task: Mergeable, into: string): Promise<boolean> {
  if (verb.ask === undefined) {
    const why = 'a merge needs your confirmation, and this is not a terminal';
    refuse(verb, [misused(why, `Confirm it: contracts merge ${task.id} --yes`)]);
  }
  const initial = task.noticed.length === 0;
  return verb.ask.yes(`Merge ${task.branch} into ${into}? ${task.title}`, initial);
}

function printPlanned(verb: Verb, task: Mergeable, into: string, already: boolean): void {
  const { id, branch, commit, noticed } = task;
  const action = { kind: 'merge', branch, commit, into, already, noticed } as const;
  verb.out.data({ v: 1, event: 'planned', task: id, action });
  const what = already ? 'is merged already' : `would: ${branch} ${short(commit)} → ${into}`;
  verb.out.printWrapped(`${id}  ${escapeText(what)}`);
}

function printMerged(verb: Verb, task: Mergeable, into: string, merged: Merged): void {
  const { id, branch } = task;
  if (merged.how === 'conflict') {
    const { reason, moved } = merged;
    verb.out.data({ v: 1, event: 'merge_conflict', task: id, branch, into, reason, moved });
    const to = moved ? `${colourState('done')} → ${colourState('blocked')}  ` : '';
    verb.out.printWrapped(`${id}  ${to}${escapeText(reason)}`);
    if (moved) verb.out.printWrapped(`Next: contracts resolve ${id} "…", then contracts run`);
    verb.frame.code = EXIT.people;
    return;
  }
  const { how, commit, removed, kept } = merged;
  verb.out.data({ v: 1, event: 'merged', task: id, branch, into, how, commit, removed, kept });
  const words = how === 'already' ? `is merged already` : `${branch} → ${into} ${short(commit)}`;
  const rest = removed ? 'worktree and branch removed' : `worktree kept: ${kept}`;
  verb.out.printWrapped(`${id}  ${escapeText(words)}; ${escapeText(rest)}`);
}

function short(commit: string): string {
  return commit.slice(0, HASH_CHARACTERS);
}
