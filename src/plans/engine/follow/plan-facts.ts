/** What a plan says before a claim. Each question reads the disk: a recorded step notices a change. */
import type { Contract } from '../../../task/core/model/contract.ts';
import type { TaskRead } from '../../../task/core/model/task.ts';
import { PLAN_NAME } from '../../core/plan-document.ts';
import { planFolder, shown, taskFolder } from '../../../task/store/tasks/layout.ts';
import { isOneAtATimeIn } from '../../text/sequential.ts';
import { executorOf } from '../../../agents/engine/roles.ts';
import { readText } from '../../../workspace/open/text-file.ts';
import { isPlacedBy } from '../../../workspace/tasks/placed.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export const PLAN_FILE = 'plan.md';

export function planPath({ layout }: Pick<Workspace, 'layout'>, plan: string): string {
  return `${planFolder(layout, plan)}/${PLAN_FILE}`;
}

export function pausedPath({ layout }: Workspace, plan: string): string {
  return `${planFolder(layout, plan)}/PAUSED`;
}

export function isPaused(ws: Workspace, plan: string): boolean {
  return PLAN_NAME.test(plan) && ws.disk.stat(pausedPath(ws, plan)) !== undefined;
}

/** A paused plan can be resumed although its plan.md is missing. */
export function leftPaused(ws: Workspace, typed: string | undefined): string | undefined {
  const name = typed?.replace(/^(?:\.\/)?\.contracts\/plans\//, '').replace(/\/$/, '');
  return name !== undefined && isPaused(ws, name) ? name : undefined;
}

export function isOneAtATime(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  const path = planPath(ws, plan);
  if (ws.disk.stat(path) === undefined) return false;
  const read = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  return read.ok && isOneAtATimeIn(read.value);
}

/** The name of the plan that a contract must write: it delivers plan.md, and `plan_valid` checks it. */
export function planToWrite(
  { layout }: Pick<Workspace, 'layout'>,
  { head: { deliverables }, checks }: Contract,
): string | undefined {
  const named = checks.flatMap((one) =>
    one.kind === 'named' && one.name === 'plan_valid' ? (one.path ?? []) : [],
  );
  const isDelivered = (plan: string): boolean =>
    deliverables.includes(shown(layout, planPath({ layout }, plan)));
  return named.find((plan) => PLAN_NAME.test(plan) && isDelivered(plan));
}

/** Its plan.md, relative to the workspace. */
export function requestedPlan(
  { layout }: Pick<Workspace, 'layout'>,
  contract: Contract,
): string | undefined {
  const plan = planToWrite({ layout }, contract);
  return plan === undefined ? undefined : shown(layout, planPath({ layout }, plan));
}

/** The requested plan.md where no attempt handed it in as it is now, and the next one would change it. */
export function planByHand(ws: Workspace, contract: Contract, { state, id }: TaskRead) {
  const file = requestedPlan(ws, contract);
  const isThere = file !== undefined && ws.disk.stat(`${ws.layout.root}/${file}`) !== undefined;
  if (!isThere || executorOf(ws, contract).adapter?.mode === 'human') return undefined;
  return isPlacedBy(ws, taskFolder(ws.layout, state, id), file) ? undefined : file;
}
