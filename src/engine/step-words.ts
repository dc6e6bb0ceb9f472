/**
 * What a step says besides what happens: problems of the board, warnings about one task, and who
 * waits for whom. Turns what is known into events; decides and does nothing.
 */
import type { Action, Wait } from '../core/action.ts';
import type { Event } from '../core/event.ts';
import { given } from '../core/given.ts';
import type { Candidate } from '../core/plan.ts';
import type { TaskRead } from '../core/task.ts';
import type { Context, Emit } from './attempt/running.ts';
import type { Board } from './board.ts';
import { faultEvent } from './fault-event.ts';
import { bellProblems } from './on-state.ts';
import { unreadWords } from './unread-words.ts';
import type { Workspace } from './workspace.ts';

export function reportBoard(ws: Workspace, board: Board, emit: Emit, faulted: Set<string>): void {
  for (const found of [...ws.problems, ...board.problems]) {
    emit({ event: 'problem', problem: found });
  }
  for (const [id, error] of board.faults) {
    faulted.add(id);
    emit(faultEvent(id, error));
  }
}

export function reportPlanned(board: Board, { id, action }: Candidate, emit: Emit): void {
  const task = board.tasks.get(id);
  if (task !== undefined && action.kind === 'wait') emit(waitEvent(task, action));
}

/** A misspelt key is kept and means nothing; who moves a draft by hand sees it at the first claim. */
export function sayWarnings(emit: Emit, task: TaskRead, action: Action): void {
  if (action.kind !== 'claim' || action.work !== 'work' || !task.contract.ok) return;
  if (task.attempts.length > 0) return;
  for (const warning of task.contract.warnings) emit({ event: 'problem', problem: warning });
}

/** Once a step, and only where it was to ring: after any move but a claim. */
export function sayBell(ws: Workspace, events: readonly Event[], emit: Emit): void {
  if (!events.some((one) => one.event === 'moved' && one.trigger !== 'claimed')) return;
  for (const found of bellProblems(ws)) emit({ event: 'problem', problem: found });
}

export function sayUnread({ ws, emit }: Context, task: TaskRead): void {
  for (const found of unreadWords(ws, task)) emit({ event: 'problem', problem: found });
}

export function waitEvent({ id: task, state }: TaskRead, wait: Wait): Event {
  const { on, reason, fix, until } = wait;
  const problems = wait.problems.length === 0 ? undefined : wait.problems;
  return { event: 'waits', task, state, on, reason, fix, ...given({ problems, until }) };
}
