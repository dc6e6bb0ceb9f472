/**
 * Gives back the lease of an attempt whose process rolled it forward and then died. Safe if that process
 * lives after all: it finds its lease gone, and removing it was all that was left to do.
 */
import { join } from 'node:path';
import { leftLease } from '../../task/core/attempts/open-attempt.ts';
import type { TaskRead } from '../../task/core/model/task.ts';
import { isGone } from '../../task/store/disk/disk.ts';
import { attemptFolder, taskFolder } from '../../task/store/tasks/layout.ts';
import type { Context } from '../../workspace/tasks/attempt-context.ts';

export function giveLeaseBack({ ws, emit }: Context, task: TaskRead): void {
  const { disk, layout } = ws;
  const left = leftLease(task);
  if (left === undefined) return;
  const attempt = attemptFolder(taskFolder(layout, task.state, task.id), left.number);
  try {
    disk.remove(join(attempt, 'lease.md'));
  } catch (error) {
    // Its owner was faster, or a person has just moved the folder.
    if (!isGone(error)) throw error;
    return;
  }
  const reason = `attempt ${left.number} had ended and moved the task; its lease is given back`;
  emit({ event: 'recovered', task: task.id, attempt: left.number, reason });
}
