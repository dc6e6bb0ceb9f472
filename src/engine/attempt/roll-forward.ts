/**
 * Rolls a committed outcome forward: publishes its files, moves the folder by the table, gives the
 * lease back (docs/protocol.md#roll-forward). Only the owner of the highest attempt moves anything, and
 * nothing is moved after a person's move.
 */
import { count, SEND_BACKS } from '../../task/core/attempts/counters.ts';
import { pendingGates } from '../core/decide/decide-review.ts';
import { nextState } from '../core/judge/judge.ts';
import { noticedCount } from '../../task/core/attempts/noticed.ts';
import { isTrouble } from '../../task/core/attempts/pause.ts';
import { homeOf, leftLease } from '../../task/core/attempts/open-attempt.ts';
import { gatesFor } from '../../agents/engine/gates.ts';
import { limitsFor, type Limits } from '../../task/core/model/policy.ts';
import type { Attempt, OutcomeRecord } from '../../task/core/attempts/record.ts';
import type { State } from '../../task/core/model/state.ts';
import type { Kind, TaskRead } from '../../task/core/model/task.ts';
import { isGone, unlessGone } from '../../task/store/disk/disk.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { decodeText } from '../../task/text/yaml/front-matter.ts';
import { readAttempts } from '../../workspace/tasks/read-attempts.ts';
import { renderBlocked, stoppedBecause, whyBlocked } from './blocked-file.ts';
import { capabilitiesOf } from '../../workspace/tasks/capability.ts';
import { kindOf } from '../../workspace/tasks/kinds.ts';
import { fromDesk, publish } from './current-files.ts';
import { placeDocuments } from './documents.ts';
import { inBoth } from './fault-event.ts';
import { notifyState } from './notify.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { publishFiles, type Ended } from './publish-files.ts';
import {
  atPlace,
  bytesOf,
  mayMove,
  release,
  type Place,
  type Running,
  type Context,
} from '../../workspace/tasks/attempt-context.ts';
import { join } from 'node:path';

/** A check, a reviewer or a person sent the work back, or its agent gave up. A call that went wrong says nothing of it. */
function isNotAccepted(outcome: OutcomeRecord): boolean {
  const { outcome: name } = outcome;
  return (name === 'failed' || name === 'reject' || SEND_BACKS.has(name)) && !isTrouble(outcome);
}

/** Returns the state that the task is in afterwards. */
export function rollForward(running: Running, place: Place, ended: Ended): State {
  const now =
    atPlace(running, (at) => {
      publishFiles(running, at, ended);
      return at;
    }) ?? place;
  const home = homeOf(running);
  if (now.state !== home || ended.stays === true) {
    const reason = `is in ${now.state}; attempt ${running.number} is recorded as ${ended.outcome.outcome}`;
    running.emit({ event: 'moved_by_hand', task: running.id, to: now.state, reason });
    release(running);
    return now.state;
  }
  // Of a round of questions nothing but them is taken.
  const isWork = running.kind !== 'ask';
  if (isWork && ended.desk !== now.folder) {
    unlessGone(() => placeDocuments(running, ended.outcome.outcome, ended.desk), undefined);
  }
  if (isWork && ['delegated', 'questions'].includes(ended.outcome.outcome)) {
    for (const one of capabilitiesOf(running.ws))
      one.handed_over?.(running, ended.desk, ended.outcome);
  }
  const target = targetOf(running, now, home, ended);
  if (ended.outcome.outcome === 'approved') reportGate(running, target.pending);
  const { to } = target;
  const state =
    to === undefined ? home : moveOnUnlessMoved(running, now, { ...target, to }, ended.outcome);
  release(running);
  return state;
}

/** One of several gates has approved: the task stays, and nothing else would show it. */
function reportGate(
  { ws, id, number, owner, task, contract, emit }: Running,
  pending: readonly string[],
): void {
  const [next] = pending;
  if (contract === undefined || next === undefined) return;
  const of = gatesFor(ws, contract, task.attempts).length;
  emit({
    event: 'gate_approved',
    task: id,
    attempt: number,
    gate: owner.agent,
    number: of - pending.length,
    of,
    waits_for: next,
  });
}

interface Target {
  readonly to: State | undefined;
  readonly pending: readonly string[];
  /** How many changes of unknown origin there are, when the task comes to done. */
  readonly noticed: number;
}

/** By the table, with counts that include this outcome. */
function targetOf(running: Running, place: Place, home: State, ended: Ended): Target {
  const { outcome } = ended;
  const { ws, contract, task } = running;
  const self: Attempt = {
    number: running.number,
    lost: false,
    kind: running.kind,
    owner: running.owner,
    agent: undefined,
    check: undefined,
    exit: undefined,
    outcome,
    leased: true,
    blocked:
      ws.disk.stat(`${attemptFolder(place.folder, running.number)}/blocked.md`) !== undefined,
    anew: false,
  };
  // Lost attempts since the base keep their blocked.md: its round continues.
  const earlier = task.attempts
    .filter(({ number }) => number < running.number)
    .map((one) => (one.number <= running.owner.base ? one : { ...one, lost: true }));
  const attempts = [...earlier, self];
  const limited = limitsOf(running, ended);
  const isSame = outcome.no_result === 'same_again';
  const limits = isSame ? { ...limited, retries_max: 0, reviews_max: 0 } : limited;
  const gates = contract === undefined ? [] : gatesFor(ws, contract, attempts);
  const pending = pendingGates({ ...task, attempts }, gates);
  const to = nextState(home, outcome.outcome, count(attempts, false), limits, pending.length);
  return { to, pending, noticed: to === 'done' ? noticedCount(attempts) : 0 };
}

function limitsOf(running: Running, { outcome, desk }: Ended): Limits {
  const { ws, contract } = running;
  const role = contract === undefined ? undefined : executorOf(ws, contract);
  const limits = limitsFor(contract, role?.definition, ws.config);
  const kind = kindOf(ws, contract);
  const decision = () => decisionOn(running, desk, kind);
  return kind.limits?.(limits, outcome.outcome, decision) ?? limits;
}

function decisionOn(running: Running, desk: string, { decision }: Kind): string | undefined {
  const bytes = fromDesk(running, desk, 'questions.md');
  const text = bytes === undefined ? undefined : decodeText(bytes, 'questions.md');
  return text?.ok === true ? decision?.parse(text.value).decision : undefined;
}

type Aim = Target & { readonly to: State };

function moveOnUnlessMoved(running: Running, place: Place, target: Aim, outcome: OutcomeRecord) {
  try {
    return moveOn(running, place, target, outcome);
  } catch (error) {
    if (!isGone(error)) throw error;
    return movedJustNow(running, place.state);
  }
}

function movedJustNow({ id, emit }: Running, from: State): State {
  const reason = 'was moved by hand just now';
  emit({ event: 'moved_by_hand', task: id, to: 'elsewhere', reason });
  return from;
}

/** Since the move another process has begun a newer attempt, which builds on this one. */
function isSucceeded(running: Running, folder: string): boolean {
  const { attempts } = readAttempts(running.ws, folder, running.id);
  const own = attempts.find((attempt) => attempt.number === running.number);
  const base = attempts.at(-1)?.owner?.base ?? 0;
  return own?.lost === false && base >= running.number;
}

function moveOn(
  running: Running,
  place: Place,
  { to, noticed }: Aim,
  outcome: OutcomeRecord,
): State {
  const { ws, id, emit } = running;
  const from = place.state;
  if (!mayMove(running, place.folder)) {
    emit({ event: 'lost_race', task: id, reason: 'a newer attempt continues it' });
    return from;
  }
  // After a crash it is the dead runner's, and a person may have begun to answer in it.
  const is_there = running.recovers && ws.disk.stat(`${place.folder}/blocked.md`) !== undefined;
  if (to === 'blocked' && !is_there) {
    const text = renderBlocked(ws, running.task, whyBlocked(running.task, outcome), place.folder);
    publish(running, place.folder, 'blocked.md', bytesOf(text));
  }
  // Before the move: tasks that depend on this one may be called as soon as it is in done.
  for (const one of capabilitiesOf(ws)) {
    if (to === 'done') one.on_done?.(running, place.folder);
    else if (isNotAccepted(outcome)) one.on_back?.(running, place.folder, outcome);
  }
  const moved = moveTask(ws.disk, ws.layout, id, from, to);
  if (moved === 'taken') throw inBoth(id, from, to);
  if (moved === 'gone') return movedJustNow(running, from);
  const there = taskFolder(ws.layout, to, id);
  const still = ws.disk.stat(there) !== undefined;
  if (still && !mayMove(running, there) && !isSucceeded(running, there)) {
    moveTask(ws.disk, ws.layout, id, to, from);
    emit({ event: 'lost_race', task: id, reason: 'a newer attempt continues it' });
    return from;
  }
  const reason = to === 'blocked' ? stoppedBecause(running.task, outcome) : outcome.reason;
  emit({
    event: 'moved',
    task: id,
    from,
    to,
    trigger: outcome.outcome,
    reason,
    attempt: running.number,
    ...(noticed === 0 ? {} : { noticed }),
  });
  notifyState(ws, { task: id, from, to, reason });
  return to;
}

/**
 * Gives back the lease of an attempt whose process rolled it forward and then died. Safe if that process lives
 * after all: it finds its lease gone, and removing it was all that was left to do.
 */
export function giveLeaseBack({ ws, emit }: Context, task: TaskRead): void {
  const { disk, layout } = ws;
  const left = leftLease(task);
  if (left === undefined) return;
  const attempt = attemptFolder(taskFolder(layout, task.state, task.id), left.number);
  try {
    disk.remove(join(attempt, 'lease.md'));
  } catch (error) {
    // Its owner was faster, or a person has just moved the folder.
    if (!isGone(error)) throw error;
    return;
  }
  const reason = `attempt ${left.number} had ended and moved the task; its lease is given back`;
  emit({ event: 'recovered', task: task.id, attempt: left.number, reason });
}
