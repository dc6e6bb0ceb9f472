/**
 * One step: look once, plan, apply, report. Each task is taken as far as one agent call and its checks; a
 * fault of one task never touches another. Recovery after a crash is this same path.
 */
import { addUse, NO_USE } from '../../task/core/attempts/budget.ts';
import { isOfMachine } from '../../task/core/model/problem.ts';
import type { Wait } from '../../task/core/model/action.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { leftLease } from '../../task/core/attempts/open-attempt.ts';
import type { Call } from '../../task/core/attempts/pause.ts';
import { Writers } from '../../task/core/base/glob-overlap.ts';
import { startsProgram } from '../core/decide/admission.ts';
import { planStep, type Candidate } from '../core/decide/schedule.ts';
import { slotLimits } from '../../task/core/model/policy.ts';
import type { State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { locate } from '../../task/store/tasks/tasks.ts';
import { apply } from './apply.ts';
import { NO_BOARD, readBoard } from '../board/board.ts';
import { inHand, newInFlight } from '../board/in-flight.ts';
import { candidatesOf, holdBack, type Around } from './admission.ts';
import { claimantOf, othersOf, stoppedBy } from './claimant.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import { readTask } from '../../workspace/tasks/read-task.ts';
import { decided, leftDesks } from './facts.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import { askAt, doubleOf, lookAt } from './next-action.ts';
import { giveLeaseBack } from '../attempt/roll-forward.ts';
import type { Context, Emit } from '../../workspace/tasks/attempt-context.ts';
import { isKnownAtRest } from '../cache/known-task.ts';
import { WHOLE_STEP, type StepOptions, type StepReport } from './step-report.ts';
import {
  reportBoard,
  reportPlanned,
  reportNotifyProblems,
  reportWarnings,
  waitEvent,
} from './step-events.ts';
import { ignoredComments } from './ignored-comments.ts';
import { clearStandIns } from '../../sandbox/engine/placeholder-mounts.ts';
import { mustBeTrusted, whyNothing, whyUntrusted } from '../../trust/trust.ts';
import { mustBeThere, mustHaveShell, type Workspace } from '../../workspace/open/workspace.ts';

export { WHOLE_STEP, type StepOptions, type StepReport } from './step-report.ts';

/** A task is looked at again at most this often in one step; more would be a loop of ours. */
const LOOKS_MAX = 12;
const LEFT_LOOKS_MAX = 3;
const PROGRESS = new Set<Event['event']>(['moved', 'claimed', 'ended', 'wrote', 'recovered']);

export async function step(ws: Workspace, options: StepOptions = {}): Promise<StepReport> {
  const events: Event[] = [];
  const spending = options.spending ?? { use: NO_USE };
  const moved = new Set<string>();
  let claims = 0;
  const emit: Emit = (event) => {
    if (event.event === 'moved') moved.add(event.task);
    // Once for all that are claimed together, at a place that is the same each time.
    if (event.event === 'moved' && event.to === 'in_progress' && claims++ === 0)
      queueMicrotask(claimed);
    if (event.event === 'ended') spending.use = addUse(spending.use, event);
    if (event.event !== 'progress' && event.event !== 'status') events.push(event);
    options.emit?.(event);
  };
  const signal = options.signal ?? new AbortController().signal;
  const { revert_violations } = options;
  const in_flight = options.in_flight ?? newInFlight();
  const began_ms = ws.elapsed_ms();
  const following = { ws, emit, moved, held: in_flight.held };
  const followers = capabilitiesOf(ws).flatMap(({ follow }) => follow?.(following) ?? []);
  const ended = (call: Call): void =>
    void in_flight.calls.set(`${call.task} ${call.attempt}`, call);
  const context: Context = { ws, emit, signal, revert_violations, ended };
  const faulted = new Set<string>();
  // A fault is reported and stops this task alone; a bug of ours goes up.
  const failed = (id: string, error: unknown): undefined => {
    faulted.add(id);
    emit(faultEvent(id === WHOLE_STEP ? undefined : id, error));
  };
  const orFault = <T>(id: string, look: () => T): T | undefined => {
    try {
      return look();
    } catch (error) {
      return failed(id, error);
    }
  };
  const claimed = (): void => {
    claims = 0;
    for (const one of followers) if (board !== undefined) one.claimed?.(board);
  };
  const board = orFault(WHOLE_STEP, () => {
    mustBeThere(ws);
    const board = readBoard(ws, { quick: 'rows', only: options.only });
    if (options.dry_run !== true && whyNothing(ws) !== undefined) mustBeTrusted(ws);
    return board;
  });
  const nothing = { events, progressed: false, faulted, interrupted: signal.aborted, plan: [] };
  if (board === undefined) return nothing;
  const others = othersOf(ws, board, { parallel: options.parallel, own: in_flight.busy });
  const parallel = options.parallel ?? slotLimits(ws.config).all;
  const candidates = candidatesOf(ws, board, options, orFault);
  board.rows?.save(board.tasks.values());
  if (options.dry_run !== true) {
    const acting = candidates.filter(({ action }) => action.kind !== 'wait');
    const tasks = acting.flatMap(({ id }) => board.tasks.get(id) ?? []);
    for (const one of followers) one.before(board, tasks);
  }
  const taken = new Writers();
  const { until } = options;
  const holders = new Map([...others.holders, ...in_flight.slots]);
  const paused = orFault(WHOLE_STEP, () => ({ stopped: stoppedBy(ws, until) }));
  if (paused === undefined) return nothing;
  const around = { ...others, held: in_flight.held, holders, stopped: paused.stopped };
  const plan = planStep(candidates, around, taken);
  in_flight.look_ms = ws.elapsed_ms() - began_ms;
  reportBoard(ws, board, emit, faulted);
  if (options.dry_run === true) {
    for (const candidate of plan) reportPlanned(board, candidate, emit);
    return { events, progressed: false, faulted, interrupted: false, plan };
  }
  // Where all programs are missing, one report about that is better than one for each task.
  const starts = plan.some(
    ({ action }) =>
      action.kind === 'claim' || (action.kind === 'wait' && action.problems.some(isOfMachine)),
  );
  if (starts && orFault(WHOLE_STEP, () => mustHaveShell(ws) ?? true) === undefined) return nothing;
  const stale = board.rows !== undefined || options.in_flight !== undefined;
  const called = options.called === true;
  const walk: Walk = {
    asks: options.asks,
    context,
    board,
    stale,
    called,
    in_flight,
    spending,
    others,
    taken,
    until,
  };
  in_flight.taken.add(walk.taken);
  await inParallel(Math.max(1, parallel - others.running), plan, (candidate) => {
    const task = board.tasks.get(candidate.id);
    // A task that waits is reported at once, unless it has a form to look at or a lease to give back.
    const quick =
      task !== undefined && candidate.action.kind === 'wait' && !needsCare(task, candidate.action);
    if (!quick) {
      // Nothing more is begun, and what of many thousand would be done is not looked up either.
      if (signal.aborted) return undefined;
      const { id } = candidate;
      return inHand(in_flight, id, () => advance(walk, candidate)).catch((error: unknown) =>
        failed(id, error),
      );
    }
    // Another task of this step may have moved it.
    if (!moved.has(task.id)) emit(waitEvent(task, candidate.action));
    return undefined;
  }).finally(() => in_flight.taken.delete(walk.taken));
  for (const left of orFault(WHOLE_STEP, () => leftDesks(ws)) ?? []) {
    if (whyUntrusted(ws) !== undefined) break;
    if (options.only?.has(left.id) === false) continue;
    await settleLeft(context, left).catch((error: unknown) => failed(left.id, error));
  }
  const acted = events.some(({ event }) => event !== 'waits' && event !== 'problem');
  orFault(WHOLE_STEP, () => clearStandIns(ws, acted));
  for (const one of followers) orFault(WHOLE_STEP, () => one.after(board));
  reportNotifyProblems(ws, events, emit);
  // A follower reports its own faults: a box or a report that could not be written counts too.
  for (const one of events) if (one.event === 'fault') faulted.add(one.task ?? WHOLE_STEP);
  const progressed = events.some((one) => PROGRESS.has(one.event));
  return { events, progressed, faulted, interrupted: signal.aborted, plan };
}

/** True if a step would start a program. */
export async function startsNow(ws: Workspace): Promise<boolean> {
  const { plan } = await step(ws, { dry_run: true });
  return whyNothing(ws) !== undefined || plan.some(({ action }) => startsProgram(action));
}

function needsCare(task: TaskRead, waiting: Wait): boolean {
  if (doubleOf(waiting) !== undefined || isKnownAtRest(task)) return false;
  const form = task.state === 'review' || task.state === 'blocked';
  return form || leftLease(task) !== undefined;
}

interface Walk extends Around {
  /** A task that acts is read again first: only its head is known, or another step may have acted since. */
  readonly stale: boolean;
  readonly called: boolean;
  /** Tasks that it asks for questions, where it does nothing else (StepOptions). */
  readonly asks: StepOptions['asks'];
}

/** Takes one task as far as it goes: until it waits, or its one call is used. */
async function advance(walk: Walk, candidate: Candidate): Promise<void> {
  const { context, board } = walk;
  const { ws, emit } = context;
  let task = board.tasks.get(candidate.id);
  let action = candidate.action;
  let { called } = walk;
  const look = (now: TaskRead) =>
    walk.asks ? askAt(ws, board, now, walk.asks) : lookAt(ws, board, now);
  if (walk.stale && task !== undefined) {
    task = readTask(ws, task.state, candidate.id);
    if (task !== undefined) action = look(task);
  }
  if (task !== undefined) {
    giveLeaseBack(context, task);
    for (const found of ignoredComments(ws, task)) emit({ event: 'problem', problem: found });
  }
  for (let looks = 0; task !== undefined && looks < LOOKS_MAX; looks++) {
    if (action.kind === 'wait') {
      if (looks === 0 || action.on !== 'nobody') emit(waitEvent(task, action));
      return;
    }
    const claimant = claimantOf(ws, task, action);
    const held = claimant && holdBack(walk, task, claimant, called);
    if (held !== undefined) return emit(waitEvent(task, held));
    if (context.signal.aborted) return;
    if (claimant === undefined && startsProgram(action)) mustBeTrusted(ws);
    called ||= claimant?.calls === true;
    reportWarnings(emit, task, action);
    const state = await apply(context, task, action);
    // A round of questions is over with its one call.
    if (state === undefined || walk.asks) return;
    task = readTask(ws, state, candidate.id);
    if (task !== undefined) action = look(task);
    // No agent was called: its client did not have the session to resume.
    if (task?.attempts.at(-1)?.outcome?.error === 'session') called = false;
  }
}

/** Attempts that a person's move to done or aborted left open: recorded, so that no desk stays. */
async function settleLeft(context: Context, left: { id: string; state: State }): Promise<void> {
  const { ws } = context;
  if (locate(ws.disk, ws.layout, left.id).length !== 1) return;
  // An agent without its runner is stopped first, then its attempt is settled.
  for (let looks = 0; looks < LEFT_LOOKS_MAX; looks++) {
    const task = readTask(ws, left.state, left.id);
    const action = task === undefined ? undefined : decided(ws, NO_BOARD, task).action;
    if (task === undefined || action === undefined || action.kind === 'wait') return;
    await apply(context, task, action);
    if (action.kind !== 'stop') return;
  }
}

/** At most `limit` at a time, started in order. The first rejection is thrown when all ended. */
async function inParallel<T>(
  limit: number,
  items: readonly T[],
  job: (item: T) => Promise<void> | undefined,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      const doing = job(item);
      if (doing !== undefined) await doing;
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
