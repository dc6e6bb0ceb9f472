/**
 * Why the next step does with a task what it does: each fact that decided it, in the order in which it was asked,
 * and what was decided. Reads only; it decides by the same functions as the step.
 */
import type { LineData } from '../core/events/command-lines.ts';
import { factLines } from '../core/words/facts.ts';
import type { Action } from '../../task/core/model/action.ts';
import { ok, type Result } from '../../task/core/model/problem.ts';
import { slotLimits } from '../../task/core/model/policy.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { executorOf } from '../../agents/engine/roles.ts';
import { readBoard } from '../board/board.ts';
import { boardAround } from '../board/scoped-board.ts';
import { claimantOf, heldNow, othersOf } from '../step/claimant.ts';
import { decided } from '../step/facts.ts';
import { nextWords, orAtRest } from '../step/next-action.ts';
import type { Workspace } from '../../workspace/open/workspace.ts';
import { findTask } from './find-task.ts';

export function explain(ws: Workspace, id: string): Result<LineData<'explained'>> {
  const found = findTask(ws, id);
  if (!found.ok) return found;
  const task = found.value;
  const { action: next, known } = decided(ws, boardAround(ws, task), task);
  const { action, slots } = admitted(ws, task, orAtRest(ws, task, next));
  const agent = task.contract.ok ? executorOf(ws, task.contract.value).name : '';
  const words = action.kind === 'wait' ? action.reason : nextWords(task, action, agent);
  return ok({ task: id, facts: [...factLines(task, known), ...slots], action, words });
}

/** A claim waits where all slots are taken. */
function admitted(ws: Workspace, task: TaskRead, action: Action) {
  const one = claimantOf(ws, task, action);
  if (one === undefined) return { action, slots: [] };
  const others = othersOf(ws, readBoard(ws), { own: new Set() });
  const answer = `${others.running} of ${slotLimits(ws.config).all} taken`;
  const held = heldNow(ws, others, task, one);
  return { action: held ?? action, slots: [{ fact: 'slots', answer }] };
}
