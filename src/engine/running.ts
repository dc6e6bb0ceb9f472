/**
 * One claimed attempt, from the won claim to the released lease: the steps that work and review
 * share (PROTOCOL 2, 3, 6, 7, 8). The order of disk operations here is the durable protocol; do
 * not change it by ear.
 */
import { join } from 'node:path';
import type { Contract } from '../core/contract.ts';
import type { Action } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import { Fault } from '../core/problem.ts';
import type { Attempt, AttemptKind, OutcomeRecord, OwnerRecord } from '../core/record.ts';
import type { State } from '../core/state.ts';
import type { TaskRead } from '../core/task.ts';
import {
  claim,
  commit,
  fence,
  adoptDesk,
  highestAttempt,
  holds,
  listAttempts,
  withdraw,
} from '../store/claims.ts';
import { attemptFolder, deskFolder, taskFolder } from '../store/layout.ts';
import { locate, moveTask } from '../store/tasks.ts';
import { renderRecord } from '../text/record.ts';
import { baseline } from './deliverables.ts';
import type { Workspace } from './workspace.ts';

export type Emit = (event: Event) => void;

export interface Context {
  readonly ws: Workspace;
  readonly emit: Emit;
  /** Ctrl-C, or the caller's own cancel. */
  readonly signal: AbortSignal;
}

export interface Running extends Context {
  readonly id: string;
  readonly number: number;
  readonly kind: AttemptKind;
  readonly owner: OwnerRecord;
  readonly owner_bytes: Uint8Array;
  /** As read before the claim; with `recovers`, the dead ones are lost by now. */
  readonly task: TaskRead;
  readonly contract: Contract | undefined;
  readonly recovers: boolean;
}

export type Claim = Extract<Action, { kind: 'claim' }>;

/** The state in which an attempt of this kind works. */
export function homeOf(kind: AttemptKind): State {
  return kind === 'work' ? 'in_progress' : 'review';
}

export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** undefined when the race was lost: somebody else works on it, or a person moved it. */
export function claimAttempt(
  context: Context,
  task: TaskRead,
  action: Claim,
  agent: string,
): Running | undefined {
  const { ws, emit } = context;
  const contract = task.contract.ok ? task.contract.value : undefined;
  const owner = ownerRecord(ws, task, action, agent, contract);
  const owner_bytes = bytesOf(renderRecord(owner, ''));
  const lease = renderRecord({ v: 1, nonce: owner.nonce, beat: 0 }, '');
  const folder = taskFolder(ws.layout, task.state, task.id);
  const files = new Map([
    ['owner.md', owner_bytes],
    ['lease.md', bytesOf(lease)],
  ]);
  const won = claim(ws.putting, folder, action.attempt, files, () =>
    locate(ws.disk, ws.layout, task.id).map((state) => taskFolder(ws.layout, state, task.id)),
  );
  const lost = (reason: string): undefined => {
    emit({ event: 'lost_race', task: task.id, reason });
  };
  if (won === 'gone') return lost('it was moved meanwhile');
  if (won === 'lost') return lost('another process claimed it first');
  if (!isHighest(ws, folder, action.attempt)) {
    withdraw(ws.disk, folder, action.attempt);
    return lost('another process went on with it meanwhile');
  }
  const running: Running = {
    ...context,
    id: task.id,
    number: action.attempt,
    kind: action.work,
    owner,
    owner_bytes,
    task,
    contract,
    recovers: action.recovers,
  };
  ws.active.add(owner.nonce);
  if (action.recovers) {
    try {
      fenceDead(ws, task, folder, owner.base, action.attempt);
    } catch (error) {
      // Nobody works on it: the next look finds an owner that is as good as dead.
      ws.active.delete(owner.nonce);
      throw error;
    }
    emit({ event: 'recovered', task: task.id, attempt: action.attempt, reason: action.reason });
  }
  return running;
}

function ownerRecord(
  ws: Workspace,
  task: TaskRead,
  action: Claim,
  agent: string,
  contract: Contract | undefined,
): OwnerRecord {
  return {
    v: 1,
    task: task.id,
    attempt: action.attempt,
    kind: action.work,
    owner: action.owner,
    agent,
    nonce: ws.machine.nonce(),
    base: action.recovers ? deadBase(task) : highestCommitted(task),
    claimed: ws.machine.now().toISOString(),
    contract: task.contract_hash,
    inputs: task.inputs_hash,
    baseline:
      action.work === 'work' && contract !== undefined
        ? baseline(ws, contract.head.deliverables)
        : [],
    ...ws.machine.self(),
  };
}

function highestCommitted(task: TaskRead): number {
  return (
    task.attempts.findLast((attempt) => !attempt.lost && attempt.outcome !== undefined)?.number ?? 0
  );
}

function deadBase(task: TaskRead): number {
  return task.attempts.at(-1)?.owner?.base ?? highestCommitted(task);
}

function isHighest(ws: Workspace, folder: string, number: number): boolean {
  const last = listAttempts(ws.disk, folder).at(-1);
  return last?.number === number && !last.lost;
}

/** Fences every attempt after `base` that is older than the recovery's own. */
function fenceDead(ws: Workspace, task: TaskRead, folder: string, base: number, own: number): void {
  for (const attempt of listAttempts(ws.disk, folder)) {
    if (attempt.number <= base || attempt.number >= own) continue;
    fence(ws.disk, folder, attempt.number, deskFolder(ws.layout, task.id, attempt.number));
  }
}

/** The newest attempt after the base that left an outcome or an exit record behind. */
export function inherited(running: Running): Attempt | undefined {
  if (!running.recovers) return undefined;
  return running.task.attempts.findLast(
    (attempt) =>
      attempt.number > running.owner.base &&
      (attempt.outcome !== undefined || attempt.exit !== undefined),
  );
}

/** Moves a freshly claimed task into in_progress; false when a person was faster. */
export function enter(running: Running): boolean {
  const { ws, id, task } = running;
  if (task.state === 'in_progress') return true;
  if (task.state !== 'ready') return false;
  const moved = moveTask(ws.disk, ws.layout, id, 'ready', 'in_progress');
  if (moved === 'taken') {
    throw new Fault(`${id} stands in ready and in in_progress`, {
      fix: `Move one of the two folders out of active_tasks; see contracts doctor`,
    });
  }
  if (moved === 'gone') return false;
  const folder = taskFolder(ws.layout, 'in_progress', id);
  if (!isHighest(ws, folder, running.number)) return false;
  running.emit({
    event: 'moved',
    task: id,
    from: 'ready',
    to: 'in_progress',
    trigger: 'claimed',
    reason: `attempt ${running.number}${running.owner.agent === '' ? '' : ` by ${running.owner.agent}`}`,
    attempt: running.number,
  });
  return true;
}

export interface Place {
  readonly state: State;
  readonly folder: string;
}

/**
 * Where the task stands now, found by the nonce in the attempt's owner record: a folder of the same
 * name without it is not this task. Looks at home first.
 */
export function findPlace(running: Running): Place | undefined {
  const { ws, id } = running;
  const home = homeOf(running.kind);
  const states = [home, ...locate(ws.disk, ws.layout, id).filter((state) => state !== home)];
  for (const state of states) {
    const folder = taskFolder(ws.layout, state, id);
    if (holds(ws.disk, attemptFolder(folder, running.number), running.owner_bytes)) {
      return { state, folder };
    }
  }
  return undefined;
}

/**
 * Commits the outcome: the desk into the attempt, then outcome.md. undefined when the attempt was
 * fenced or the folder is gone: the work of this process counts for nothing then.
 */
export function commitOutcome(
  running: Running,
  outcome: OutcomeRecord,
  body: string,
): Place | undefined {
  const { ws, id, number } = running;
  const bytes = bytesOf(renderRecord(outcome, body));
  for (let tries = 0; tries < 3; tries++) {
    const place = findPlace(running);
    if (place === undefined) break;
    adoptDesk(ws.disk, deskFolder(ws.layout, id, number), attemptFolder(place.folder, number));
    const done = commit(ws.putting, place.folder, number, running.owner_bytes, bytes);
    if (done === 'fenced') continue;
    running.emit({
      event: 'ended',
      task: id,
      attempt: number,
      kind: running.kind,
      outcome: outcome.outcome,
      reason: outcome.reason,
      ...(outcome.seconds === undefined ? {} : { seconds: outcome.seconds }),
    });
    return findPlace(running) ?? place;
  }
  running.emit({
    event: 'lost_race',
    task: id,
    reason: `attempt ${number} was taken over or its folder removed; its outcome is not counted`,
  });
  return undefined;
}

/** The owner has no more business with it. A lease that stays after a crash is harmless. */
export function release(running: Running): void {
  const { ws } = running;
  ws.active.delete(running.owner.nonce);
  const place = findPlace(running);
  if (place === undefined) return;
  const lease = join(attemptFolder(place.folder, running.number), 'lease.md');
  if (ws.disk.stat(lease) !== undefined) ws.disk.remove(lease);
}

/** Still the owner of the highest attempt: the only one who may move the task. */
export function mayMove(running: Running, folder: string): boolean {
  return (
    highestAttempt(running.ws.disk, folder) === running.number &&
    holds(running.ws.disk, attemptFolder(folder, running.number), running.owner_bytes)
  );
}
