/**
 * What happens next with one task: one pure total function from (task as read, facts, policy) to
 * one action (DESIGN §6). No clock, no disk, no randomness; the same input gives the same action.
 * Moves are looked up in the transition table, never written here.
 */
import { gatesOf, PERSON, type Contract } from './contract.ts';
import { lastEnded } from './count.ts';
import { openAttempt } from './open-attempt.ts';
import type { Problem } from './problem.ts';
import { formatProblem, unreachable } from './problem.ts';
import type { Attempt, AttemptKind, OwnerKind } from './record.ts';
import type { State } from './state.ts';
import { isAborted, isDone, type Facts, type TaskRead } from './task.ts';
import { transition, type Trigger } from './transitions.ts';

/** Whose turn it is while a task waits. */
export const WAITS_FOR = ['person', 'task', 'agent', 'host', 'slot', 'step', 'nobody'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

export type Action =
  | {
      readonly kind: 'wait';
      readonly on: WaitsFor;
      readonly reason: string;
      /** The command or edit that ends the wait; empty when time alone does. */
      readonly fix: string;
      readonly problems: readonly Problem[];
    }
  | {
      readonly kind: 'write';
      readonly what: 'answer_slots' | 'blocked' | 'form';
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

function wait(
  on: WaitsFor,
  reason: string,
  fix: string,
  problems: readonly Problem[] = [],
): Action {
  return { kind: 'wait', on, reason, fix, problems };
}

function refusal(problems: readonly Problem[]): Action {
  const first = problems.find((p) => p.severity === 'error') ?? problems[0];
  if (first === undefined) return wait('person', 'cannot be read', 'contracts check');
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return wait('person', `${formatProblem(first)}${more}`, 'contracts check', problems);
}

/** Decides for a task in any state; terminal states wait for nobody. */
export function decide(task: TaskRead, facts: Facts): Action {
  const open = openAttempt(task);
  if (open !== undefined) return decideHeld(task, facts, open);
  switch (task.state) {
    case 'draft':
      return decideDraft(task);
    case 'ready':
      return decideReady(task, facts);
    case 'in_progress':
      return decideInProgress(task, facts);
    case 'questions':
      return decideQuestions(task);
    case 'review':
      return decideReview(task);
    case 'blocked':
      return decideBlocked(task, facts);
    case 'done':
    case 'aborted':
      return wait('nobody', `is ${task.state}`, `contracts reopen ${task.id}`);
    default:
      return unreachable(task.state);
  }
}

function nextNumber(task: TaskRead): number {
  return (task.attempts.at(-1)?.number ?? 0) + 1;
}

function decideHeld(task: TaskRead, facts: Facts, open: Attempt): Action {
  const name = `attempt ${open.number}`;
  switch (facts.holder) {
    case 'alive':
      return wait('agent', `${name} is running`, `contracts show ${task.id}`);
    case 'elsewhere':
      return wait(
        'agent',
        `${name} runs on ${open.owner?.host ?? 'another host'}`,
        'contracts recover --host NAME, if that machine is gone for good',
      );
    case 'unknown':
      return wait('person', `owner.md of ${name} cannot be read`, 'contracts doctor');
    case 'orphan':
      return wait('agent', `${name} goes on without its runner; left to finish`, '');
    case 'orphan_overdue':
      return { kind: 'stop', attempt: open.number, reason: `${name} is past its deadline` };
    case 'host':
      return decideWithHost(task, open);
    case 'person':
      return decideWithPerson(task, facts, open);
    case 'dead':
    case 'none':
      return recover(task, open);
    default:
      return unreachable(facts.holder);
  }
}

function recover(task: TaskRead, open: Attempt): Action {
  const dead = open.lost ? 'its recovery was cut short' : `its runner is gone`;
  return {
    kind: 'claim',
    attempt: nextNumber(task),
    work: open.kind,
    owner: 'process',
    gate: open.kind === 'review' ? (open.owner?.agent ?? '') : '',
    recovers: true,
    reason: `attempt ${open.number} was not finished: ${dead}`,
  };
}

function decideWithHost(task: TaskRead, open: Attempt): Action {
  if (task.state !== 'in_progress') {
    return { kind: 'settle', attempt: open.number, reason: `moved to ${task.state} by hand` };
  }
  return wait(
    'host',
    `delegated to a host as attempt ${open.number}`,
    `contracts collect ${task.id}`,
  );
}

function decideWithPerson(task: TaskRead, facts: Facts, open: Attempt): Action {
  if (task.state !== 'in_progress') {
    return { kind: 'settle', attempt: open.number, reason: `moved to ${task.state} by hand` };
  }
  if (facts.earlier_left) {
    return { kind: 'write', what: 'form', reason: 'the files of before are not put away yet' };
  }
  if (facts.handed_in) {
    return { kind: 'settle', attempt: open.number, reason: 'handed in' };
  }
  if (!task.has.result && !task.has.questions && task.contract.ok) {
    return { kind: 'write', what: 'form', reason: 'there is no form to fill in' };
  }
  return wait(
    'person',
    "in a person's hands",
    `${task.has.result ? 'fill in' : 'write'} active_tasks/in_progress/${task.id}/result.md, or write questions.md there`,
  );
}

function decideDraft(task: TaskRead): Action {
  if (!task.contract.ok) return refusal(task.contract.problems);
  return wait('person', 'not confirmed yet', `contracts confirm ${task.id}`);
}

function decideReady(task: TaskRead, facts: Facts): Action {
  if (!task.contract.ok) return refusal(task.contract.problems);
  const aborted = facts.dependencies.find(isAborted);
  if (aborted !== undefined) {
    // A resolution that left the dependency as it is would go round for ever. Without one it is the
    // file of a move that a crash cut short, or of a task that was put back without words.
    const unanswered = task.blocked?.ok === true && task.blocked.value.resolution === '';
    return task.has.blocked && !unanswered
      ? waitForDependency(aborted.id)
      : move(task, 'dependency_aborted', `dependency ${aborted.id} is aborted`);
  }
  return waitBeforeClaim(task, facts) ?? claimWork(task, facts, task.contract.value);
}

/** A folder put into in_progress by hand is treated as in ready, and claimed where it stands. */
function decideInProgress(task: TaskRead, facts: Facts): Action {
  if (!task.contract.ok) return refusal(task.contract.problems);
  const aborted = facts.dependencies.find(isAborted);
  if (aborted !== undefined) return waitForDependency(aborted.id);
  return waitBeforeClaim(task, facts) ?? claimWork(task, facts, task.contract.value);
}

function waitForDependency(id: string): Action {
  return wait(
    'person',
    `dependency ${id} is aborted`,
    `contracts reopen ${id}, or take it out of depends_on`,
  );
}

function waitBeforeClaim(task: TaskRead, facts: Facts): Action | undefined {
  if (facts.cycle !== undefined) {
    return wait('person', `depends on itself: ${facts.cycle.join(' → ')}`, 'edit depends_on');
  }
  const unknown = facts.dependencies.find((dependency) => dependency.state === 'unknown');
  if (unknown !== undefined) {
    return wait('person', `depends on ${unknown.id}, which does not exist`, 'edit depends_on');
  }
  const archived = facts.dependencies.find((dependency) => dependency.state === 'archived');
  if (archived !== undefined) {
    return wait(
      'person',
      `depends on ${archived.id}, which is archived without an approval`,
      `take ${archived.id} out of depends_on, or move it to done/`,
    );
  }
  const pending = facts.dependencies.filter((dependency) => !isDone(dependency));
  if (pending.length > 0) {
    const list = pending.map((d) => `${d.id} (${d.state})`).join(', ');
    return wait('task', `waits for ${list}`, `contracts show ${pending[0]?.id ?? ''}`);
  }
  if (facts.open_children.length > 0) {
    return wait('task', `waits for its children ${facts.open_children.join(', ')}`, '');
  }
  if (facts.preflight.some((p) => p.severity === 'error')) return refusal(facts.preflight);
  if (facts.overlap !== undefined) {
    return wait('task', `${facts.overlap.id} is working on ${facts.overlap.path}`, '');
  }
  return sameInputs(task);
}

/** After questions, nothing is sent twice: some input must have changed (DESIGN §5). */
function sameInputs(task: TaskRead): Action | undefined {
  const last = lastEnded(task.attempts, 'work');
  if (last?.outcome?.outcome !== 'questions') return undefined;
  if (last.owner?.inputs !== task.inputs_hash) return undefined;
  return wait(
    'person',
    `attempt ${last.number} asked questions and nothing was answered since`,
    task.has.questions
      ? `contracts answer ${task.id} "…", or contracts note ${task.id} "…"`
      : `contracts note ${task.id} "…"`,
  );
}

function claimWork(task: TaskRead, facts: Facts, contract: Contract): Action {
  const owner: OwnerKind = facts.executor_mode === 'human' ? 'person' : 'process';
  if (facts.executor_mode === 'host') {
    return wait('host', 'waits for a host to take it', `contracts delegate ${task.id}`);
  }
  return {
    kind: 'claim',
    attempt: nextNumber(task),
    work: 'work',
    owner,
    gate: '',
    recovers: false,
    reason: contract.title,
  };
}

function decideQuestions(task: TaskRead): Action {
  if (!task.has.questions) {
    return wait('person', 'there is no questions.md', 'write questions.md, or move the folder on');
  }
  const read = task.questions;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  const open = read.value.questions.filter((question) => question.answer === '');
  if (open.length === 0) return move(task, 'answered', 'every question is answered');
  if (open.some((question) => !question.has_slot && question.missing !== true)) {
    return { kind: 'write', what: 'answer_slots', reason: 'questions without an answer slot' };
  }
  const missing = open.find((question) => question.missing === true);
  if (missing !== undefined) {
    return wait(
      'person',
      `question ${missing.number} is not in questions.md any more: ${missing.text}`,
      'put it back there and answer it, or move the folder to ready/',
    );
  }
  const total = read.value.questions.length;
  return wait(
    'person',
    `asks ${open.length === 1 ? 'a question' : `${open.length} questions`}${open.length < total ? ` (${total - open.length} of ${total} answered)` : ''}: ${open[0]?.text ?? ''}`,
    `contracts answer ${task.id}`,
  );
}

/**
 * Gates that have not approved the latest work yet. An approval counts only when it came after that
 * work, from the gate itself, on the contract as it is now.
 */
export function pendingGates(task: TaskRead, contract: Contract): readonly string[] {
  const work = lastEnded(task.attempts, 'work')?.number ?? 0;
  const said = new Set(
    task.attempts
      .filter(
        (attempt) =>
          attempt.number > work &&
          !attempt.lost &&
          attempt.outcome?.outcome === 'approved' &&
          attempt.owner?.contract === task.contract_hash,
      )
      .map((attempt) => attempt.outcome?.gate ?? ''),
  );
  return gatesOf(contract).filter((gate) => !said.has(gate));
}

function decideReview(task: TaskRead): Action {
  if (!task.contract.ok) return refusal(task.contract.problems);
  if (!task.has.result) {
    return wait('person', 'there is no result.md', 'write result.md, or move the folder on');
  }
  const gate = pendingGates(task, task.contract.value)[0] ?? '';
  const last = task.attempts.at(-1);
  if (last?.kind === 'review' && last.outcome?.outcome === 'awaits_person' && task.has.review) {
    const waited = last.owner?.contract === task.contract_hash ? undecided(task, last) : undefined;
    if (waited !== undefined) return waited;
  }
  return {
    kind: 'claim',
    attempt: nextNumber(task),
    work: 'review',
    owner: 'process',
    gate,
    recovers: false,
    reason:
      gate === ''
        ? 'verify'
        : gate === PERSON
          ? 'verify, then ask a person'
          : `verify, then ask ${gate}`,
  };
}

/** While a person is the gate: their boxes, or the wait for them. */
function undecided(task: TaskRead, last: Attempt): Action | undefined {
  const read = task.review;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  if (read.value.verdict !== undefined) return undefined;
  const both =
    read.value.ticked.length > 1 ? ` (${read.value.ticked.join(' and ')} are both ticked)` : '';
  const why =
    last.outcome?.no_verdict === true
      ? `${last.outcome.gate ?? 'the reviewer'} gave no verdict; `
      : '';
  return wait(
    'person',
    `${why}${read.value.boxes === 0 ? 'review.md has no box that can be read' : `waits for a verdict in review.md${both}`}`,
    `contracts approve ${task.id}, or needs-work, or reject`,
  );
}

function decideBlocked(task: TaskRead, facts: Facts): Action {
  if (!task.has.blocked) {
    return { kind: 'write', what: 'blocked', reason: 'put into blocked/ by hand' };
  }
  const read = task.blocked;
  if (read === undefined || !read.ok) return refusal(read?.problems ?? []);
  if (read.value.resolution !== '') return move(task, 'resolved', 'a resolution is written');
  const aborted = facts.dependencies.find(isAborted);
  const last = task.attempts.findLast((attempt) => !attempt.lost)?.outcome;
  const why =
    aborted === undefined
      ? (last?.reason ?? 'put here by hand')
      : `dependency ${aborted.id} is aborted`;
  return wait('person', why, `contracts resolve ${task.id}, or contracts retry ${task.id}`);
}

function move(task: TaskRead, trigger: Trigger, reason: string): Action {
  const to = transition(task.state, trigger);
  if (to === undefined) return wait('nobody', reason, '');
  return { kind: 'move', from: task.state, to, trigger, reason };
}
