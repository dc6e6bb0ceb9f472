/**
 * What happens next with one task of a board, and what decide() cannot see from the task alone: that its
 * id is in another state too.
 */
import { tryName } from '../../task/core/attempts/counters.ts';
import { wait } from '../core/words/waits.ts';
import type { Action, Wait } from '../../task/core/model/action.ts';
import { problem, type Problem } from '../../task/core/model/problem.ts';
import { isTerminal, type State } from '../../task/core/model/state.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { deskFolder, shown, taskFolder } from '../../task/store/tasks/layout.ts';
import type { Doing } from './apply.ts';
import type { Board } from '../board/board.ts';
import { endedToo } from '../board/dependency.ts';
import { decideAsk } from '../core/decide/decide-ask.ts';
import { decided } from './facts.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';

export function lookAt(ws: Workspace, board: Board, task: TaskRead): Action {
  const live = board.doubles.get(task.id);
  if (live !== undefined) return doubleWait(ws, task.id, [...live, ...endedToo(ws, task)]);
  const action = orAtRest(ws, task, decided(ws, board, task).action);
  if (!isWorthAsking(board, task, action)) return action;
  const ended = endedToo(ws, task);
  return ended.length === 0 ? action : doubleWait(ws, task.id, [task.state, ...ended]);
}

/** Decides for a round of questions; a wait where its agent cannot be asked. */
export function askAt(
  ws: Workspace,
  board: Board,
  task: TaskRead,
  asks: ReadonlyMap<string, number>,
): Action {
  const live = board.doubles.get(task.id);
  if (live !== undefined) return doubleWait(ws, task.id, live);
  const after = asks.get(task.id);
  return decided(ws, board, task, {}, (now, known) => decideAsk(now, known, after)).action;
}

/** An attempt that an ended task left open is settled only where it left a desk (leftDesks). */
export function orAtRest(ws: Workspace, task: TaskRead, action: Action): Action {
  if (!isTerminal(task.state) || (action.kind !== 'claim' && action.kind !== 'settle')) {
    return action;
  }
  const last = task.attempts.at(-1);
  if (last === undefined || ws.disk.stat(deskFolder(ws.layout, task.id, last.number)) !== undefined)
    return action;
  // What was in a person's hands ends with the person's move.
  const how = action.kind === 'settle' ? 'was not handed in' : 'was cut short';
  return wait('ended', {
    id: task.id,
    state: task.state,
    rest: `; ${tryName(task.attempts, last)} ${how}`,
  });
}

function doubleWait(ws: Workspace, id: string, states: readonly State[]): Wait {
  return wait('two_states', { states }, [doubleProblem(ws, id, states)]);
}

/**
 * Whoever acts is asked about always. Whoever waits only where tasks are few: of many thousand, two
 * looks for each would cost more than all the rest, and `check`, `show` and every move still tell.
 */
function isWorthAsking(board: Board, task: TaskRead, action: Action): boolean {
  if (action.kind !== 'wait') return true;
  return board.rows === undefined && !isTerminal(task.state) && action.on !== 'agent';
}

/** The problem of a task in two states: nothing is written to it. */
export function doubleOf(action: Action): Problem | undefined {
  if (action.kind !== 'wait') return undefined;
  return action.problems.find(({ code }) => code === 'two_states');
}

/** Words for the next action, and for the fault that ended the last review, if one did. */
export function nextWords(task: TaskRead, action: Doing, executor: string): string {
  const last = task.attempts.at(-1);
  const kept =
    task.state === 'review' && last?.kind === 'review' && last.outcome?.outcome === 'interrupted'
      ? `; ${tryName(task.attempts, last)} was interrupted: ${last.outcome.reason}`
      : '';
  return `next step: ${actionWords(action, executor)}${kept}`;
}

/** The reason of a claim is the title, which does not tell what happens. */
function actionWords(action: Doing, executor: string): string {
  if (action.kind === 'move') return `goes to ${action.to}: ${action.reason}`;
  if (action.kind !== 'claim' || action.work === 'review' || action.recovers) return action.reason;
  return action.owner === 'person' ? "puts it into a person's hands" : `calls ${executor}`;
}

export function doubleProblem(ws: Workspace, id: string, states: readonly State[]): Problem {
  return problem({
    code: 'two_states',
    file: shown(ws.layout, taskFolder(ws.layout, states[0] ?? 'draft', id)),
    message: `task ${id} is in ${states.join(' and in ')}; neither folder is changed`,
    fix: 'Move one of the two folders out of active_tasks; see contracts doctor',
  });
}
