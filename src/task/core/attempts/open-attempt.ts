/** Whether the highest attempt of a task is finished, by its outcome, its lease and the state. */
import type { Attempt, OutcomeRecord } from './record.ts';
import type { State } from '../model/state.ts';
import type { TaskRead } from '../model/task.ts';
import { mayLeadTo } from '../model/transitions.ts';

/**
 * The highest attempt, when its owner still has business with it: no outcome yet, or an outcome
 * that was not rolled forward (its lease is still there). A committed outcome on a folder that
 * is elsewhere than in the state of its claim needs nothing more.
 */
export function openAttempt(task: TaskRead): Attempt | undefined {
  const highest = task.attempts.at(-1);
  if (highest === undefined) return undefined;
  if (highest.lost) return highest;
  if (highest.outcome === undefined || isUnsettled(task, highest)) return highest;
  // Sent to review again, it had been rolled forward to done: a lease that stayed tells nothing more.
  if (!highest.leased || highest.anew) return undefined;
  return task.state === homeOf(highest) ? highest : undefined;
}

/** A person let it go on: what it left in its worktree is committed first. */
function isUnsettled({ state }: TaskRead, { outcome }: Attempt): boolean {
  return outcome?.code === 'not_settled' && state === 'ready';
}

/** The newest attempt after the base that left an outcome or an exit record: it is taken over. */
export function leftBehind(
  { attempts }: Pick<TaskRead, 'attempts'>,
  base: number,
): Attempt | undefined {
  return attempts.findLast(
    ({ number, outcome, exit }) => number > base && (outcome !== undefined || exit !== undefined),
  );
}

/** Highest committed attempt when the dead one was claimed: a recovery keeps it. */
export function deadBase({ attempts }: Pick<TaskRead, 'attempts'>): number {
  return attempts.at(-1)?.owner?.base ?? highestCommitted({ attempts });
}

export function highestCommitted({ attempts }: Pick<TaskRead, 'attempts'>): number {
  return attempts.findLast(({ lost, outcome }) => !lost && outcome !== undefined)?.number ?? 0;
}

/** The state in which an attempt works. A round of questions moves no task until one is asked. */
export function homeOf({
  kind,
  owner,
}: Pick<Attempt, 'kind'> & Partial<Pick<Attempt, 'owner'>>): State {
  // Where it is not known, nothing is taken for confirmed.
  if (kind === 'ask') return owner?.from ?? 'draft';
  return kind === 'work' ? 'in_progress' : 'review';
}

/**
 * The highest attempt, when its outcome was rolled forward to where the task stands and only its
 * lease stayed. Who sees that gives the lease back: afterwards a person may move the folder to where
 * it came from, and it is not taken for a move cut short. Before anybody has looked nobody can tell
 * the two apart: the folder is at home with an outcome and a lease in both, and the rename itself
 * leaves no other trace. Then the outcome is rolled forward again, and the person's move is undone.
 */
export function leftLease(task: TaskRead): Attempt | undefined {
  const highest = task.attempts.at(-1);
  if (highest?.outcome === undefined || highest.lost || !highest.leased) return undefined;
  const rolled = mayLeadTo(homeOf(highest), highest.outcome.outcome, task.state);
  return rolled ? highest : undefined;
}

/** End of a call, by its records. An exit record has whole seconds, so it can seem to be before the start. */
export function endOf({ agent, exit }: Attempt): Pick<OutcomeRecord, 'seconds' | 'exit_code'> {
  const ms = Date.parse(exit?.ended ?? '') - Date.parse(agent?.started ?? '');
  const seconds = Number.isNaN(ms) ? undefined : Math.max(0, Math.round(ms / 1000));
  return { seconds, exit_code: exit?.exit_code };
}
