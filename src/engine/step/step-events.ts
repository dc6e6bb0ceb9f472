/** What a step reports besides what happens: problems of the board, warnings about one task, and waits. */
import type { Action, Wait } from '../../task/core/model/action.ts';
import type { Event } from '../../task/core/lines/event.ts';
import { given } from '../../task/core/base/defined-fields.ts';
import type { Candidate } from '../core/decide/schedule.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import type { Emit } from '../../workspace/tasks/attempt-context.ts';
import type { Board } from '../board/board.ts';
import { faultEvent } from '../attempt/fault-event.ts';
import { bellProblems } from '../attempt/notify.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

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

/** At the first claim: a person may have moved the draft by hand and seen no warning of a misspelt key. */
export function reportWarnings(emit: Emit, task: TaskRead, action: Action): void {
  if (action.kind !== 'claim' || action.work !== 'work' || !task.contract.ok) return;
  if (task.attempts.length > 0) return;
  for (const warning of task.contract.warnings) emit({ event: 'problem', problem: warning });
}

/** Once a step, and only where it was to ring: after any move but a claim. */
export function reportNotifyProblems(ws: Workspace, events: readonly Event[], emit: Emit): void {
  if (!events.some((one) => one.event === 'moved' && one.trigger !== 'claimed')) return;
  for (const found of bellProblems(ws, true)) emit({ event: 'problem', problem: found });
}

export function waitEvent({ id: task, state }: TaskRead, wait: Wait): Event {
  const { code, on, reason, fix, until, behind } = wait;
  const problems = wait.problems.length === 0 ? undefined : wait.problems;
  const more = given({ problems, until, behind });
  return { event: 'waits', task, state, code, on, reason, fix, ...more };
}
