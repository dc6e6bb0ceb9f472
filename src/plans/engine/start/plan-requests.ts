/** Plans that a live task is to write: a folder without plan.md. */
import { PLAN_NAME } from '../../core/plan-document.ts';
import type { State } from '../../../task/core/model/state.ts';
import { plansFolder } from '../../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../../task/store/tasks/tasks.ts';
import { readBoard } from '../../../engine/board/board.ts';
import { requestedPlan } from '../follow/plan-facts.ts';
import { hasPlan } from './find-plans.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export interface PlanAsked {
  readonly plan: string;
  readonly task: string;
  readonly state: State;
}

export function plansAsked(ws: Workspace): readonly PlanAsked[] {
  const unwritten = listOrNothing(ws.disk, plansFolder(ws.layout)).filter(
    ({ name, kind }) => kind === 'folder' && PLAN_NAME.test(name) && !hasPlan(ws, name),
  );
  if (unwritten.length === 0) return [];
  const names = new Set(unwritten.map(({ name }) => name));
  return [...readBoard(ws, { quick: true }).tasks.values()].flatMap(({ id, state, contract }) => {
    if (!contract.ok || requestedPlan(ws, contract.value) === undefined) return [];
    const { plan = '' } = contract.value.head;
    return names.has(plan) ? [{ plan, task: id, state }] : [];
  });
}

export function askedWords({ task, state }: PlanAsked): string {
  return `not written yet: ${task} (${state}) is to write it`;
}
