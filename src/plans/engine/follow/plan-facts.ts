/**
 * What a plan says about its tasks as long as they are not claimed: that it is paused, that they are
 * worked on one at a time. Looked up when it is asked for, of that plan alone; each answer is the
 * disk's, so that whoever recorded what a look asked for sees it change.
 */
import type { Contract } from '../../../task/core/model/contract.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { planFolder, shown } from '../../../task/store/tasks/layout.ts';
import { saysOneAtATime } from '../../text/sequential.ts';
import { readText } from '../../../workspace/open/text-file.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export const PLAN_FILE = 'plan.md';

export function planPath({ layout }: Pick<Workspace, 'layout'>, plan: string): string {
  return `${planFolder(layout, plan)}/${PLAN_FILE}`;
}

/** Of the file that pauses it. What it says is for people. */
export function pausedPath({ layout }: Workspace, plan: string): string {
  return `${planFolder(layout, plan)}/PAUSED`;
}

export function isPaused(ws: Workspace, plan: string): boolean {
  return PLAN_NAME.test(plan) && ws.disk.stat(pausedPath(ws, plan)) !== undefined;
}

/** Paused, and its plan.md may be gone: what waits for it goes on all the same. */
export function leftPaused(ws: Workspace, typed: string | undefined): string | undefined {
  const name = typed?.replace(/^(?:\.\/)?\.contracts\/plans\//, '').replace(/\/$/, '');
  return name !== undefined && isPaused(ws, name) ? name : undefined;
}

export function isOneAtATime(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  const path = planPath(ws, plan);
  if (ws.disk.stat(path) === undefined) return false;
  const read = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  return read.ok && saysOneAtATime(read.value);
}

/** The plan.md that a contract of `plan new` is to make, relative to the workspace. */
export function requestedPlan(
  { layout }: Pick<Workspace, 'layout'>,
  { head: { plan, workflow, deliverables } }: Contract,
): string | undefined {
  if (workflow !== 'plan' || plan === undefined || !PLAN_NAME.test(plan)) return undefined;
  const file = shown(layout, planPath({ layout }, plan));
  return deliverables.includes(file) ? file : undefined;
}
