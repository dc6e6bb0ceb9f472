/** Writes a new plan.md into the folder that its name reserved. */
import { put } from '../../../task/store/disk/put.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';
import { planPath } from '../follow/plan-facts.ts';
import { planFileOf } from './find-plans.ts';

/** Returns where, relative to the workspace. */
export function writePlan(ws: Workspace, plan: string, text: string): string {
  put(ws.putting, planPath(ws, plan), Buffer.from(text));
  return planFileOf(ws, plan);
}
