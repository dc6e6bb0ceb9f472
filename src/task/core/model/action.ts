/**
 * What happens next with one task, as a value: the actions, whose turn it is while a task waits, and
 * the few ways in which deciding makes them. Moves are looked up in the transition table, never
 * written here.
 */
import type { Pause } from '../attempts/pause.ts';
import type { Problem } from './problem.ts';
import { formatProblem } from './problem.ts';
import type { AttemptKind, OwnerKind } from '../attempts/record.ts';
import type { State } from './state.ts';
import type { FactName, Facts, Known, TaskRead } from './task.ts';
import { transition, type Trigger } from './transitions.ts';

/** Whose turn it is while a task waits. */
export const WAITS_FOR = [
  'person',
  'task',
  'agent',
  'host',
  'slot',
  'step',
  'time',
  'nobody',
] as const;

export type WaitsFor = (typeof WAITS_FOR)[number];

export type Action =
  | {
      readonly kind: 'wait';
      readonly on: WaitsFor;
      readonly reason: string;
      /** The command or edit that ends the wait; empty when time alone does. */
      readonly fix: string;
      readonly problems: readonly Problem[];
      /** An instant, where it waits for time to pass. */
      readonly until?: string;
    }
  | {
      readonly kind: 'write';
      readonly what:
        'answer_slots' | 'blocked' | 'form' | 'decision' | 'confirm' | 'take' | 'restore';
      readonly reason: string;
    }
  | {
      readonly kind: 'claim';
      readonly attempt: number;
      readonly work: AttemptKind;
      readonly owner: OwnerKind;
      /** The gate of a review; empty when there is none, `person` when the boxes are read. */
      readonly gate: string;
      /** True when the highest attempt is open and its owner dead: it is fenced first. */
      readonly recovers: boolean;
      readonly reason: string;
    }
  | { readonly kind: 'settle'; readonly attempt: number; readonly reason: string }
  | { readonly kind: 'stop'; readonly attempt: number; readonly reason: string }
  | {
      readonly kind: 'move';
      readonly from: State;
      readonly to: State;
      readonly trigger: Trigger;
      readonly reason: string;
    };

export type Wait = Extract<Action, { kind: 'wait' }>;

/** No action yet: these facts are to be looked up first. */
export interface Needs {
  readonly kind: 'needs';
  readonly facts: readonly FactName[];
}

/** What `say` makes of these facts; without all of them, that they are needed. */
export function ask<const K extends FactName, T>(
  known: Known,
  facts: readonly K[],
  say: (facts: Pick<Facts, K>) => T,
): T | Needs {
  return hasAll(known, facts) ? say(known) : { kind: 'needs', facts };
}

function hasAll<K extends FactName>(
  known: Known,
  facts: readonly K[],
): known is Known & Pick<Facts, K> {
  return facts.every((name) => name in known);
}

export function wait(
  on: WaitsFor,
  reason: string,
  fix: string,
  problems: readonly Problem[] = [],
): Wait {
  return { kind: 'wait', on, reason, fix, problems };
}

export function refusal(problems: readonly Problem[]): Action {
  const first = problems.find((p) => p.severity === 'error') ?? problems[0];
  if (first === undefined) return wait('person', 'cannot be read', 'contracts check');
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return wait('person', `${formatProblem(first)}${more}`, 'contracts check', problems);
}

/** No agent that costs is called beyond the budget: a person raises it, or ends the task. */
export function overBudgetWait({ over_budget }: Pick<Facts, 'over_budget'>): Wait | undefined {
  return over_budget && wait('person', over_budget.reason, over_budget.fix);
}

/** It goes on by itself; what a person does to the task ends the wait. */
export function pauseWait({ until_ms, reason }: Pause, id: string): Wait {
  const fix = `contracts note ${id} "…" to try at once`;
  return { ...wait('time', reason, fix), until: new Date(until_ms).toISOString() };
}

/** May look at the disk, so it is asked last: only of a task that could be called. */
export function waitWhileHeld({ hold }: Pick<Facts, 'hold'>): Wait | undefined {
  return hold && wait('person', hold.reason, hold.fix);
}

export function waitForTurn({ turn_taken }: Pick<Facts, 'turn_taken'>): Wait | undefined {
  return turn_taken && turnWait(turn_taken.key, turn_taken.by);
}

/** Of the tasks with this turn one is worked on at a time. */
export function turnWait(turn: string, other: string): Wait {
  return wait('task', `${turn} goes one at a time: ${other} is at work`, '');
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

export function move(task: TaskRead, trigger: Trigger, reason: string): Action {
  const to = transition(task.state, trigger);
  if (to === undefined) return wait('nobody', reason, '');
  return { kind: 'move', from: task.state, to, trigger, reason };
}
