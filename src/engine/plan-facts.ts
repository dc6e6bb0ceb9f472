/**
 * What a plan says about its tasks as long as they are not claimed: that it is paused, that they are
 * worked on one at a time. Looked up when it is asked for, of that plan alone; each answer is the
 * disk's, so that whoever recorded what a look asked for sees it change.
 */
import { PLAN_NAME } from '../core/plan-document.ts';
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

export function isOneAtATime(ws: Workspace, plan: string): boolean {
  if (!PLAN_NAME.test(plan)) return false;
  const path = `${planFolder(ws.layout, plan)}/${PLAN_FILE}`;
  if (ws.disk.stat(path) === undefined) return false;
  const read = readText(ws.disk, path, shown(ws.layout, path), { single_link: false });
  return read.ok && saysOneAtATime(read.value);
}
