/**
 * `delegate` and `collect`: for an orchestrator that has its own way to call an agent (DESIGN §8).
 * delegate claims as kind host and gives the brief; collect does the post-check. Between the two
 * nobody judges the attempt by a process.
 */
import { join } from 'node:path';
import type { AgentCall } from '../../agent/adapter.ts';
import { isCheckpoint } from '../../core/checkpoint.ts';
import { decide } from '../../core/decide.ts';
import { ok, problem, refused, type Result } from '../../core/problem.ts';
import type { State } from '../../core/state.ts';
import type { TaskRead } from '../../core/task.ts';
import { shown, taskFolder } from '../../store/layout.ts';
import { settle } from '../apply.ts';
import { givenTo } from '../decision-form.ts';
import { openDesk } from '../attempts.ts';
import { boardAround } from '../around.ts';
import { readTask } from '../read-task.ts';
import { authorityOfAttempt } from '../attempt/authority.ts';
import { makeDesk } from '../attempt/desk.ts';
import { keepWitness } from '../compare/kept-witness.ts';
import { takeWitness } from '../compare/witness.ts';
import { takeGround } from '../attempt/grounding.ts';
import { givenToOthers } from '../attempt/children.ts';
import { archiveForWork } from '../attempt/current-files.ts';
import { factsOf } from '../facts.ts';
import { findTask } from './find-task.ts';
import { readHandedIn } from '../attempt/hand-in.ts';
import { executorOf, type Role } from '../roles.ts';
import { claimAttempt } from '../attempt/claiming.ts';
import { enter, runningOf, type Claim, type Context, type Running } from '../attempt/running.ts';
import { mustBeTrusted } from '../must-be-trusted.ts';
import type { Workspace } from '../workspace.ts';

export interface Delegated {
  readonly id: string;
  readonly attempt: number;
  readonly desk: string;
  /** The text of the brief, to be given to the agent. */
  readonly brief: string;
  readonly brief_file: string;
}

export function delegate(context: Context, id: string): Result<Delegated> {
  const taken = takeForHost(context, id, cutShort);
  if (!taken.ok) return taken;
  const { attempt, desk, brief, brief_file } = taken.value.call;
  return ok({ id, attempt, desk, brief, brief_file });
}

export interface Taken {
  readonly call: AgentCall;
  readonly role: Role;
}

/** `findBegun` finds an attempt that is gone on with; else one is claimed. */
export function takeForHost(
  context: Context,
  id: string,
  findBegun: (context: Context, task: TaskRead) => Running | undefined,
): Result<Taken> {
  const { ws } = context;
  mustBeTrusted(ws);
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = settledBefore(context, found.value);
  const contract = task.contract.ok ? task.contract.value : undefined;
  if (contract === undefined) return refused(task.contract.ok ? [] : task.contract.problems);
  const role = executorOf(ws, contract);
  const begun = findBegun(context, task);
  let running = begun;
  if (running === undefined) {
    const action = claimable(context, task);
    if (!action.ok) return action;
    running = claimAndEnter(context, task, action.value, role.name);
    if (running === undefined) {
      return refused([refusal(ws, id, task.state, 'somebody else was faster')]);
    }
  }
  const folder = taskFolder(ws.layout, 'in_progress', id);
  archiveForWork(running, folder);
  const taken = takeGround(running, contract, role);
  if ('ended' in taken) {
    return refused([refusal(ws, id, 'blocked', 'what it is to begin with is in conflict')]);
  }
  const { ground } = taken;
  const authority = authorityOfAttempt(ws, role, contract);
  keepWitness(running, takeWitness(running, { ground, authority }));
  const call = makeDesk(running, contract, {
    role,
    folder,
    ground,
    authority,
    timeout_ms: Number.POSITIVE_INFINITY,
    stall_ms: Infinity,
    session: undefined,
    given: givenTo(running, contract),
    cut_short: begun !== undefined,
  });
  context.emit({
    event: 'claimed',
    task: id,
    attempt: running.number,
    kind: 'work',
    agent: role.name,
    reason: 'delegated to a host',
  });
  return ok({ call, role });
}

function claimAndEnter(
  context: Context,
  task: TaskRead,
  action: Claim,
  role: string,
): Running | undefined {
  const running = claimAttempt(context, task, action, role);
  if (running === undefined) return undefined;
  try {
    return enter(running) ? running : undefined;
  } finally {
    context.ws.active.delete(running.owner.nonce);
  }
}

/**
 * A delegation that ended before its move, or that a person took back to ready: recorded, as step
 * would, so that the task can be taken anew. Left alone while the process that claimed may still be
 * on its way to the move.
 */
function settledBefore(context: Context, task: TaskRead): TaskRead {
  const { ws } = context;
  const owner = task.attempts.at(-1)?.owner;
  if (owner?.owner !== 'host' || task.state !== 'ready') return task;
  const gone = ws.machine.judge(owner) === 'dead' || owner.pid === ws.machine.self().pid;
  const action = decide(task, factsOf(ws, boardAround(ws, task), task));
  if (!gone || ws.active.has(owner.nonce) || action.kind !== 'settle') return task;
  settle(context, task, action.attempt);
  return readTask(ws, task.state, task.id) ?? task;
}

/** Delegated, but the process died before the desk was whole: nobody was given the brief yet. */
function cutShort(context: Context, task: TaskRead): Running | undefined {
  return openWithout(context, task, ['brief.md', 'result.md', 'questions.md']);
}

/** Delegated, and nothing was handed in: whoever sat there left, and may come back. */
export function leftOpen(context: Context, task: TaskRead): Running | undefined {
  return openWithout(context, task, ['result.md', 'questions.md']);
}

function openWithout(
  context: Context,
  task: TaskRead,
  files: readonly string[],
): Running | undefined {
  const { ws } = context;
  const open = task.attempts.at(-1);
  const theirs = open?.owner?.owner === 'host' && !open.lost && open.outcome === undefined;
  if (!theirs || task.state !== 'in_progress') return undefined;
  const desk = openDesk(ws, taskFolder(ws.layout, task.state, task.id), task.id, open.number);
  // The form of a checkpoint is given: it says nothing before a box is ticked.
  const decides = task.contract.ok && isCheckpoint(task.contract.value);
  const begun = files.some((name) =>
    decides && name === 'questions.md'
      ? liesThere(ws, desk, task)
      : ws.disk.stat(join(desk, name)) !== undefined,
  );
  return begun ? undefined : runningOf(context, task, open.number);
}

/** What step would claim, or what waits for a host; anything else waits for something else. */
function claimable(context: Context, task: TaskRead): Result<Claim> {
  const { ws } = context;
  const action = decide(task, factsOf(ws, boardAround(ws, task), task, 'process'));
  if (action.kind === 'claim' && action.work === 'work' && !action.recovers) {
    return ok({ ...action, owner: 'host' });
  }
  if (action.kind === 'settle') {
    const why = `attempt ${action.attempt} was delegated and not settled yet`;
    const fix = `Settle it first: contracts step --only ${task.id}`;
    return refused([refusal(ws, task.id, task.state, why, fix)]);
  }
  const why = action.kind === 'wait' ? action.reason : `it stands in ${task.state}`;
  return refused([refusal(ws, task.id, task.state, why)]);
}

function refusal(
  ws: Workspace,
  id: string,
  state: State,
  why: string,
  fix = `See contracts show ${id}`,
): ReturnType<typeof problem> {
  return problem({
    code: 'bad_value',
    file: shown(ws.layout, taskFolder(ws.layout, state, id)),
    message: `cannot be delegated: ${why}`,
    fix,
  });
}

/** Judges what lies on the desk of the delegated attempt; returns where the task stands then. */
export function collect(context: Context, id: string): Result<State> {
  const { ws } = context;
  mustBeTrusted(ws);
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = found.value;
  const open = task.attempts.at(-1);
  if (open?.owner?.owner !== 'host' || open.lost || open.outcome !== undefined) {
    return refused({
      code: 'bad_value',
      file: shown(ws.layout, taskFolder(ws.layout, task.state, id)),
      message: 'no attempt of this task is delegated to a host',
      fix: `Take it first: contracts delegate ${id}`,
    });
  }
  const desk = openDesk(ws, taskFolder(ws.layout, task.state, task.id), task.id, open.number);
  const given = runningOf(context, task, open.number);
  const delegates = given !== undefined && givenToOthers(given, desk) !== undefined;
  if (!delegates && !liesThere(ws, desk, task)) {
    return refused({
      code: 'no_result',
      file: shown(ws.layout, join(desk, 'result.md')),
      message: 'nothing was handed in yet',
      expected: 'result.md or questions.md on the desk',
      fix: `Collect again when the agent has ended, or give up: contracts abort ${id}`,
    });
  }
  const state = settle(context, task, open.number, desk);
  return state === undefined
    ? refused([refusal(ws, id, task.state, 'somebody else was faster')])
    : ok(state);
}

/** Whether something was handed in on the desk of that task. */
export function handedIn(ws: Workspace, desk: string, id: string): boolean {
  const found = findTask(ws, id);
  return found.ok && liesThere(ws, desk, found.value);
}

function liesThere(ws: Workspace, desk: string, task: TaskRead): boolean {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { questions, result, decision } = readHandedIn(ws, desk, contract);
  return questions !== undefined || result !== undefined || decision?.decision !== undefined;
}
