/** Plans that a live task is to write: a folder without plan.md. */
import { PLAN_NAME } from '../../core/plan-document.ts';
import { plansFolder } from '../../../task/store/tasks/layout.ts';
import { listOrNothing } from '../../../task/store/tasks/tasks.ts';
import { readBoard } from '../../../engine/board/board.ts';
import { planToWrite } from '../follow/plan-facts.ts';
import { hasPlan } from './find-plans.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export function plansAsked(ws: Workspace) {
  const unwritten = listOrNothing(ws.disk, plansFolder(ws.layout)).filter(
    ({ name, kind }) => kind === 'folder' && PLAN_NAME.test(name) && !hasPlan(ws, name),
  );
  if (unwritten.length === 0) return [];
  const names = new Set(unwritten.map(({ name }) => name));
  return [...readBoard(ws, { quick: 'rows' }).tasks.values()].flatMap(({ id, state, contract }) => {
    const plan = contract.ok ? planToWrite(ws, contract.value) : undefined;
    return plan !== undefined && names.has(plan) ? [{ plan, task: id, state }] : [];
  });
}

export function askedWords({ task, state }: ReturnType<typeof plansAsked>[number]): string {
  return `not written yet: ${task} (${state}) is to write it`;
}
