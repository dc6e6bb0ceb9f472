/**
 * What happens next with one task, as a value: the actions, whose turn it is while a task waits, and
 * the few ways in which deciding makes them. Moves are looked up in the transition table, never
 * written here.
 */
import type { Contract } from './contract.ts';
import type { Pause } from '../attempts/pause.ts';
import type { Problem } from './problem.ts';
import { formatProblem } from './problem.ts';
import type { AttemptKind, OwnerKind } from '../attempts/record.ts';
import type { State } from './state.ts';
import type { Facts, TaskRead } from './task.ts';
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
      /** The gate of a review; empty when nobody is asked, `person` when the boxes are read. */
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

/** Nobody who costs is called beyond the budget: a person raises it, or ends the task. */
export function overBudgetWait({ over_budget }: Pick<Facts, 'over_budget'>): Wait | undefined {
  return over_budget && wait('person', over_budget.reason, over_budget.fix);
}

/** It goes on by itself; what a person does to the task ends the wait. */
export function pauseWait({ until_ms, reason }: Pause, id: string): Wait {
  const fix = `contracts note ${id} "…" to try at once`;
  return { ...wait('time', reason, fix), until: new Date(until_ms).toISOString() };
}

type Planned = Pick<Contract, 'head'>;

/** Looked up in the plan's folder, so it is asked last: only of who could be called. */
export function waitWhilePaused(facts: Facts, { head: { plan } }: Planned): Wait | undefined {
  if (plan === undefined || !facts.paused) return undefined;
  return wait('person', `plan ${plan} is paused`, `contracts plan resume ${plan}`);
}

export function waitForTurn(facts: Facts, { head: { plan } }: Planned): Wait | undefined {
  if (plan === undefined || facts.plan_busy === undefined) return undefined;
  return turnWait(plan, facts.plan_busy);
}

/** Of a plan whose tasks are worked on one at a time. */
export function turnWait(plan: string, other: string): Wait {
  return wait('task', `plan ${plan} goes one at a time: ${other} is at work`, '');
}

/** A person closed its box: told what that means, and not begun behind his back. */
export function closedWait(id: string, mark: string): Wait {
  const meant = mark === '-' ? `contracts abort ${id}, or ` : '';
  const reason = `its box in the plan was [${mark}], and nothing is begun before you say so`;
  return wait('person', reason, `${meant}contracts step --only ${id}`);
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
