/** The ways in which deciding makes actions: claims, moves by the table, and the question for facts. */
import type { Action } from '../../../task/core/model/action.ts';
import type { FactName, Facts, Known, TaskRead } from '../../../task/core/model/task.ts';
import { transition, type Trigger } from '../../../task/core/model/transitions.ts';
import { wait } from '../words/waits.ts';

/** No action yet: these facts are to be looked up first. */
export interface Needs {
  readonly kind: 'needs';
  readonly facts: readonly FactName[];
}

/** Calls `decide` with these facts; asks for those that are not known. */
export function ask<const K extends FactName, T>(
  known: Known,
  facts: readonly K[],
  decide: (facts: Pick<Facts, K>) => T,
): T | Needs {
  const hasAll = facts.every((name) => name in known);
  return hasAll ? decide(known as Pick<Facts, K>) : { kind: 'needs', facts };
}

type Claim = Extract<Action, { kind: 'claim' }>;

/** The next attempt: the runner's own, that asks no gate and takes over nothing, unless it is said. */
export function claim(
  task: TaskRead,
  {
    work,
    owner = 'process',
    gate = '',
    recovers = false,
    reason,
  }: Pick<Claim, 'work' | 'reason'> & Partial<Claim>,
): Action {
  const attempt = (task.attempts.at(-1)?.number ?? 0) + 1;
  return { kind: 'claim', attempt, work, owner, gate, recovers, reason };
}

type Write = Extract<Action, { kind: 'write' }>;

export function write(what: Write['what'], reason: string): Write {
  return { kind: 'write', what, reason };
}

export function move(task: TaskRead, trigger: Trigger, reason: string): Action {
  return moveByKind(task, trigger, reason);
}

/** By a row of its kind too. */
export function moveByKind(task: TaskRead, trigger: string, reason: string): Action {
  const to = transition(task.state, trigger, 'left', task.kind.table);
  if (to === undefined) return wait('no_move', { reason });
  return { kind: 'move', from: task.state, to, trigger, reason };
}
