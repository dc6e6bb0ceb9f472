/**
 * `delegate` and `collect`: for an orchestrator that calls its own agents
 * (docs/clients.md#your-own-orchestrator). Between the two, no process is judged: the attempt is the
 * host's.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { join } from 'node:path';
import type { AgentCall } from '../../process/adapter.ts';
import { ok, refused, type Result } from '../../task/core/model/problem.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { sessionToResume } from '../../task/core/attempts/counters.ts';
import { apply, settle } from '../step/apply.ts';
import { givenBy } from '../../workspace/tasks/capability.ts';
import { openDesk } from '../../workspace/tasks/read-attempts.ts';
import { boardAround } from '../board/scoped-board.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { makeDesk } from '../call/desk.ts';
import { prepareCall } from '../work/prepare-workdir.ts';
import { archiveForWork } from '../attempt/current-files.ts';
import { decided } from '../step/facts.ts';
import { findTask } from '../queries/find-task.ts';
import { givenToOthers, readHandedIn } from '../attempt/hand-in.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { claimAttempt } from '../attempt/claim.ts';
import { enter } from '../attempt/enter.ts';
import {
  emitClaimed,
  runningOf,
  type Claim,
  type Context,
} from '../../workspace/tasks/attempt-context.ts';
import { mustBeTrusted } from '../../trust/trust.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

/** `brief` is to be given to the agent. */
export type Delegated = LineData<'delegated'>;

/** Without these, the work is not finished and may be continued; without a brief it was not begun. */
export const HANDED_IN: readonly string[] = ['result.md', 'questions.md'];

export async function delegate(context: Context, id: string): Promise<Result<Delegated>> {
  const taken = await takeForHost(context, id, ['brief.md', ...HANDED_IN]);
  if (!taken.ok) return taken;
  const { attempt, desk, brief, brief_file } = taken.value;
  return ok({ id, attempt, desk, brief, brief_file });
}

/** Continues an attempt whose desk has none of these files; else claims one. */
export async function takeForHost(
  context: Context,
  id: string,
  files: readonly string[],
): Promise<Result<AgentCall>> {
  const { ws } = context;
  mustBeTrusted(ws);
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = await answeredBefore(context, settledBefore(context, found.value));
  if (!task.contract.ok) return task.contract;
  const contract = task.contract.value;
  const role = executorOf(ws, contract);
  const begun = openWithout(context, task, files);
  let running = begun;
  if (running === undefined) {
    const action = claimable(context, task);
    if (!action.ok) return action;
    running = claimAndEnter(context, task, action.value, role.name);
    if (running === undefined) return refusal(ws, task, 'another process was faster');
  }
  const folder = taskFolder(ws.layout, 'in_progress', id);
  archiveForWork(running, folder);
  const prepared = await prepareCall(running, contract, role);
  if ('ended' in prepared) {
    return refusal(ws, { id, state: 'blocked' }, 'what it is to begin with is in conflict');
  }
  const call = makeDesk(running, contract, {
    role,
    folder,
    guard: prepared.guard,
    timeout_ms: Number.POSITIVE_INFINITY,
    stall_ms: Infinity,
    session: role.adapter?.resumable
      ? sessionToResume(task.attempts, running.task.has_blocked, role.adapter_name)
      : undefined,
    given: givenBy(ws, id, contract),
    cut_short: begun !== undefined,
  });
  emitClaimed(running, 'delegated to a host');
  return ok(call);
}

function claimAndEnter(context: Context, task: TaskRead, action: Claim, role: string) {
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
 * would, so that the task can be taken again. Left alone while the process that claimed may still be
 * on its way to the move.
 */
function settledBefore(context: Context, task: TaskRead): TaskRead {
  const { ws } = context;
  const owner = task.attempts.at(-1)?.owner;
  if (owner?.owner !== 'host' || task.state !== 'ready') return task;
  const gone = ws.machine.judge(owner) === 'dead' || owner.pid === ws.machine.self().pid;
  const { action } = decided(ws, boardAround(ws, task), task);
  if (!gone || ws.active.has(owner.nonce) || action.kind !== 'settle') return task;
  settle(context, task, action.attempt);
  return readTask(ws, task.state, task.id) ?? task;
}

/** A task whose questions or hindrance a person has answered goes to ready, as step would move it. */
async function answeredBefore(context: Context, task: TaskRead): Promise<TaskRead> {
  const { ws } = context;
  if (task.state !== 'questions' && task.state !== 'blocked') return task;
  const { action } = decided(ws, boardAround(ws, task), task);
  if (action.kind !== 'move' || action.to !== 'ready') return task;
  await apply(context, task, action);
  return readTask(ws, 'ready', task.id) ?? task;
}

function openWithout(context: Context, task: TaskRead, files: readonly string[]) {
  const { ws } = context;
  const open = delegatedIn(task);
  if (open === undefined || task.state !== 'in_progress') return undefined;
  const desk = openDesk(ws, taskFolder(ws.layout, task.state, task.id), task.id, open.number);
  // A form is given: it says nothing before a box is ticked.
  const decides = task.kind.decision !== undefined;
  const isForm = (name: string): boolean => name === (decides ? 'questions.md' : 'result.md');
  const begun = files.some((name) =>
    isForm(name) ? liesThere(ws, desk, task) : ws.disk.stat(join(desk, name)) !== undefined,
  );
  return begun ? undefined : runningOf(context, task, open.number);
}

/** The attempt that a host has and that is not settled yet. */
function delegatedIn({ attempts }: TaskRead): TaskRead['attempts'][number] | undefined {
  const open = attempts.at(-1);
  const theirs = open?.owner?.owner === 'host' && !open.lost && open.outcome === undefined;
  return theirs ? open : undefined;
}

/** The claim that a step would make, or that waits for a host; refused for any other task. */
function claimable(context: Context, task: TaskRead): Result<Claim> {
  const { ws } = context;
  const { action } = decided(ws, boardAround(ws, task), task, { executor_mode: 'process' });
  if (action.kind === 'claim' && action.work === 'work' && !action.recovers) {
    return ok({ ...action, owner: 'host' });
  }
  if (action.kind === 'settle') {
    const why = `attempt ${action.attempt} was delegated and not settled yet`;
    return refusal(ws, task, why, `Settle it first: contracts step --only ${task.id}`);
  }
  const why = action.kind === 'wait' ? action.reason : `it is in ${task.state}`;
  return refusal(ws, task, why);
}

function refusal(
  ws: Workspace,
  { id, state }: Pick<TaskRead, 'id' | 'state'>,
  why: string,
  fix = `See contracts show ${id}`,
): Result<never> {
  return refused({
    code: 'bad_value',
    file: shown(ws.layout, taskFolder(ws.layout, state, id)),
    message: `cannot be delegated: ${why}`,
    fix,
  });
}

/** Judges the desk of the delegated attempt; returns the new state of the task. */
export function collect(context: Context, id: string): Result<State> {
  const { ws } = context;
  mustBeTrusted(ws);
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = found.value;
  const open = delegatedIn(task);
  // Its review was cut short: the step that follows continues it.
  if (open === undefined && task.state === 'review') return ok(task.state);
  if (open === undefined) {
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
  return state === undefined ? refusal(ws, task, 'another process was faster') : ok(state);
}

/** True if something was handed in on the desk of that task. */
export function handedIn(ws: Workspace, desk: string, id: string): boolean {
  const found = findTask(ws, id);
  return found.ok && liesThere(ws, desk, found.value);
}

function liesThere(ws: Workspace, desk: string, task: TaskRead): boolean {
  const contract = task.contract.ok ? task.contract.value : undefined;
  const { questions, result, decision } = readHandedIn(ws, { id: task.id, contract }, desk);
  return questions !== undefined || result !== undefined || decision?.decision !== undefined;
}
