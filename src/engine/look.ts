/**
 * What happens next with one task of a board, and the one thing that decide() cannot see from the
 * task alone: that its id also stands in done or aborted. These are never listed, so each is asked
 * by name, and only for a task that is about to act.
 */
import { decide } from '../core/decide.ts';
import type { Action } from '../core/action.ts';
import { formatProblem, problem, type Problem } from '../core/problem.ts';
import type { State } from '../core/state.ts';
import type { TaskRead } from '../core/task.ts';
import { shown, taskFolder } from '../store/layout.ts';
import type { Board } from './board.ts';
import { factsOf } from './facts.ts';
import type { Workspace } from './workspace.ts';

type Doing = Exclude<Action, { kind: 'wait' }>;

export function lookAt(ws: Workspace, board: Board, task: TaskRead): Action {
  const action = decide(task, factsOf(ws, board, task));
  if (action.kind === 'wait') return action;
  const ended = (['done', 'aborted'] as const).filter(
    (state) =>
      state !== task.state && ws.disk.stat(taskFolder(ws.layout, state, task.id)) !== undefined,
  );
  if (ended.length === 0) return action;
  const found = doubleProblem(ws, task.id, [task.state, ...ended]);
  return {
    kind: 'wait',
    on: 'person',
    reason: formatProblem(found),
    fix: 'contracts doctor',
    problems: [found],
  };
}

/** What the next step does, and why the last review did not come to its end, when a fault kept it. */
export function nextWords(task: TaskRead, action: Doing, executor: string): string {
  const last = task.attempts.at(-1);
  const kept =
    task.state === 'review' && last?.kind === 'review' && last.outcome?.outcome === 'interrupted'
      ? `; attempt ${last.number} was interrupted: ${last.outcome.reason}`
      : '';
  return `next step: ${deed(action, executor)}${kept}`;
}

/** The reason of a claim is the title; who reads this wants to know what happens. */
function deed(action: Doing, executor: string): string {
  if (action.kind === 'move') return `goes to ${action.to}: ${action.reason}`;
  if (action.kind !== 'claim' || action.work === 'review' || action.recovers) return action.reason;
  return action.owner === 'person' ? "puts it into a person's hands" : `calls ${executor}`;
}

export function doubleProblem(ws: Workspace, id: string, states: readonly State[]): Problem {
  return problem({
    code: 'two_states',
    file: shown(ws.layout, taskFolder(ws.layout, states[0] ?? 'draft', id)),
    message: `task ${id} stands in ${states.join(' and in ')}; neither is touched`,
    fix: 'Move one of the two folders out of active_tasks; see contracts doctor',
  });
}
