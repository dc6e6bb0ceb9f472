/**
 * One claimed attempt, from the won claim to the released lease: the steps that work and review
 * share (docs/protocol.md). The order of disk operations here is the durable protocol; do
 * not change it by ear.
 */
import { nthOf } from '../../task/core/attempts/counters.ts';
import type { Contract } from '../../task/core/model/contract.ts';
import type { Action } from '../../task/core/model/action.ts';
import { isCounted } from '../../task/core/attempts/budget.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { homeOf, leftBehind } from '../../task/core/attempts/open-attempt.ts';
import type { Call } from '../../task/core/attempts/pause.ts';
import { Fault } from '../../task/core/model/problem.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import { countsOf } from '../../task/core/attempts/noticed.ts';
import type {
  Attempt,
  AttemptKind,
  OutcomeRecord,
  OwnerRecord,
} from '../../task/core/attempts/record.ts';
import { STATES, type State } from '../../task/core/model/state.ts';
import type { TaskRead, WholeTask } from '../../task/core/model/task.ts';
import {
  commit,
  adoptDesk,
  highestAttempt,
  holds,
  listAttempts,
} from '../../task/store/tasks/claims.ts';
import { isGone, type Stat } from '../../task/store/disk/disk.ts';
import {
  attemptFolder,
  deskFolder,
  taskFolder,
  TEXT_BYTES_MAX,
} from '../../task/store/tasks/layout.ts';
import { isIn } from '../../task/store/tasks/tasks.ts';
import { renderRecord } from '../../task/text/documents/record.ts';
import { wholeTask } from './read-task.ts';
import type { Workspace } from '../open/workspace.ts';

export type Emit = (event: Event) => void;

export interface Context {
  readonly ws: Workspace;
  readonly emit: Emit;
  /** Ctrl-C, or the caller's own cancel. */
  readonly signal: AbortSignal;
  /** Gets each outcome that was committed. */
  readonly ended?: (call: Call) => void;
  /** Takes back each change that an agent provably made outside its permissions. */
  readonly revert_violations?: boolean | undefined;
}

export interface Running extends Context {
  readonly id: string;
  readonly number: number;
  readonly kind: AttemptKind;
  readonly owner: OwnerRecord;
  readonly owner_bytes: Uint8Array;
  /** As read before the claim; with `recovers`, the dead ones are lost by now. */
  readonly task: WholeTask;
  readonly contract: Contract | undefined;
  readonly recovers: boolean;
}

export type Claim = Extract<Action, { kind: 'claim' }>;

export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** An open attempt that was claimed by another process for a person or a host. */
export function runningOf(context: Context, task: TaskRead, number: number): Running | undefined {
  const { ws } = context;
  const open = task.attempts.find((attempt) => attempt.number === number && !attempt.lost);
  if (open?.owner === undefined) return undefined;
  const folder = taskFolder(ws.layout, task.state, task.id);
  return {
    ...context,
    id: task.id,
    number,
    kind: open.kind,
    owner: open.owner,
    owner_bytes: ws.disk.read(`${attemptFolder(folder, number)}/owner.md`, TEXT_BYTES_MAX),
    task: wholeTask(ws, task),
    contract: task.contract.ok ? task.contract.value : undefined,
    recovers: false,
  };
}

export function isHighest(ws: Workspace, folder: string, number: number): boolean {
  const last = listAttempts(ws.disk, folder).at(-1);
  return last?.number === number && !last.lost;
}

/** The newest attempt after the base that left an outcome or an exit record behind; judged again where git had failed. */
export function inherited({ recovers, task, owner }: Running): Attempt | undefined {
  const left = recovers ? leftBehind(task, owner.base) : undefined;
  if (left?.outcome?.code !== 'not_settled') return left;
  const source = left.outcome.adopted ?? left.number;
  const worked = task.attempts.find(({ number }) => number === source);
  return worked && { ...worked, outcome: undefined };
}

const PLACE_TRIES = 4;

export interface Place {
  readonly state: State;
  readonly folder: string;
}

/**
 * Finds the place of the task now, by the nonce in the attempt's owner record: a folder of the same
 * name without it is not this task. Looks at home first.
 */
export function findPlace(running: Running): Place | undefined {
  for (let tries = 1; ; tries++) {
    const place = lookFor(running);
    // A folder that is moved while the states are looked through may be missed in all of them.
    if (place !== undefined || tries === PLACE_TRIES) return place;
  }
}

/**
 * Does something in the task's folder, and again where a person moved it meanwhile: what is done
 * must be safe to repeat. undefined when the attempt was fenced or the folder removed.
 */
export function atPlace<T>(running: Running, act: (place: Place) => T): T | undefined {
  for (let tries = 1; ; tries++) {
    const place = findPlace(running);
    if (place === undefined) return undefined;
    try {
      return act(place);
    } catch (error) {
      if (!isGone(error) || tries === PLACE_TRIES) throw error;
    }
  }
}

/**
 * True when an error only says that a person moved the folder from under an attempt that has no
 * outcome yet: then it is interrupted, and nothing is wrong with the environment.
 */
export function isMovedAway(running: Running, error: unknown): boolean {
  const { ws, id } = running;
  const path = isGone(error) && error instanceof Error && 'path' in error ? String(error.path) : '';
  // The folder itself where it was to be synced.
  const inside = STATES.some((state) =>
    `${path}/`.startsWith(`${taskFolder(ws.layout, state, id)}/`),
  );
  const place = inside ? findPlace(running) : undefined;
  if (place === undefined) return false;
  return ws.disk.stat(`${attemptFolder(place.folder, running.number)}/outcome.md`) === undefined;
}

/** The most frequent end of an attempt first. */
const BY_LIKELIHOOD: readonly State[] = [
  ...(['review', 'done', 'ready', 'questions', 'blocked'] as const),
  ...(['in_progress', 'aborted', 'draft'] as const),
];

function lookFor(running: Running): Place | undefined {
  const { ws, id } = running;
  const home = homeOf(running);
  // Nearly always it is at home: the other states are looked through only when it is not.
  if (isAt(running, home)) return placeAt(running, home);
  const state = BY_LIKELIHOOD.find(
    (one) => one !== home && isIn(ws.disk, ws.layout, one, id) && isAt(running, one),
  );
  return state === undefined ? undefined : placeAt(running, state);
}

function placeAt({ ws, id }: Running, state: State): Place {
  return { state, folder: taskFolder(ws.layout, state, id) };
}

/** The stat of each owner.md that was read; one that has not changed since is not read again. */
const seen = new WeakMap<Uint8Array, Stat>();

function isAt(running: Running, state: State): boolean {
  const { ws, number, owner_bytes } = running;
  const attempt = attemptFolder(placeAt(running, state).folder, number);
  const [before, now] = [seen.get(owner_bytes), ws.disk.stat(`${attempt}/owner.md`)];
  if (now === undefined) return false;
  const { inode, device, ctime_ms } = now;
  if (before?.inode === inode && before.device === device && before.ctime_ms === ctime_ms) {
    return true;
  }
  const is = holds(ws.disk, attempt, owner_bytes);
  if (is) seen.set(owner_bytes, now);
  return is;
}

/**
 * Commits the outcome: the desk into the attempt, then outcome.md. undefined when the attempt was
 * fenced or the folder is gone: the work of this process counts for nothing then, and is over.
 */
export function commitOutcome(
  running: Running,
  outcome: OutcomeRecord,
  body: string,
): Place | undefined {
  const { ws, id, number } = running;
  const bytes = bytesOf(renderRecord(outcome, body));
  const { denied, seconds, input_tokens, output_tokens, cost_usd, error } = outcome;
  const reported = { input_tokens, output_tokens, cost_usd, error };
  for (let tries = 0; tries < PLACE_TRIES; tries++) {
    const place = atPlace(running, (now) => {
      adoptDesk(ws.disk, deskFolder(ws.layout, id, number), attemptFolder(now.folder, number));
      return now;
    });
    if (place === undefined) break;
    const done = commit(ws.putting, place.folder, number, running.owner_bytes, bytes);
    if (done === 'fenced') continue;
    running.ended?.({ ...outcome, task: id });
    running.emit({
      event: 'ended',
      task: id,
      attempt: number,
      kind: running.kind,
      nth: nthOf(running.task.attempts, running),
      outcome: outcome.outcome,
      ...given({ code: outcome.code }),
      reason: outcome.reason,
      ...countsOf(outcome),
      ...given({ denied, seconds }),
      ...(isCounted(running.task.attempts, outcome.adopted) ? {} : given(reported)),
    });
    return findPlace(running) ?? place;
  }
  if (ws.disk.stat(ws.layout.tasks) === undefined) {
    throw new Fault('workspace', 'active_tasks is gone', {
      fix: 'Move it back, then run this again',
    });
  }
  running.emit({
    event: 'lost_race',
    task: id,
    reason: `attempt ${number} was taken over or its folder removed; its outcome is not counted`,
  });
  release(running);
  return undefined;
}

export function emitClaimed(
  { emit, id, number, kind, owner, task }: Running,
  reason: string,
): void {
  const nth = nthOf(task.attempts, { number, kind });
  emit({ event: 'claimed', task: id, attempt: number, kind, nth, agent: owner.agent, reason });
}

/** The owner has no more business with it. A lease that stays after a crash is left to the next step. */
export function release(running: Running): void {
  const { ws } = running;
  ws.active.delete(running.owner.nonce);
  atPlace(running, ({ folder }) => {
    const lease = `${attemptFolder(folder, running.number)}/lease.md`;
    if (ws.disk.stat(lease) !== undefined) ws.disk.remove(lease);
  });
}

/** Still the owner of the highest attempt: the only one who may move the task. */
export function mayMove(running: Running, folder: string): boolean {
  return (
    highestAttempt(running.ws.disk, folder) === running.number &&
    holds(running.ws.disk, attemptFolder(folder, running.number), running.owner_bytes)
  );
}
