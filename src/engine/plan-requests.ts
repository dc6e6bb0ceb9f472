/**
 * Plans that were asked for and are not written yet: their folder is there, no plan.md in it, and a live
 * task is to make it. Tasks are looked at only where there is such a folder.
 */
import { PLAN_NAME } from '../core/plan-document.ts';
import type { State } from '../core/state.ts';
import { plansFolder } from '../store/layout.ts';
import { listOrNothing } from '../store/tasks.ts';
import { readBoard } from './board.ts';
import { requestedPlan } from './plan-facts.ts';
import { hasPlan } from './plans.ts';
import type { Workspace } from './workspace.ts';

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
