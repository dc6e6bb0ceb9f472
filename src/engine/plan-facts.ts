/**
 * What a plan says about its tasks as long as they are not claimed: that it is paused, that they are
 * worked on one at a time. Looked up when it is asked for, of that plan alone; each answer is the
 * disk's, so that whoever recorded what a look asked for sees it change.
 */
import type { Contract } from '../core/contract.ts';
import { PLAN_NAME } from '../core/plan-document.ts';
import { problem, type Problem } from '../core/problem.ts';
import type { Attempt } from '../core/record.ts';
import { planFolder, shown } from '../store/layout.ts';
import { saysOneAtATime } from '../text/one-at-a-time.ts';
import { readText } from './read-text.ts';
import type { Workspace } from './workspace.ts';

/** The name of the file that pauses a plan. What it says is for people. */
export const PAUSED = 'PAUSED';
export const PLAN_FILE = 'plan.md';

export function isPaused(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  return ws.disk.stat(`${planFolder(ws.layout, plan)}/${PAUSED}`) !== undefined;
}

/** Paused, and its plan.md may be gone: what waits for it goes on all the same. */
export function leftPaused(ws: Workspace, typed: string | undefined): string | undefined {
  const name = typed?.replace(/^(?:\.\/)?\.contracts\/plans\//, '').replace(/\/$/, '');
  return name !== undefined && isPaused(ws, name) ? name : undefined;
}

export function isOneAtATime(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  const path = `${planFolder(ws.layout, plan)}/${PLAN_FILE}`;
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
  const file = shown(layout, `${planFolder(layout, plan)}/${PLAN_FILE}`);
  return deliverables.includes(file) ? file : undefined;
}

/** One that is there, and no attempt has handed it in: a person was faster, and nothing is written over it. */
export function writtenByHand(
  ws: Workspace,
  id: string,
  contract: Contract,
  attempts: readonly Attempt[],
): Problem | undefined {
  const file = requestedPlan(ws, contract);
  if (file === undefined || ws.disk.stat(`${ws.layout.root}/${file}`) === undefined) {
    return undefined;
  }
  const done = attempts.some(
    ({ kind, lost, outcome }) => kind === 'work' && !lost && outcome?.outcome === 'complete',
  );
  if (done) return undefined;
  const fix = `To keep it: contracts abort ${id}, then contracts plan start ${contract.head.plan}; to have it written by ${contract.head.agent ?? 'its agent'}: move it away`;
  const message = 'the plan was written by hand meanwhile, and is not written over';
  return problem({ code: 'bad_value', file, message, fix });
}
