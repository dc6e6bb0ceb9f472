/** `plan pause`, and with --end: a file beside the plan. False where nothing changed. */
import { unlessGone } from '../../../task/store/disk/disk.ts';
import { planFolder } from '../../../task/store/tasks/layout.ts';
import { put } from '../../../task/store/disk/put.ts';
import { bytesOf } from '../../../workspace/tasks/attempt-context.ts';
import { isPaused, pausedPath } from './plan-facts.ts';
import type { Workspace } from '../../../workspace/open/workspace.ts';

export function pausePlan(ws: Workspace, name: string): boolean {
  if (isPaused(ws, name)) return false;
  const words = `Paused since ${ws.machine.now().toISOString()}. It goes on when this file is removed, or: contracts plan pause ${name} --end\n`;
  put(ws.putting, pausedPath(ws, name), bytesOf(words));
  return true;
}

export function resumePlan(ws: Workspace, name: string): boolean {
  if (!isPaused(ws, name)) return false;
  const removed = unlessGone(() => {
    ws.disk.remove(pausedPath(ws, name));
    return true;
  }, false);
  if (removed) ws.disk.sync(planFolder(ws.layout, name));
  return removed;
}
