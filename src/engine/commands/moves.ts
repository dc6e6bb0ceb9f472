/**
 * The verbs that are moves: confirm, abort, reopen, retry. Each does what a person could do with `mv`, by
 * the same table; confirm refuses a contract that no agent could be called for.
 */
import { join } from 'node:path';
import type { Contract } from '../../task/core/model/contract.ts';
import { ok, problem, refused, type Problem, type Result } from '../../task/core/model/problem.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import { transition, type Trigger } from '../../task/core/model/transitions.ts';
import { groupMoves, type GroupedMoves } from '../../task/store/tasks/group-commit.ts';
import { shown, taskFolder } from '../../task/store/tasks/layout.ts';
import { moveTask } from '../../task/store/tasks/tasks.ts';
import { NO_BOARD } from '../board/board.ts';
import { lostDependencies } from '../preflight/dependencies.ts';
import { findTask } from '../queries/find-task.ts';
import { notifyState } from '../attempt/notify.ts';
import { preflight } from '../preflight/preflight.ts';
import { copiedAttempts } from '../preflight/copied.ts';
import { unnamedCriteria } from '../preflight/criteria.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { keptWork } from '../../worktrees/engine/worktree.ts';

export type MoveVerb = 'confirm' | 'abort' | 'reopen' | 'retry';

/** `reason` is reported with each move. */
interface Move {
  readonly trigger: Trigger;
  readonly reason: string;
  /** The state, where only one allows it. */
  readonly from?: State;
}

const MOVES: Readonly<Record<MoveVerb, Move>> = {
  confirm: { trigger: 'confirmed', reason: 'confirmed' },
  abort: { trigger: 'abort', reason: 'aborted by a person' },
  reopen: { trigger: 'reopen', reason: 'reopened by a person' },
  retry: { trigger: 'retry', reason: 'to be tried again', from: 'blocked' },
};

export interface Moved {
  readonly id: string;
  readonly from: State;
  readonly to: State;
  readonly trigger: Trigger;
  /** Problems that are in the way of a call; the move was made all the same. */
  readonly problems: readonly Problem[];
  /** The place where the work of an aborted task stays, if it was in a worktree. */
  readonly kept?: string;
}

export function moveByVerb(ws: Workspace, verb: MoveVerb, id: string): Result<Moved> {
  const moved = move(ws, verb, id, (...to) => moveTask(ws.disk, ws.layout, ...to));
  if (moved.ok) notify(ws, verb, moved.value);
  return moved;
}

function notify(ws: Workspace, verb: MoveVerb, { id, from, to }: Moved): void {
  notifyState(ws, { task: id, from, to, reason: MOVES[verb].reason });
}

export interface ManyMoved {
  readonly results: readonly Result<Moved>[];
  /** The error of the disk at the id after these; the rest was not tried. */
  readonly fault?: unknown;
}

/** Many at once, each for itself; durable together, before any of them is reported. */
export function moveManyByVerb(ws: Workspace, verb: MoveVerb, ids: readonly string[]): ManyMoved {
  const group = groupMoves(ws.disk, ws.layout);
  const grouped: Workspace = { ...ws, disk: group.disk, installed: new Map() };
  const results: Result<Moved>[] = [];
  let failed: Pick<ManyMoved, 'fault'> = {};
  try {
    for (const id of ids) results.push(move(grouped, verb, id, group.move));
  } catch (fault) {
    failed = { fault };
  }
  group.flush();
  for (const moved of results) if (moved.ok) notify(ws, verb, moved.value);
  return { results, ...failed };
}

type Mover = GroupedMoves['move'];

function move(ws: Workspace, verb: MoveVerb, id: string, mover: Mover): Result<Moved> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = found.value;
  const { trigger, from } = MOVES[verb];
  const to = transition(task.state, trigger);
  if (to === undefined) return refused([wrongState(ws, id, verb, task.state, from)]);
  const known =
    verb === 'confirm'
      ? [...copiedAttempts(ws, task), ...hindrances(ws, task.state, id, task.contract)]
      : undefined;
  if (known?.some((one) => one.severity === 'error') === true) return refused(known);
  const moved = mover(id, task.state, to);
  if (moved !== 'moved') return notMoved(ws, { id, from: task.state, to }, moved);
  const { contract } = task;
  // Where nothing was in its way before, nothing is now.
  const later = () => (known?.length === 0 ? [] : hindrances(ws, to, id, contract));
  const problems = to === 'ready' && contract.ok ? later() : [];
  const kept = verb === 'abort' ? keptWork(ws, id) : undefined;
  const more = kept === undefined ? {} : { kept };
  return ok({ id, from: task.state, to, trigger, problems, ...more });
}

/** Problems before a call. A dependency, and what it makes, may come later: that is a warning. */
function hindrances(ws: Workspace, state: State, id: string, read: Result<Contract>) {
  if (!read.ok) return read.problems;
  const contract = read.value;
  const folder = taskFolder(ws.layout, state, id);
  const file = shown(ws.layout, join(folder, 'contract.md'));
  const lost = lostDependencies(ws, NO_BOARD, contract, file);
  return [
    ...read.warnings.map((one) => ({ ...one, file })),
    ...preflight(ws, folder, contract, false),
    ...lost.map((one) =>
      one.code === 'unknown_dependency' ? one : { ...one, severity: 'warning' as const },
    ),
    ...unnamedCriteria(ws, contract, file),
  ];
}

/** Another process or a person was faster. */
export function notMoved(
  ws: Workspace,
  { id, from, to }: Pick<Moved, 'id' | 'from' | 'to'>,
  moved: 'gone' | 'taken',
): Result<never> {
  const file = shown(ws.layout, taskFolder(ws.layout, from, id));
  const taken = `a task of that id is in ${to} already`;
  const message = moved === 'gone' ? 'it was moved just now' : taken;
  return refused({ code: 'two_states', file, message, fix: `Look again: contracts show ${id}` });
}

export function wrongState(
  ws: Workspace,
  id: string,
  verb: string,
  state: State,
  expected?: string,
): Problem {
  return problem({
    code: 'bad_value',
    file: shown(ws.layout, taskFolder(ws.layout, state, id)),
    message: `cannot ${verb === 'needs-work' ? 'send back' : verb} a task that is in ${state}`,
    ...(expected === undefined ? {} : { expected }),
    fix: isTerminal(state)
      ? `It has ended. See how: contracts show ${id}`
      : `See what it waits for: contracts show ${id}`,
  });
}
